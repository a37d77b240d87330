import type { Behavior } from '../model/behavior.js';
import type { GradeScope, StepFact } from '../model/evaluator.js';
import { canonicalJson } from '../util/json-text.js';
import { contentText, readContent } from './content.js';
import { describeBehavior } from './describe.js';
import type { Doubt } from './evidence.js';

/**
 * Text that a rule refers to. `unknown`: the name means nothing in this session. `unseen`: the step it
 * names shows no content.
 */
export type Referenced =
  | { readonly kind: 'text'; readonly text: string; readonly behavior: number }
  | ({ readonly kind: 'unseen' } & Doubt)
  | { readonly kind: 'unknown' };

/**
 * Resolves `self`, `id`, `id.action`, and the older `actor` and `actor.action`, which name the first step
 * of that actor (statements 116, 117; ids first).
 */
export function resolveReference(name: string, subject: Behavior, scope: GradeScope): Referenced {
  if (name === 'self') return readText(subject);
  const whole = scope.steps.find((fact) => fact.step.id === name);
  if (whole !== undefined) return readStep(name, whole, null, scope);
  const dot = name.lastIndexOf('.');
  const owner = dot < 0 ? name : name.slice(0, dot);
  const action = dot < 0 ? null : name.slice(dot + 1);
  const byId = scope.steps.find((fact) => fact.step.id === owner);
  if (byId !== undefined) return readStep(name, byId, action, scope);
  const byActor = scope.steps.find(
    ({ step }) => step.actor === owner && (action === null || step.action === action),
  );
  return byActor === undefined ? { kind: 'unknown' } : readStep(name, byActor, null, scope);
}

/** With `responds`, a step that calls stands for the response to its call. */
function readStep(
  name: string,
  fact: StepFact,
  action: string | null,
  scope: GradeScope,
): Referenced {
  const { behavior } = fact;
  if (behavior === null) {
    return {
      kind: 'unseen',
      code: fact.code ?? 'step_unmatched',
      reason: `"${name}" was not observed: ${fact.reason}`,
    };
  }
  if (action === null || action === fact.step.action || behavior.acts.includes(action)) {
    return readText(behavior);
  }
  const response =
    action === 'responds' && behavior.callId !== undefined
      ? scope.behaviors.find(
          (other) => other.index > behavior.index && other.callId === behavior.callId,
        )
      : undefined;
  return response === undefined ? { kind: 'unknown' } : readText(response);
}

function readText(behavior: Behavior): Referenced {
  // What a call says is in its arguments.
  if (behavior.content === undefined && behavior.with !== undefined) {
    return { kind: 'text', text: canonicalJson(behavior.with), behavior: behavior.index };
  }
  const seen = readContent(behavior);
  switch (seen.kind) {
    case 'whole':
      return { kind: 'text', text: contentText(seen.value), behavior: behavior.index };
    case 'cut':
      return {
        kind: 'unseen',
        code: 'evidence_truncated',
        reason: `the content of ${describeBehavior(behavior)} was cut`,
      };
    case 'none':
      return {
        kind: 'unseen',
        code: 'evaluator.missing_input',
        reason: `${describeBehavior(behavior)} has no content`,
      };
    case 'missing':
      return { kind: 'unseen', code: seen.code, reason: seen.reason };
  }
}
