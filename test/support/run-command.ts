import type { CliIo, OutputStream } from '../../src/cli/cli-io.js';
import { runCli } from '../../src/cli/run-cli.js';
import { inChunks } from './chunks.js';

export interface CommandOptions {
  readonly cwd?: string;
  readonly stdin?: Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Makes both outputs terminals. */
  readonly isTTY?: boolean;
  readonly signal?: AbortSignal;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line inside this process, with everything it takes from a process given. */
export async function runCommand(
  argv: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const isTTY = options.isTTY ?? false;
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): OutputStream => ({
    isTTY,
    columns: 80,
    write: (text) => {
      written[name] += text;
    },
  });
  const io: CliIo = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    stdin: inChunks(options.stdin ?? new Uint8Array(0), 1000),
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    signal: options.signal ?? new AbortController().signal,
  };
  const code = await runCli(argv, io);
  return { code, ...written };
}
