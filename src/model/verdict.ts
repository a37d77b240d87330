import type { SpanRef } from './behavior.js';

export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'skipped' | 'error';
export type UnitVerdict = 'pass' | 'fail' | 'inconclusive';
export type Severity = 'info' | 'warning' | 'critical';

/** Why a verdict is what it is, where the verdict alone does not say (contract.md §1, closed list). */
export type VerdictCode =
  | 'step_unmatched'
  | 'blocked_by'
  | 'unclassified_message'
  | 'evidence_missing'
  | 'evidence_truncated'
  | 'evidence_redacted'
  | 'trace_incomplete'
  | 'order_parallel'
  | 'capture_unconfirmed'
  | 'when_false'
  | 'when_unknown_column'
  | 'no_row'
  | 'no_session'
  | 'adapter.not_configured'
  | 'adapter.unsupported_type'
  | 'adapter.error'
  | 'budget_exhausted'
  | 'not_judged'
  | 'evaluator.threshold_not_met'
  | 'evaluator.missing_input'
  | 'evaluator.error'
  | 'evaluator.timeout'
  | 'overload';

/** A Behavior that decided a verdict. */
export interface Witness extends SpanRef {
  readonly behavior: number;
}

/** The Behavior that came closest and the predicate it failed. */
export interface NearestMiss {
  readonly behavior: number;
  /** `actor`, `action`, `target`, `with`, `content`, `order`, `distance`, `matches_when`, `structure` … */
  readonly failed: string;
  readonly detail: string;
}

/** How a judge came to an answer; tokens and money are null where the provider tells none. */
export interface JudgeTrail {
  readonly adapter: string;
  readonly provider: string;
  readonly model: string;
  /** `sha256:` and hex of everything that was asked. */
  readonly promptDigest: string;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
  readonly latencyMs: number;
  /** How often it was asked; the middle score counts. */
  readonly samples: number;
}
