import type { BoundEvaluation, BoundSession } from '../documents/abs/bound-session.js';
import { dependentSteps, dependsOn, usesOfRule } from '../documents/abs/dependents.js';
import { findEvaluator } from '../evaluators/index.js';
import type { Outcome } from '../model/evaluator.js';
import { combineParts, type GradedRule } from './evaluate-rules.js';

/**
 * Turns failures that a blocking failure explains into `inconclusive` (statement 125, semantics A40): of
 * the same step, and of steps that depend on it by a captured variable, by `requires` or as the
 * response to its call; among session rules `expected` on such a step and `variable_consistency` on such a
 * variable. What passed stays passed, and of two failures that block each other the first stays.
 */
export function blockDependents(
  bound: BoundSession,
  graded: readonly GradedRule[],
): readonly GradedRule[] {
  let result = graded;
  graded.forEach((blocker, at) => {
    if (!blocker.rule.blocking || blocker.outcome.verdict !== 'fail') return;
    const steps = stepsBehind(bound, blocker);
    if (steps.size === 0) return;
    result = result.map((entry, other) => {
      const isEarlierBlocker = other <= at && entry.rule.blocking;
      return isEarlierBlocker ? entry : block(entry, blocker, steps, bound);
    });
  });
  return result;
}

/** The steps whose failures a failed blocking rule may explain. */
function stepsBehind(bound: BoundSession, { rule, step }: GradedRule): ReadonlySet<number> {
  if (step !== null) return dependentSteps(bound, step.step.index);
  const { behavior, variable } = rule.fields;
  if (rule.type === 'expected') {
    const named = bound.steps.find((candidate) => candidate.id === behavior);
    return named === undefined ? new Set() : dependentSteps(bound, named.index);
  }
  if (rule.type !== 'variable_consistency') return new Set();
  const sources = bound.steps.filter((candidate) =>
    candidate.capture.some(({ name }) => name === variable),
  );
  const dependents = new Set(sources.flatMap(({ index }) => [...dependentSteps(bound, index)]));
  // What captures the variable does not depend on it.
  for (const { index } of sources) dependents.delete(index);
  return dependents;
}

function block(
  entry: GradedRule,
  blocker: GradedRule,
  steps: ReadonlySet<number>,
  bound: BoundSession,
): GradedRule {
  if (entry.step !== null && !steps.has(entry.step.step.index)) return entry;
  const isExplained = entry.step !== null || dependsOnSteps(entry.rule, steps, bound);
  const parts = entry.parts.map((part) => block(part, blocker, steps, bound));
  if (isExplained) {
    return entry.outcome.verdict === 'fail'
      ? { ...entry, parts, outcome: blocked(entry.outcome, blocker) }
      : { ...entry, parts };
  }
  const run = findEvaluator(entry.rule.type)?.run;
  const isChanged = parts.some((part, at) => part.outcome !== entry.parts[at]?.outcome);
  return isChanged && run?.kind === 'composition'
    ? { ...entry, parts, outcome: combineParts(run.combine, entry.rule, parts) }
    : entry;
}

/** Whether a session rule is about one of the steps, by its id or by a variable that it captures. */
function dependsOnSteps(
  rule: BoundEvaluation,
  steps: ReadonlySet<number>,
  bound: BoundSession,
): boolean {
  const { behavior, variable } = rule.fields;
  const isAbout = ({ id, capture }: BoundSession['steps'][number]): boolean =>
    rule.type === 'expected'
      ? id === behavior
      : rule.type === 'variable_consistency' && capture.some(({ name }) => name === variable);
  return (
    bound.steps.some((step) => steps.has(step.index) && isAbout(step)) ||
    (rule.type === 'variable_consistency' && dependsOn(usesOfRule(rule), steps))
  );
}

function blocked(outcome: Outcome, { rule }: GradedRule): Outcome {
  const name = rule.title ?? rule.type;
  return {
    ...outcome,
    verdict: 'inconclusive',
    score: null,
    code: 'blocked_by',
    reason: `blocked by the failure of "${name}" (line ${rule.position.line}): ${outcome.reason}`,
  };
}
