#!/usr/bin/env node
import type { OutputStream } from './cli-io.js';
import { runCli } from './run-cli.js';

// A reader that went away (`retrial … | head`) is no error: what it did not read is let go.
const closed = new Set<NodeJS.WriteStream>();

function outputTo(stream: NodeJS.WriteStream): OutputStream {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed.add(stream);
  });
  return {
    isTTY: Boolean(stream.isTTY),
    columns: stream.columns ?? 80,
    write: (text) => {
      if (!closed.has(stream)) stream.write(text);
    },
  };
}

const interrupt = new AbortController();
// Asked to end by whoever runs the process: the same as an interruption by hand.
process.once('SIGTERM', () => {
  interrupt.abort();
  process.stdin.destroy();
});
process.once('SIGINT', () => {
  interrupt.abort();
  // A command that waits for input would not notice.
  process.stdin.destroy();
  // A second one ends the process at once.
  process.once('SIGINT', () => process.exit(130));
});

process.exitCode = await runCli(process.argv.slice(2), {
  stdout: outputTo(process.stdout),
  stderr: outputTo(process.stderr),
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  signal: interrupt.signal,
});
