import { setImmediate } from 'node:timers/promises';
import type { PipelineIo } from '../pipeline/grade-options.js';
import { systemClock } from '../util/clock.js';
import { createStatusLine, type StatusLine } from '../util/progress.js';
import type { CliIo } from './cli-io.js';
import type { CommonFlags } from './options.js';

const noStatusLine: StatusLine = { show: () => undefined, clear: () => undefined };

/** A status line on a terminal; nothing in a pipe, in CI, or where it is not wanted. */
export function statusLineFor({ stderr }: CliIo, flags: CommonFlags): StatusLine {
  if (!stderr.isTTY || !flags.progress || flags.quiet === true) return noStatusLine;
  return createStatusLine({
    write: (text) => stderr.write(text),
    clock: systemClock,
    columns: stderr.columns,
    quietMs: 700,
    intervalMs: 100,
  });
}

export function pipelineIo(io: CliIo, status: StatusLine): PipelineIo {
  const { cwd, env, stdin, signal } = io;
  const breathe = (): Promise<void> => setImmediate();
  return { cwd, env, stdin, signal, clock: systemClock, breathe, onProgress: status.show };
}
