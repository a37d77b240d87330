import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Paint, paintAnsi, paintNothing, wantsColor } from '../util/terminal.js';
import type { CliIo, OutputStream } from './cli-io.js';

/** The flags that every command has. */
export interface CommonFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color: boolean;
  readonly progress: boolean;
}

export function addCommonOptions(command: Command): Command {
  return command
    .addOption(new Option('-q, --quiet', 'print only what did not pass').conflicts('verbose'))
    .option('-v, --verbose', 'print everything')
    .option('--no-color', 'print without colour (also NO_COLOR)')
    .option('--no-progress', 'draw no progress bar');
}

export function unitOption(): Option {
  return new Option('--unit <kind>', 'what is taken as one whole (default: auto)').choices([
    'trace',
    'conversation',
    'auto',
  ]);
}

export function traceOption(): Option {
  return new Option(
    '--trace <id>',
    'only this trace, by its id or the beginning of it; repeat for more',
  ).argParser(collect);
}

/** Appends a value of a flag that may be repeated. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

export function parseRow(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a row number from 0.');
  return Number(text);
}

export function paintFor(stream: OutputStream, io: CliIo, flags: CommonFlags): Paint {
  const isColored = wantsColor({
    isTerminal: stream.isTTY,
    isRefused: !flags.color,
    env: io.env,
  });
  return isColored ? paintAnsi : paintNothing;
}
