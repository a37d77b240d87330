import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { createProblem } from '../errors.js';
import type { Problem } from '../model/problem.js';
import { calibrateJudges } from '../pipeline/judge-calibrate.js';
import { problemText } from '../reports/problems/text.js';
import type { CliIo } from './cli-io.js';
import { calibrationText } from './judge-calibration-text.js';
import { addJudgeOptions, type JudgeFlags, readGradeConfig } from './judge-flags.js';
import { addCommonOptions, type CommonFlags, paintFor } from './options.js';
import type { ExitBox } from './run-cli.js';

const examples = `
Each line of the labels is one JSON object:
  {"label": "pass", "response": "Your refund is on its way.", "criteria": "It is friendly."}
  {"label": "fail", "type": "Groundedness", "query": "…", "context": "…", "response": "…"}

Examples:
  retrial judge calibrate labels.jsonl
  retrial judge calibrate labels.jsonl --adapter strict --budget 1usd --format json`;

interface CalibrateFlags extends CommonFlags, JudgeFlags {
  readonly format: 'text' | 'json';
}

export function addJudgeCommand(program: Command, io: CliIo, exit: ExitBox): void {
  const judge = program.command('judge').summary('work with the judges of the configuration');
  const command = judge
    .command('calibrate')
    .summary('compare judges with labels of people')
    .description(
      'Has labelled cases judged and tells how far judge and label agree: agreement, kappa, who was\nwrong which way, which threshold would agree best, and what it cost.',
    )
    .argument('<labels>', 'JSON lines; see below')
    .addOption(
      new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'),
    )
    .addHelpText('after', examples);
  addCommonOptions(addJudgeOptions(command)).action(async (file: string, flags: CalibrateFlags) => {
    exit.code = await runCalibrate(file, flags, io);
  });
}

async function runCalibrate(file: string, flags: CalibrateFlags, io: CliIo): Promise<number> {
  const tell = (problems: readonly Problem[]): void => {
    const paint = paintFor(io.stderr, io, flags);
    for (const problem of problems) io.stderr.write(`${problemText(problem, paint)}\n`);
  };
  const judging = readGradeConfig(flags, io);
  tell(judging.problems);
  if (!judging.ok) return 2;
  let text: string;
  try {
    text = readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    tell([createProblem('file-unreadable', { file, detail })]);
    return 2;
  }
  const calibration = await calibrateJudges({ text, file }, judging.value.judging, io);
  tell(calibration.problems);
  if (calibration.groups.length > 0) {
    const { groups, exitCode } = calibration;
    io.stdout.write(
      flags.format === 'json'
        ? `${JSON.stringify({ exitCode, groups }, null, 2)}\n`
        : calibrationText(calibration),
    );
  }
  if (calibration.ledger !== null && flags.quiet !== true) {
    io.stderr.write(`${calibration.ledger}\n`);
  }
  return io.signal.aborted ? 130 : calibration.exitCode;
}
