import type { BoundStep } from '../documents/abs/bound-session.js';
import type { Behavior } from '../model/behavior.js';
import type { Evaluation } from '../model/document.js';
import { type AlignStep, type Assignment, align } from './alignment.js';
import { BehaviorIndex } from './behavior-index.js';
import { findCandidates, type StepCandidates } from './find-candidates.js';
import type { FitOptions } from './fit.js';
import { createPreference } from './prefer-position.js';

/** Which Behavior each step matched, and what it had to choose from. */
export interface StepAlignment {
  readonly steps: readonly BoundStep[];
  readonly index: BehaviorIndex;
  readonly positions: Assignment;
  readonly candidates: readonly StepCandidates[];
}

/** Aligns declared steps with observed Behaviors (semantics part 3). Evaluations play no part. */
export function alignSteps(
  steps: readonly BoundStep[],
  behaviors: readonly Behavior[],
  options: FitOptions,
): StepAlignment {
  const index = new BehaviorIndex(behaviors);
  const candidates = findCandidates(steps, index, options);
  const groups = findGroups(steps);
  const declared: AlignStep[] = steps.map((step, at) => ({
    isRequired: !step.optional,
    requires: step.requires === null ? null : indexOfId(steps, step.requires),
    group: groups[at] ?? null,
    candidates: candidates[at]?.sure ?? { positions: [], weights: [] },
  }));
  const positions = align(declared, createPreference(steps, candidates, behaviors));
  return { steps, index, positions, candidates };
}

/**
 * Groups of calls that may come in any order: the run of consecutive declared calls that ends at a step
 * with `tool_call` and `ordered: false` (statement 72, semantics A33).
 */
function findGroups(steps: readonly BoundStep[]): readonly (number | null)[] {
  const groups: (number | null)[] = steps.map(() => null);
  steps.forEach((step, end) => {
    if (step.action !== 'calls' || !step.evaluations.some(isUnordered)) return;
    let start = end;
    while (steps[start - 1]?.action === 'calls' && groups[start - 1] === null) start--;
    for (let at = start; at <= end; at++) groups[at] = end;
  });
  return groups;
}

function isUnordered(rule: Evaluation): boolean {
  if (rule.type === 'tool_call') return rule.fields.ordered === false;
  return rule.children.some(isUnordered);
}

function indexOfId(steps: readonly BoundStep[], id: string): number | null {
  const at = steps.findIndex((step) => step.id === id);
  return at < 0 ? null : at;
}
