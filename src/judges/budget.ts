import type { DayBook } from './day-book.js';
import {
  type Amounts,
  addAmounts,
  dollarsToNanos,
  nanosToDollars,
  nothing,
  subtractAmounts,
} from './money.js';

/** What may be spent; null sets no bound. */
export interface BudgetLimits {
  readonly calls: number | null;
  readonly tokens: number | null;
  readonly nanoUsd: number | null;
}

export const noLimits: BudgetLimits = { calls: null, tokens: null, nanoUsd: null };

/** What a call may cost at most; `nanoUsd` is null where the price is not known. */
export interface Estimate {
  readonly calls: number;
  readonly tokens: number;
  readonly nanoUsd: number | null;
}

export type Reserved =
  | { readonly ok: true; readonly reservation: Reservation }
  | { readonly ok: false; readonly reason: string };

export interface Reservation {
  /** Replaces the estimate by what was used; null where that is not known, then the estimate stands. */
  settle(
    used: { readonly tokens: number | null; readonly nanoUsd: number | null } | 'nothing',
  ): void;
}

export interface Budget {
  /**
   * Sets aside what a call may cost. While calls under way could still leave room, it waits for them; when
   * none can, the call is refused.
   */
  reserve(estimate: Estimate): Promise<Reserved>;
}

/**
 * Keeps spending within the limits of this run and of this day, whatever runs at the same time: a call
 * starts only when its worst case fits, and is settled by what it really used. An estimate is never below
 * the real use, so the sum of both never passes a limit.
 */
export function createBudget(
  run: BudgetLimits,
  day: { readonly limits: BudgetLimits; readonly book: DayBook } | null,
): Budget {
  let spent = nothing;
  let held = nothing;
  let underWay = 0;
  const waiting: (() => void)[] = [];

  function tryReserve(estimate: Estimate): Reserved | 'wait' {
    const unpriced = [run, day?.limits].some((limits) => (limits?.nanoUsd ?? null) !== null);
    if (unpriced && estimate.nanoUsd === null) {
      return {
        ok: false,
        reason:
          'the price of the model is not known, so a budget in money cannot be kept; set `price:`',
      };
    }
    const amounts = { ...estimate, nanoUsd: estimate.nanoUsd ?? 0 };
    if (findExceeded(run, addAmounts(spent, amounts)) !== null) {
      return refuse(run, addAmounts(spent, amounts), 'run');
    }
    if (findExceeded(run, addAmounts(addAmounts(spent, held), amounts)) !== null) return 'wait';
    const entry = day?.book.reserve(amounts, day.limits) ?? null;
    if (day !== null && entry === null) {
      return underWay > 0
        ? 'wait'
        : { ok: false, reason: `the budget of the day is used up (${describeLimits(day.limits)})` };
    }
    held = addAmounts(held, amounts);
    underWay += 1;
    return { ok: true, reservation: { settle: (used) => settle(amounts, used, entry) } };
  }

  function settle(
    amounts: Amounts,
    used: Parameters<Reservation['settle']>[0],
    entry: string | null,
  ): void {
    const real: Amounts =
      used === 'nothing'
        ? nothing
        : {
            calls: amounts.calls,
            tokens: used.tokens ?? amounts.tokens,
            nanoUsd: used.nanoUsd ?? amounts.nanoUsd,
          };
    held = subtractAmounts(held, amounts);
    spent = addAmounts(spent, real);
    underWay -= 1;
    if (entry !== null) day?.book.settle(entry, real);
    for (const wake of waiting.splice(0)) wake();
  }

  return {
    async reserve(estimate) {
      for (;;) {
        const reserved = tryReserve(estimate);
        if (reserved !== 'wait') return reserved;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

/** The first limit that the amounts pass. */
export function findExceeded(limits: BudgetLimits, amounts: Amounts): keyof Amounts | null {
  for (const unit of ['calls', 'tokens', 'nanoUsd'] as const) {
    const limit = limits[unit];
    if (limit !== null && amounts[unit] > limit) return unit;
  }
  return null;
}

function refuse(limits: BudgetLimits, amounts: Amounts, period: string): Reserved {
  const unit = findExceeded(limits, amounts);
  const words = { calls: 'calls', tokens: 'tokens', nanoUsd: 'money' };
  const what = unit === null ? '' : ` in ${words[unit]}`;
  return {
    ok: false,
    reason: `the budget of the ${period}${what} is used up (${describeLimits(limits)})`,
  };
}

/** Limits for people: `100 calls, 50000 tokens, $2`. */
function describeLimits({ calls, tokens, nanoUsd }: BudgetLimits): string {
  const parts = [
    calls === null ? null : `${calls} calls`,
    tokens === null ? null : `${tokens} tokens`,
    nanoUsd === null ? null : `$${nanosToDollars(nanoUsd)}`,
  ];
  return parts.filter((part) => part !== null).join(', ') || 'no limit';
}

/**
 * Reads a budget as text: amounts joined by commas, each with its unit: `2usd` or `$2`, `50000tokens`,
 * `100calls`. Null when it is none, or names a unit twice.
 */
export function parseBudget(text: string): BudgetLimits | null {
  const limits: { calls: number | null; tokens: number | null; nanoUsd: number | null } = {
    ...noLimits,
  };
  for (const part of text.split(',')) {
    const match = /^(?:\$(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) *(usd|tokens?|calls?))$/i.exec(
      part.trim(),
    );
    if (match === null) return null;
    const unit = match[1] !== undefined ? 'usd' : (match[3] ?? '').toLowerCase();
    const amount = Number(match[1] ?? match[2]);
    const key = unit === 'usd' ? 'nanoUsd' : unit.startsWith('token') ? 'tokens' : 'calls';
    if (limits[key] !== null || (key !== 'nanoUsd' && !Number.isInteger(amount))) return null;
    limits[key] = key === 'nanoUsd' ? dollarsToNanos(amount) : amount;
  }
  return limits;
}
