/** Waiting between attempts (otlp.md F1); the keys and defaults of `retry_on_failure`. */
export interface RetryPolicy {
  readonly initialIntervalMs: number;
  readonly maxIntervalMs: number;
  /** From the first attempt on; 0 never gives up. */
  readonly maxElapsedMs: number;
}

const growth = 1.5;
const spread = 0.5;

/**
 * How long to wait before the next attempt; `null` when the time for this batch is over. `attempts` counts
 * those already made, `random` is in [0, 1). What the peer asked for is a lower bound.
 */
export function nextDelayMs(
  policy: RetryPolicy,
  attempts: number,
  elapsedMs: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const interval = Math.min(
    policy.initialIntervalMs * growth ** (attempts - 1),
    policy.maxIntervalMs,
  );
  const jittered = interval * (1 - spread + random * 2 * spread);
  const delay = Math.max(jittered, retryAfterMs ?? 0);
  const isOver = policy.maxElapsedMs > 0 && elapsedMs + delay > policy.maxElapsedMs;
  return isOver ? null : delay;
}

/** Milliseconds asked for by a Retry-After header, given in seconds or as an HTTP date (otelcol#12366). */
export function readRetryAfter(header: string | undefined, epochMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - epochMs);
}
