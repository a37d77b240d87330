/** Time as an argument: what needs a clock takes one, so tests decide what time it is. */
export interface Clock {
  /** Milliseconds that only ever grow; for durations and intervals. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => performance.now() };
