import { type Command, Option } from 'commander';
import { checkDocuments } from '../pipeline/check.js';
import { problemFormats } from '../reports/problems/index.js';
import type { CliIo } from './cli-io.js';
import { addCommonOptions, type CommonFlags, paintFor } from './options.js';
import type { ExitBox } from './run-cli.js';

const examples = `
Examples:
  retrial check refund.abs.yaml
  retrial check specs/ --strict --format github`;

interface CheckFlags extends CommonFlags {
  readonly strict?: boolean;
  readonly format: string;
}

export function addCheckCommand(program: Command, io: CliIo, exit: ExitBox): void {
  const command = program
    .command('check')
    .summary('check documents for mistakes')
    .description(
      'Reads behavior documents and tells every mistake with its place and what to write instead.',
    )
    .argument('<documents...>', 'files, folders or quoted patterns')
    .option('--strict', 'warnings are errors')
    .addOption(
      new Option('--format <format>', 'what to print')
        .choices(problemFormats.map(({ name }) => name))
        .default('text'),
    )
    .addHelpText('after', examples);
  addCommonOptions(command).action((documents: string[], flags: CheckFlags) => {
    const report = checkDocuments(documents, { cwd: io.cwd, isStrict: flags.strict === true });
    const format = problemFormats.find(({ name }) => name === flags.format);
    const paint = paintFor(io.stdout, io, flags);
    for (const text of format?.render(report, paint) ?? []) io.stdout.write(text);
    exit.code = report.exitCode;
  });
}
