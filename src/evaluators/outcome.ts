import type { Outcome } from '../model/evaluator.js';
import type { NearestMiss, VerdictCode } from '../model/verdict.js';

/** A pass with score 1. */
export function passed(reason: string, witness: readonly number[] = []): Outcome {
  return { verdict: 'pass', score: 1, reason, code: null, witness };
}

/** A failure with score 0, and what came closest. */
export function failed(
  reason: string,
  witness: readonly number[] = [],
  nearest: NearestMiss | null = null,
): Outcome {
  const outcome = { verdict: 'fail', score: 0, reason, code: null, witness } as const;
  return nearest === null ? outcome : { ...outcome, nearest };
}

/** No verdict, and the reason why none can be given. */
export function inconclusive(
  code: VerdictCode,
  reason: string,
  witness: readonly number[] = [],
  nearest: NearestMiss | null = null,
): Outcome {
  const outcome = { verdict: 'inconclusive', score: null, reason, code, witness } as const;
  return nearest === null ? outcome : { ...outcome, nearest };
}

/** A score against the lowest one that passes. */
export function scored(
  score: number,
  threshold: number,
  reason: string,
  witness: readonly number[],
): Outcome {
  const reached = score >= threshold;
  return {
    verdict: reached ? 'pass' : 'fail',
    score,
    reason: `${reason} (score ${formatScore(score)}, threshold ${formatScore(threshold)})`,
    code: reached ? null : 'evaluator.threshold_not_met',
    witness,
  };
}

/** A score for people: at most four digits after the point. */
export function formatScore(score: number): string {
  return String(Number(score.toFixed(4)));
}

/** The evaluator itself broke: only its own rule is lost (contract.md §1). */
export function broken(error: unknown): Outcome {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    verdict: 'error',
    score: null,
    reason: `the evaluator broke: ${reason}`,
    code: 'evaluator.error',
    witness: [],
  };
}
