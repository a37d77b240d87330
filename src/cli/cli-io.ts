/** Where a command writes: a terminal, a pipe, or a string in a test. */
export interface OutputStream {
  readonly isTTY: boolean;
  readonly columns: number;
  write(text: string): void;
}

/** Everything a command takes from the process it runs in. */
export interface CliIo {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborted when the user interrupts; a command ends early and tells what it has. */
  readonly signal: AbortSignal;
}
