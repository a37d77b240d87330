import type { ProgressStep } from '../util/progress.js';
import type { PipelineIo } from './grade-options.js';

/** Work never holds the event loop longer than this, so that signals and timers get their turn. */
const longestStretchMs = 40;

/**
 * To be awaited between small pieces of long work. Now and then it tells the progress and lets the
 * event loop run; otherwise it only looks at the clock.
 */
export function createPacer(io: PipelineIo): (step: () => ProgressStep) => Promise<void> {
  let nextMs = io.clock.nowMs() + longestStretchMs;
  return async (step) => {
    if (io.clock.nowMs() < nextMs) return;
    io.onProgress?.(step());
    await io.breathe();
    nextMs = io.clock.nowMs() + longestStretchMs;
  };
}
