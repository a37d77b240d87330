import type { Usage } from './reply.js';
import type { Price } from './settings.js';

/** Calls, tokens and money, of a limit, an estimate or what was spent. Money in whole nano-dollars. */
export interface Amounts {
  readonly calls: number;
  readonly tokens: number;
  readonly nanoUsd: number;
}

export const nothing: Amounts = { calls: 0, tokens: 0, nanoUsd: 0 };

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  return {
    calls: a.calls + b.calls,
    tokens: a.tokens + b.tokens,
    nanoUsd: a.nanoUsd + b.nanoUsd,
  };
}

export function subtractAmounts(a: Amounts, b: Amounts): Amounts {
  return {
    calls: a.calls - b.calls,
    tokens: a.tokens - b.tokens,
    nanoUsd: a.nanoUsd - b.nanoUsd,
  };
}

const nanosPerDollar = 1e9;

export function dollarsToNanos(usd: number): number {
  return Math.round(usd * nanosPerDollar);
}

export function nanosToDollars(nanos: number): number {
  return nanos / nanosPerDollar;
}

/** What a call costs by its price, rounded up; null where price or tokens are not known. */
export function costOf(usage: Usage, price: Price | null): number | null {
  if (usage.costUsd !== undefined) return dollarsToNanos(usage.costUsd);
  if (price === null) return null;
  const input = charge(usage.inputTokens, price.input_per_million);
  const output = charge(usage.outputTokens, price.output_per_million);
  if (input === null || output === null) return null;
  return Math.ceil(input + output) + dollarsToNanos(price.per_call);
}

/** A token that costs x dollars per million costs 1,000 x nano-dollars. */
function charge(tokens: number | null, perMillion: number): number | null {
  if (perMillion === 0) return 0;
  return tokens === null ? null : tokens * perMillion * 1_000;
}
