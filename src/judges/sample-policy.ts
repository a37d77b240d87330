import type { Reading } from './read-answer.js';

export interface SamplePolicy {
  /** Odd; 1 never asks again. */
  readonly samples: number;
  readonly resample: 'on_fail' | 'near_threshold' | 'on_fail_or_near' | 'always';
  /** How close to the threshold is near. */
  readonly near: number;
}

export type Combined =
  /** Another sample is needed. */
  | { readonly kind: 'open' }
  | {
      readonly kind: 'scored';
      readonly score: number;
      readonly passed?: boolean;
      readonly reason: string;
    }
  | { readonly kind: 'undecided'; readonly reason: string };

/**
 * What the answers taken so far amount to. One answer is enough unless the policy wants it confirmed: a
 * failure, or a score near the threshold. Then the majority of all samples decides, and asking stops once
 * there is one; the middle score of the decided samples is the score, so score and verdict agree. Answers
 * that say nothing count for neither side.
 */
export function combineSamples(
  taken: readonly Reading[],
  policy: SamplePolicy,
  threshold: number,
): Combined {
  const [first] = taken;
  if (first === undefined) return { kind: 'open' };
  const wanted = policy.samples > 1 && needsMore(first, policy, threshold) ? policy.samples : 1;
  const decided = taken
    .filter((reading) => reading.kind === 'scored')
    .toSorted((a, b) => a.score - b.score);
  const passes = decided.filter((one) => isPass(one, threshold)).length;
  const fails = decided.length - passes;
  const majority = Math.floor(wanted / 2) + 1;
  if (passes < majority && fails < majority) {
    if (taken.length < wanted) return { kind: 'open' };
    return { kind: 'undecided', reason: describeUndecided(taken, passes, fails) };
  }
  const winners = decided.filter((one) => isPass(one, threshold) === passes >= majority);
  const middle =
    winners.find((one) => one === decided[Math.floor((decided.length - 1) / 2)]) ?? winners[0];
  if (middle === undefined) return { kind: 'undecided', reason: 'no sample is decided' };
  const { score, passed, reason } = middle;
  const votes = wanted > 1 ? ` (${winners.length} of ${taken.length} samples)` : '';
  return {
    kind: 'scored',
    score,
    ...(passed !== undefined && { passed }),
    reason: `${reason}${votes}`,
  };
}

type Scored = Extract<Reading, { kind: 'scored' }>;

function isPass({ passed, score }: Scored, threshold: number): boolean {
  return passed ?? score >= threshold;
}

function needsMore(first: Reading, policy: SamplePolicy, threshold: number): boolean {
  if (first.kind !== 'scored') return true;
  const failed = !isPass(first, threshold);
  const isNear = Math.abs(first.score - threshold) <= policy.near;
  switch (policy.resample) {
    case 'always':
      return true;
    case 'on_fail':
      return failed;
    case 'near_threshold':
      return isNear;
    case 'on_fail_or_near':
      return failed || isNear;
  }
}

const words = {
  refused: 'the judge refused',
  cut: 'the answer of the judge was cut off',
  malformed: 'the answer of the judge is malformed',
};

function describeUndecided(taken: readonly Reading[], passes: number, fails: number): string {
  const unusable = taken.find((reading) => reading.kind === 'unusable');
  const why = unusable === undefined ? '' : `${words[unusable.why]}: ${unusable.detail}`;
  if (taken.length === 1) return why;
  return `no majority among ${taken.length} samples: ${passes} pass, ${fails} fail${why === '' ? '' : `; ${why}`}`;
}
