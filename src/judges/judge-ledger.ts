import { nanosToDollars } from './money.js';
import type { Usage } from './reply.js';

/** What judging cost, and what it did without. */
export interface JudgeLedger {
  /** Answers that came from a model or service. */
  readonly calls: number;
  /** Answers that were looked up. */
  readonly kept: number;
  /** Questions that were not asked for lack of budget. */
  readonly overBudget: number;
  /** Questions whose calls failed. */
  readonly failed: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly nanoUsd: number;
  /** Calls whose tokens or price are not known and are in no sum. */
  readonly unpriced: number;
}

export interface LedgerWriter {
  called(usage: Usage, nanoUsd: number | null): void;
  kept(): void;
  overBudget(): void;
  failed(): void;
  read(): JudgeLedger;
}

export function createJudgeLedger(): LedgerWriter {
  const counts = {
    calls: 0,
    kept: 0,
    overBudget: 0,
    failed: 0,
    inputTokens: 0,
    outputTokens: 0,
    nanoUsd: 0,
    unpriced: 0,
  };
  return {
    called(usage, nanoUsd) {
      counts.calls += 1;
      counts.inputTokens += usage.inputTokens ?? 0;
      counts.outputTokens += usage.outputTokens ?? 0;
      if (nanoUsd === null) counts.unpriced += 1;
      else counts.nanoUsd += nanoUsd;
    },
    kept() {
      counts.kept += 1;
    },
    overBudget() {
      counts.overBudget += 1;
    },
    failed() {
      counts.failed += 1;
    },
    read: () => ({ ...counts }),
  };
}

/** The ledger as one line for people; null when no question was asked or looked up. */
export function describeLedger(ledger: JudgeLedger): string | null {
  const { calls, kept, overBudget, failed, inputTokens, outputTokens, unpriced } = ledger;
  if (calls + kept + overBudget + failed === 0) return null;
  const parts = [
    `${calls} ${calls === 1 ? 'call' : 'calls'}`,
    `${kept} kept ${kept === 1 ? 'answer' : 'answers'}`,
    `${inputTokens} + ${outputTokens} tokens`,
    `$${nanosToDollars(ledger.nanoUsd)
      .toFixed(6)
      .replace(/0{1,4}$/, '')}`,
  ];
  if (unpriced > 0) parts.push(`${unpriced} of unknown price`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (overBudget > 0) parts.push(`${overBudget} not asked: the budget is used up`);
  return `judges: ${parts.join(', ')}`;
}
