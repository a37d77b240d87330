import type { BoundStep } from '../documents/abs/bound-session.js';
import { describeBehavior, formatElapsed } from '../evaluators/describe.js';
import type { Behavior } from '../model/behavior.js';
import type { NearestMiss } from '../model/verdict.js';
import type { StepAlignment } from './align-steps.js';
import { type FitOptions, fitStep } from './fit.js';

/** The Behavior that came closest to an unmatched step. */
export interface NearestCandidate extends NearestMiss {
  /** Arguments that differ, where only arguments do. */
  readonly differing: readonly string[];
}

/** Fits in itself, but out of order or already another step's. */
const misplacedRank = 10;

/** Behaviors that are compared with a step to explain why it is unmatched. */
const maxExamined = 10_000;

interface Ranked {
  readonly rank: number;
  readonly miss: NearestCandidate;
}

/**
 * The best rejected candidate of an unmatched step and the predicate it failed. Behaviors that no other step
 * matched come first, then those between the neighbours of the step.
 */
export function explainUnmatched(
  step: BoundStep,
  alignment: StepAlignment,
  options: FitOptions,
): NearestCandidate | null {
  const { index, positions } = alignment;
  const used = new Set(positions);
  const [low, high] = windowOf(positions, step.index);
  let best: Ranked | null = null;
  for (const behavior of nearby(index.ofActor(step.actor), low)) {
    const ranked = rank(step, behavior, alignment, options);
    if (ranked === null) continue;
    const isFree = used.has(behavior.index) ? 0 : 0.2;
    const isNear = behavior.index >= low && behavior.index <= high ? 0.1 : 0;
    const total = ranked.rank + isFree + isNear;
    if (best === null || total > best.rank) best = { rank: total, miss: ranked.miss };
  }
  return best?.miss ?? explainOtherActor(step, index.behaviors, options);
}

/** The Behaviors around a position: in a long unit a near miss is looked for near. */
function nearby(behaviors: readonly Behavior[], position: number): readonly Behavior[] {
  if (behaviors.length <= maxExamined) return behaviors;
  const found = behaviors.findIndex((behavior) => behavior.index >= position);
  const middle = found < 0 ? behaviors.length : found;
  const start = Math.max(0, middle - maxExamined / 2);
  return behaviors.slice(start, start + maxExamined);
}

/** Positions between which a step would have had to be: those of its matched neighbours. */
export function windowOf(
  positions: StepAlignment['positions'],
  index: number,
): readonly [number, number] {
  const low = positions.slice(0, index).reduce((at: number, next) => Math.max(at, next ?? -1), -1);
  const high = positions
    .slice(index + 1)
    .reduce((at: number, next) => Math.min(at, next ?? at), Number.POSITIVE_INFINITY);
  return [low, high];
}

function rank(
  step: BoundStep,
  behavior: Behavior,
  alignment: StepAlignment,
  options: FitOptions,
): Ranked | null {
  const fit = fitStep(step, behavior, options);
  switch (fit.kind) {
    case 'misfit': {
      const { failed, detail, differing } = fit;
      const isCounted = fit.rank > 1 || step.matchesWhen !== null;
      if (!isCounted) return null;
      return { rank: fit.rank, miss: { behavior: behavior.index, failed, detail, differing } };
    }
    case 'unknown': {
      const { failed, detail } = fit;
      const miss = { behavior: behavior.index, failed, detail, differing: [] };
      return { rank: misplacedRank - 1, miss };
    }
    case 'fits': {
      const miss = {
        behavior: behavior.index,
        differing: [],
        ...explainPlace(step, behavior, alignment),
      };
      return { rank: misplacedRank, miss };
    }
  }
}

/** Why a Behavior that fits was not given to the step: another step has it, or the order forbids it. */
function explainPlace(
  step: BoundStep,
  behavior: Behavior,
  { positions, index, steps }: StepAlignment,
): Pick<NearestMiss, 'failed' | 'detail'> {
  const owner = steps.find((other) => positions[other.index] === behavior.index);
  if (owner !== undefined) {
    return { failed: 'taken', detail: `it is what step ${owner.index + 1} matched` };
  }
  const [low, high] = windowOf(positions, step.index);
  const [neighbour, side] =
    behavior.index < low ? [index.behaviors[low], 'before'] : [index.behaviors[high], 'after'];
  if (neighbour === undefined) return { failed: 'requires', detail: 'the step is not active' };
  const elapsed = formatElapsed(behavior.at, neighbour.at);
  return { failed: 'order', detail: `came ${elapsed} ${side} ${describeBehavior(neighbour)}` };
}

function explainOtherActor(
  step: BoundStep,
  behaviors: readonly Behavior[],
  options: FitOptions,
): NearestCandidate | null {
  const other = behaviors.find(
    (behavior) =>
      behavior.actor !== step.actor &&
      behavior.acts.includes(step.action) &&
      fitStep(step, behavior, options).kind === 'fits',
  );
  if (other === undefined) return null;
  const detail = `actor was ${other.actor}, expected ${step.actor}`;
  return { behavior: other.index, failed: 'actor', detail, differing: [] };
}
