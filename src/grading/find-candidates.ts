import type { BoundStep } from '../documents/abs/bound-session.js';
import { hasHoles } from '../documents/abs/holes.js';
import type { VerdictCode } from '../model/verdict.js';
import type { JsonValue } from '../util/json.js';
import { canonicalJson } from '../util/json-text.js';
import type { Candidates } from './alignment.js';
import type { BehaviorIndex } from './behavior-index.js';
import { type FitOptions, fitStep } from './fit.js';

/** What a step finds among the Behaviors: those that fit, and those that may, for all that was recorded. */
export interface StepCandidates {
  readonly sure: Candidates;
  readonly possible: readonly PossibleCandidate[];
}

export interface PossibleCandidate {
  readonly position: number;
  readonly failed: string;
  readonly detail: string;
  readonly code: VerdictCode;
}

/** The candidates of each step. Steps that declare the same share one list. */
export function findCandidates(
  steps: readonly BoundStep[],
  index: BehaviorIndex,
  options: FitOptions,
): readonly StepCandidates[] {
  const known = new Map<string, StepCandidates>();
  return steps.map((step) => {
    const key = signatureOf(step);
    const same = known.get(key);
    if (same !== undefined) return same;
    const found = findForStep(step, index, options);
    known.set(key, found);
    return found;
  });
}

function findForStep(step: BoundStep, index: BehaviorIndex, options: FitOptions): StepCandidates {
  const positions: number[] = [];
  const weights: number[] = [];
  const possible: PossibleCandidate[] = [];
  for (const behavior of index.ofStep(step)) {
    const fit = fitStep(step, behavior, options);
    if (fit.kind === 'fits') {
      positions.push(behavior.index);
      weights.push(fit.weight);
    } else if (fit.kind === 'unknown') {
      const { failed, detail, code } = fit;
      possible.push({ position: behavior.index, failed, detail, code });
    }
  }
  return { sure: { positions, weights }, possible };
}

const signatures = new WeakMap<BoundStep, string>();

/** Everything that `fitStep` reads of a step, as one text; the same step is asked for in many units. */
function signatureOf(step: BoundStep): string {
  const known = signatures.get(step) ?? writeSignature(step);
  signatures.set(step, known);
  return known;
}

function writeSignature(step: BoundStep): string {
  if (hasHoles(step.uses) || step.uses.some((use) => use.place === 'content'))
    return `${step.index}`;
  const condition: JsonValue = step.matchesWhen === null ? null : { ...step.matchesWhen };
  const content = step.content === undefined ? [] : [step.content];
  return canonicalJson([
    [step.id, step.actor, step.action, step.target],
    content,
    step.with,
    step.withOnly,
    condition,
  ]);
}
