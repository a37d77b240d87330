import { type Command, Option } from 'commander';
import { explainRecordings } from '../pipeline/explain.js';
import { explanationFormats } from '../reports/explanations.js';
import { describeDiagnostic } from '../reports/text.js';
import type { CliIo } from './cli-io.js';
import {
  addCommonOptions,
  type CommonFlags,
  paintFor,
  traceOption,
  unitOption,
} from './options.js';
import { pipelineIo, statusLineFor } from './pipeline-io.js';
import type { ExitBox } from './run-cli.js';

const examples = `
Examples:
  retrial explain traces.jsonl
  retrial explain traces.jsonl --trace 4bf92f35 --format json`;

interface ExplainFlags extends CommonFlags {
  readonly unit?: 'trace' | 'conversation' | 'auto';
  readonly trace?: readonly string[];
  readonly format: string;
}

export function addExplainCommand(program: Command, io: CliIo, exit: ExitBox): void {
  const command = program
    .command('explain')
    .summary('show what was observed, and where each part of it came from')
    .description(
      'Prints the Behaviors of each trace or conversation in order: who did what, which span shows it,\nand what was lost on the way.',
    )
    .argument('<recordings...>', 'what was recorded')
    .addOption(unitOption())
    .addOption(traceOption())
    .addOption(
      new Option('--format <format>', 'what to print')
        .choices(explanationFormats.map(({ name }) => name))
        .default('text'),
    )
    .addHelpText('after', examples);
  addCommonOptions(command).action(async (recordings: string[], flags: ExplainFlags) => {
    exit.code = await runExplain(recordings, flags, io);
  });
}

async function runExplain(
  recordings: readonly string[],
  flags: ExplainFlags,
  io: CliIo,
): Promise<number> {
  const status = statusLineFor(io, flags);
  const { unit, trace, format: name } = flags;
  const options = { recordings, traces: trace ?? [], ...(unit !== undefined && { unit }) };
  const work = explainRecordings(options, pipelineIo(io, status));
  const explanation = await work.finally(status.clear);
  const format = explanationFormats.find((known) => known.name === name);
  const paint = paintFor(io.stdout, io, flags);
  for (const text of format?.render(explanation, paint) ?? []) io.stdout.write(text);
  if (flags.quiet !== true) {
    const paintError = paintFor(io.stderr, io, flags);
    for (const diagnostic of explanation.diagnostics) {
      io.stderr.write(`${describeDiagnostic(diagnostic, paintError)}\n`);
    }
  }
  return explanation.exitCode;
}
