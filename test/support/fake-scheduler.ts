import type { Scheduler } from '../../src/util/scheduler.js';

/** Time that stands still until told to move; due calls run in order of their time. */
export interface FakeScheduler extends Scheduler {
  /** Moves time forward and runs what became due, letting promises settle in between. */
  advance(ms: number): Promise<void>;
  /** Delays of the calls that wait, shortest first. */
  pendingDelays(): readonly number[];
  /** Resolves once `count` calls wait. */
  whenWaiting(count?: number): Promise<void>;
}

export function createFakeScheduler(startMs = 1_000): FakeScheduler {
  let now = startMs;
  const waiting = new Set<{ at: number; run: () => void }>();
  const watchers = new Set<{ count: number; resolve: () => void }>();
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const ordered = () => [...waiting].sort((a, b) => a.at - b.at);
  return {
    nowMs: () => now,
    after(delayMs, run) {
      const entry = { at: now + delayMs, run };
      waiting.add(entry);
      for (const watcher of watchers) {
        if (waiting.size < watcher.count) continue;
        watchers.delete(watcher);
        watcher.resolve();
      }
      return () => waiting.delete(entry);
    },
    async advance(ms) {
      const target = now + ms;
      for (;;) {
        const next = ordered()[0];
        if (next === undefined || next.at > target) break;
        waiting.delete(next);
        now = Math.max(now, next.at);
        next.run();
        await settle();
      }
      now = target;
      await settle();
    },
    pendingDelays: () => ordered().map((entry) => entry.at - now),
    whenWaiting(count = 1) {
      if (waiting.size >= count) return Promise.resolve();
      return new Promise((resolve) => watchers.add({ count, resolve }));
    },
  };
}
