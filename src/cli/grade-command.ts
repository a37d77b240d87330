import { type Command, Option } from 'commander';
import { createProblem } from '../errors.js';
import type { Problem } from '../model/problem.js';
import { gradeRecordings } from '../pipeline/grade.js';
import type { GradeOptions } from '../pipeline/grade-options.js';
import { reportFormats } from '../reports/index.js';
import { problemText } from '../reports/problems/text.js';
import type { ReportFormat } from '../reports/report-format.js';
import { describeDiagnostic } from '../reports/text.js';
import type { CliIo } from './cli-io.js';
import { addJudgeOptions, type JudgeFlags, readGradeConfig } from './judge-flags.js';
import {
  addCommonOptions,
  type CommonFlags,
  collect,
  paintFor,
  parseRow,
  traceOption,
  unitOption,
} from './options.js';
import { pipelineIo, statusLineFor } from './pipeline-io.js';
import type { ExitBox } from './run-cli.js';
import { chooseTarget, type ReportTarget, writeReport } from './write-outputs.js';

const examples = `
Examples:
  retrial grade traces.jsonl --spec refund.abs.yaml
  retrial grade recordings/ --spec specs/ --session "Refund request"
  retrial grade run.pb --spec refund.abs.yaml --var orderId=A-17 -o report.json -o junit.xml
  cat traces.jsonl.gz | retrial grade - --spec refund.abs.yaml --format json`;

interface GradeFlags extends CommonFlags, JudgeFlags {
  readonly spec?: readonly string[];
  readonly session?: string;
  readonly unit?: 'trace' | 'conversation' | 'auto';
  readonly var?: readonly string[];
  readonly dataset?: string;
  readonly row?: number;
  readonly filter?: readonly string[];
  readonly userMatch?: 'template' | 'ignore';
  readonly evaluationsOnly?: boolean;
  readonly mode?: 'test' | 'monitor';
  readonly trace?: readonly string[];
  readonly allowEmpty?: boolean;
  readonly inconclusive?: 'pass' | 'fail';
  readonly format?: string;
  readonly output?: readonly string[];
  readonly behaviors?: boolean;
}

export function addGradeCommand(program: Command, io: CliIo, exit: ExitBox): void {
  const command = program
    .command('grade')
    .summary('grade recordings by documents')
    .description(
      'Grades recorded traces by behavior documents. Recordings are OTLP as JSON, JSON lines or protobuf,\nalso gzipped: files, folders, quoted patterns, or - for standard input.',
    )
    .argument('<recordings...>', 'what was recorded')
    .option('--spec <file>', 'document, folder or quoted pattern; repeat for more', collect)
    .option('--session <name>', 'grade by this session only')
    .addOption(unitOption())
    .option('--var <name=value>', 'value of a variable; repeat for more', collect)
    .option('--dataset <file>', 'rows for sessions without a dataset of their own (.json, .jsonl)')
    .option('--row <number>', 'dataset row that the recordings belong to, from 0', parseRow)
    .option('--filter <column:value>', 'only rows with this value; repeat for more', collect)
    .addOption(
      new Option('--user-match <how>', 'how declared user messages are compared').choices([
        'template',
        'ignore',
      ]),
    )
    .option('--evaluations-only', 'leave out whether every required step was observed')
    .addOption(
      new Option('--mode <mode>', 'monitor: only rules of the whole session').choices([
        'test',
        'monitor',
      ]),
    )
    .addOption(traceOption())
    .option('--allow-empty', 'exit 0 when there was nothing to grade')
    .addOption(
      new Option('--inconclusive <as>', 'what inconclusive counts as').choices(['pass', 'fail']),
    )
    .addOption(
      new Option('--format <format>', 'what to print (default: text)').choices(
        reportFormats.map(({ name }) => name),
      ),
    )
    .option(
      '-o, --output <file>',
      'also write the report, format by ending; repeat for more',
      collect,
    )
    .option('--behaviors', 'put what was observed into the report')
    .addHelpText('after', examples);
  addCommonOptions(addJudgeOptions(command)).action(
    async (recordings: string[], flags: GradeFlags) => {
      exit.code = await runGrade(recordings, flags, io);
    },
  );
}

async function runGrade(
  recordings: readonly string[],
  flags: GradeFlags,
  io: CliIo,
): Promise<number> {
  if (flags.spec === undefined) return tell([createProblem('no-documents', {})], flags, io, 2);
  const named = reportFormats.find(({ name }) => name === flags.format);
  const files = (flags.output ?? []).filter((file) => file !== '-');
  const chosen = files.map((file) => chooseTarget(file, reportFormats, named));
  const wrong = chosen.flatMap(({ problems }) => problems);
  if (wrong.length > 0) return tell(wrong, flags, io, 2);
  const targets = chosen.flatMap((result): ReportTarget[] => (result.ok ? [result.value] : []));

  const config = readGradeConfig(flags, io);
  if (!config.ok) return tell(config.problems, flags, io, 2);

  const status = statusLineFor(io, flags);
  const notices: string[] = [];
  const work = gradeRecordings(
    { ...toOptions(recordings, flags), ...config.value },
    { ...pipelineIo(io, status), onNotice: (text) => notices.push(text) },
  );
  const report = await work.finally(status.clear);

  const unwritten = targets.flatMap((target) => writeReport(target, report, io.cwd));
  const format = named ?? reportFormats.find(({ name }) => name === 'text');
  if (format !== undefined) printReport(format);
  if (flags.quiet !== true) for (const notice of notices) io.stderr.write(`${notice}\n`);
  return unwritten.length > 0
    ? tell(unwritten, flags, io, worse(report.exitCode))
    : report.exitCode;

  function printReport(chosenFormat: ReportFormat): void {
    const isText = chosenFormat.name === 'text';
    const paint = isText ? paintFor(io.stdout, io, flags) : paintFor(io.stderr, io, flags);
    const detail = detailOf(flags, report.units.length);
    for (const text of chosenFormat.render(report, { paint, detail })) io.stdout.write(text);
    if (isText || flags.quiet === true) return;
    for (const one of report.diagnostics) io.stderr.write(`${describeDiagnostic(one, paint)}\n`);
  }
}

/** Passing units are listed with their rules while there are few of them. */
const mostUnitsInFull = 10;

function detailOf({ quiet, verbose }: CommonFlags, units: number): 'all' | 'failures' {
  if (verbose === true) return 'all';
  return quiet === true || units > mostUnitsInFull ? 'failures' : 'all';
}

/** A report that could not be written: the grader did not do its work, unless something worse happened. */
function worse(exitCode: number): number {
  return exitCode === 0 || exitCode === 3 ? 4 : exitCode;
}

function tell(problems: readonly Problem[], flags: CommonFlags, io: CliIo, code: number): number {
  const paint = paintFor(io.stderr, io, flags);
  for (const problem of problems) io.stderr.write(`${problemText(problem, paint)}\n`);
  return code;
}

function toOptions(recordings: readonly string[], flags: GradeFlags): GradeOptions {
  const { spec, session, unit, dataset, row, userMatch, mode, inconclusive } = flags;
  return {
    recordings,
    specs: spec ?? [],
    evaluationsOnly: flags.evaluationsOnly === true,
    allowEmpty: flags.allowEmpty === true,
    withBehaviors: flags.behaviors === true,
    traces: flags.trace ?? [],
    variables: flags.var ?? [],
    filters: flags.filter ?? [],
    ...(session !== undefined && { session }),
    ...(unit !== undefined && { unit }),
    ...(dataset !== undefined && { dataset }),
    ...(row !== undefined && { row }),
    ...(userMatch !== undefined && { userMatch }),
    ...(mode !== undefined && { mode }),
    ...(inconclusive !== undefined && { inconclusive }),
  };
}
