import type { BoundEvaluation, BoundSession, BoundStep, Use } from './bound-session.js';

/**
 * The steps whose failures a failed step may explain (semantics A40): those that refer, directly or through
 * captures, to what it or another of them captures; those that require one of them; and the responses
 * to their calls. The failed step itself is among them.
 */
export function dependentSteps(bound: BoundSession, failed: number): ReadonlySet<number> {
  const dependents = new Set([failed]);
  const ids = new Set<string>();
  /** The latest step that a response with this target answers. */
  const calls = new Map<string | null, number>();
  for (const step of bound.steps) {
    const isResponse = isToolResponse(step);
    const call = isResponse ? calls.get(step.target) : undefined;
    const isDependent =
      step.index === failed ||
      (step.requires !== null && ids.has(step.requires)) ||
      (call !== undefined && dependents.has(call)) ||
      (step.index > failed && dependsOn(usesOfStep(step), dependents));
    if (isDependent) {
      dependents.add(step.index);
      if (step.id !== null) ids.add(step.id);
    }
    if (!isResponse) calls.set(step.target, step.index);
  }
  return dependents;
}

/** Whether one of the uses was answered by a capture of one of the steps. */
export function dependsOn(uses: readonly Use[], steps: ReadonlySet<number>): boolean {
  return uses.some(({ source }) => source.kind === 'capture' && steps.has(source.step));
}

function usesOfStep(step: BoundStep): Use[] {
  return [...step.uses, ...step.evaluations.flatMap(usesOfRule)];
}

/** The uses of a rule and of the rules inside it. */
export function usesOfRule(rule: BoundEvaluation): Use[] {
  return [...rule.uses, ...rule.children.flatMap(usesOfRule)];
}

function isToolResponse(step: BoundStep): boolean {
  return step.action === 'responds' && (step.actor === 'tool' || step.actor === 'external');
}
