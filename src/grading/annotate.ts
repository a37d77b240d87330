import type { Behavior } from '../model/behavior.js';
import type { AlignedStep } from './step-facts.js';

/**
 * The Behaviors with what their steps say of them (design.md §5): the step's id, and its act beside those
 * already known. An act that was stated stands alone (semantics A4).
 */
export function annotateBehaviors(
  behaviors: readonly Behavior[],
  steps: readonly AlignedStep[],
): readonly Behavior[] {
  const annotated = [...behaviors];
  for (const { step, behavior } of steps) {
    const current = behavior === null ? undefined : annotated[behavior.index];
    if (current === undefined) continue;
    const withIds =
      step.id === null ? current : { ...current, stepIds: [...(current.stepIds ?? []), step.id] };
    annotated[current.index] =
      current.evidence.act === 'stated' ? withIds : addAct(withIds, step.action);
  }
  return annotated;
}

function addAct(behavior: Behavior, act: string): Behavior {
  const { acts, evidence } = behavior;
  return {
    ...behavior,
    acts: acts.includes(act) ? acts : [...acts, act],
    evidence: evidence.act === 'base' ? { ...evidence, act: 'aligned' } : evidence,
  };
}
