import { type Clock, systemClock } from './clock.js';

/** A clock that can also call back: what waits takes one, so tests decide when time passes. */
export interface Scheduler extends Clock {
  /** Calls `run` once after `delayMs`; the answer takes the call back. */
  after(delayMs: number, run: () => void): () => void;
}

/** Node refuses longer timers and would fire them at once. */
const longestDelayMs = 2 ** 31 - 1;

export const systemScheduler: Scheduler = {
  nowMs: () => systemClock.nowMs(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, delayMs), longestDelayMs));
    return () => clearTimeout(timer);
  },
};

/** Waits `delayMs`, or less when `signal` aborts; never rejects. */
export function waitFor(scheduler: Scheduler, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = (): void => {
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = scheduler.after(delayMs, finish);
    signal.addEventListener('abort', finish, { once: true });
  });
}
