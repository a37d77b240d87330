import type { BoundStep } from '../documents/abs/bound-session.js';
import { categoryOfStep } from '../documents/abs/vocabulary.js';
import type { Behavior } from '../model/behavior.js';
import type { Prefer } from './alignment.js';
import type { StepCandidates } from './find-candidates.js';

/**
 * Chooses among equally good positions of a step (semantics part 3, A22): the response to the very call
 * that was aligned; for a message that is declared last in its turn the last message of the turn; else
 * the earliest.
 */
export function createPreference(
  steps: readonly BoundStep[],
  candidates: readonly StepCandidates[],
  behaviors: readonly Behavior[],
): Prefer {
  const callOf = pairCalls(steps);
  const trailing = steps.map((step) => findTrailing(steps, step));
  const turnEnds = findTurnEnds(behaviors);
  return (index, positions, chosen) => {
    const first = positions[0] ?? 0;
    const call = behaviors[chosen[callOf[index] ?? -1] ?? -1];
    const response = call && positions.find((at) => answers(behaviors[at], call));
    if (response !== undefined) return response;
    const optional = trailing[index];
    if (optional === null || optional === undefined) return first;
    const turn = positions.filter((at) => at < (turnEnds[first] ?? behaviors.length));
    const wanted = new Set(optional.flatMap((step) => candidates[step]?.sure.positions ?? []));
    return turn.findLast((at) => !wanted.has(at)) ?? turn.at(-1) ?? first;
  };
}

/** For each declared response of a tool the declared call it answers: the first one still open. */
function pairCalls(steps: readonly BoundStep[]): readonly (number | null)[] {
  const open: BoundStep[] = [];
  return steps.map((step) => {
    if (step.actor !== 'tool' && step.actor !== 'external') {
      if (categoryOfStep(step) === 'execution') open.push(step);
      return null;
    }
    const at = open.findIndex((call) => call.target === step.target);
    return at < 0 ? null : (open.splice(at, 1)[0]?.index ?? null);
  });
}

function answers(behavior: Behavior | undefined, call: Behavior): boolean {
  if (behavior === undefined) return false;
  if (call.callId !== undefined) return behavior.callId === call.callId;
  const [span] = call.evidence.spans;
  return behavior.evidence.spans[0]?.spanId === span?.spanId;
}

/**
 * The optional steps between a message that ends its turn and the next declared user turn, or the end;
 * null when the step is no message, or another required step follows in its turn.
 */
function findTrailing(steps: readonly BoundStep[], step: BoundStep): readonly number[] | null {
  if (categoryOfStep(step) !== 'communication' || step.actor === 'tool') return null;
  const trailing: number[] = [];
  for (const later of steps.slice(step.index + 1)) {
    if (later.actor === 'user') break;
    if (!later.optional && later.requires === null) return null;
    trailing.push(later.index);
  }
  return trailing;
}

/** For each position the next message of a user after it: where its turn is over. */
function findTurnEnds(behaviors: readonly Behavior[]): Int32Array {
  const ends = new Int32Array(behaviors.length);
  let end = behaviors.length;
  for (let at = behaviors.length - 1; at >= 0; at--) {
    ends[at] = end;
    if (behaviors[at]?.actor === 'user') end = at;
  }
  return ends;
}
