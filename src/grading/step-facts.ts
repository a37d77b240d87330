import type { BoundStep } from '../documents/abs/bound-session.js';
import { categoryOfStep } from '../documents/abs/vocabulary.js';
import { describeBehavior } from '../evaluators/describe.js';
import type { Behavior } from '../model/behavior.js';
import type { StepFact, UnitEvidence } from '../model/evaluator.js';
import type { VerdictCode } from '../model/verdict.js';
import type { StepAlignment } from './align-steps.js';
import { explainUnmatched, type NearestCandidate, windowOf } from './explain-unmatched.js';
import type { PossibleCandidate } from './find-candidates.js';
import type { FitOptions } from './fit.js';

/** A step after alignment, with the nearest candidate in full. */
export interface AlignedStep extends StepFact {
  readonly step: BoundStep;
  readonly nearest: NearestCandidate | null;
  /** The Behavior of `nearest`. */
  readonly candidate: Behavior | null;
}

/**
 * What became of each step: matched, unmatched, undecided where lost evidence could have held it, inactive
 * where what it requires did not happen (statement 81, semantics A21, A26).
 */
export function stateSteps(
  alignment: StepAlignment,
  evidence: UnitEvidence,
  options: FitOptions,
): readonly AlignedStep[] {
  const taken = new Set<number>();
  for (const step of alignment.steps) {
    const position = alignment.positions[step.index] ?? null;
    if (position !== null && !step.optional) taken.add(position);
  }
  const byId = new Map<string, AlignedStep>();
  return alignment.steps.map((step) => {
    const required = step.requires === null ? null : (byId.get(step.requires) ?? null);
    const fact = stateStep(step, required, { alignment, taken, evidence, options });
    if (step.id !== null) byId.set(step.id, fact);
    return fact;
  });
}

interface Surroundings {
  readonly alignment: StepAlignment;
  /** Positions that a required step matched. */
  readonly taken: ReadonlySet<number>;
  readonly evidence: UnitEvidence;
  readonly options: FitOptions;
}

function stateStep(
  step: BoundStep,
  required: AlignedStep | null,
  around: Surroundings,
): AlignedStep {
  const { alignment, options } = around;
  const position = alignment.positions[step.index] ?? null;
  const behavior = position === null ? undefined : alignment.index.behaviors[position];
  if (behavior !== undefined) {
    const reason = `matched ${describeBehavior(behavior)}`;
    return { step, state: 'matched', behavior, code: null, reason, nearest: null, candidate: null };
  }
  if (required?.state === 'unmatched' || required?.state === 'inactive') {
    const reason = `it requires "${required.step.id}", which did not happen`;
    return {
      step,
      state: 'inactive',
      behavior: null,
      code: null,
      reason,
      nearest: null,
      candidate: null,
    };
  }
  const nearest = explainUnmatched(step, alignment, options);
  const candidate = alignment.index.behaviors[nearest?.behavior ?? -1] ?? null;
  const unmatched = { step, behavior: null, nearest, candidate };
  const doubt =
    required?.state === 'undecided'
      ? { code: required.code ?? ('evidence_missing' as const), reason: required.reason }
      : findDoubt(step, around);
  if (doubt !== null) return { ...unmatched, state: 'undecided', ...doubt };
  const reason =
    nearest === null || candidate === null
      ? 'nothing like it was observed'
      : `${describeBehavior(candidate)} came nearest: ${nearest.detail}`;
  return { ...unmatched, state: 'unmatched', code: 'step_unmatched', reason };
}

/** Lost evidence that could have held the step. */
function findDoubt(
  step: BoundStep,
  { alignment, taken, evidence }: Surroundings,
): { readonly code: VerdictCode; readonly reason: string } | null {
  const possible = findPossible(step, alignment, taken);
  if (possible !== null) {
    const behavior = alignment.index.behaviors[possible.position];
    const name = behavior === undefined ? '' : `${describeBehavior(behavior)} may be it: `;
    return { code: possible.code, reason: `${name}${possible.detail}` };
  }
  if (evidence.hidden !== null) return { code: 'trace_incomplete', reason: evidence.hidden };
  const isMessage = categoryOfStep(step) === 'communication';
  const isSpoken = step.actor === 'assistant' || step.actor === 'user';
  if (!evidence.messagesHidden || !isMessage || !isSpoken) return null;
  const reason = 'content was not captured, so no message shows';
  return { code: 'evidence_missing', reason };
}

/** A Behavior that may be the step, between its neighbours, and not taken by another required step. */
function findPossible(
  step: BoundStep,
  alignment: StepAlignment,
  taken: ReadonlySet<number>,
): PossibleCandidate | null {
  const [low, high] = windowOf(alignment.positions, step.index);
  const possible = alignment.candidates[step.index]?.possible ?? [];
  return (
    possible.find(
      ({ position }) =>
        position >= low && position <= high && (step.optional || !taken.has(position)),
    ) ?? null
  );
}
