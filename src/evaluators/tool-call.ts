import type { Behavior } from '../model/behavior.js';
import type { Evaluation } from '../model/document.js';
import type { EvaluatorDefinition, GradeScope, Outcome, StepFact } from '../model/evaluator.js';
import type { Problem } from '../model/problem.js';
import { isJsonObject } from '../util/json-text.js';
import { type ArgumentMatch, type DeclaredArguments, matchArguments } from './arguments.js';
import { describeBehavior } from './describe.js';
import { findDoubt } from './evidence.js';
import { optional } from './fields.js';
import { listCalledTools } from './nearest.js';
import { failed, inconclusive, passed } from './outcome.js';
import { ruleError } from './problems.js';
import { hasTarget } from './selector.js';

/**
 * The declared calls were made (statements 99, 100, semantics A33). On a step: the group of consecutive
 * declared calls that ends there. At session level: some call of the unit.
 */
export const toolCall: EvaluatorDefinition = {
  type: 'tool_call',
  level: 'step',
  family: 'step',
  since: '0.1',
  summary:
    'The tool was called with these arguments; on the last of several declared calls, all of them were made.',
  scores: false,
  fields: {
    target: optional({ type: 'string' }, 'The tool: that of the step by default.'),
    with: optional(
      { type: 'object' },
      'Arguments that must be there: those of the step by default.',
    ),
    with_only: optional({ type: 'object' }, 'All arguments, no others allowed.'),
    ordered: optional(
      { type: 'boolean' },
      'Whether the calls of the group must stand in the declared order: true by default.',
    ),
  },
  lint: lintArguments,
  run: { kind: 'calls', evaluate: evaluateToolCall },
  examples: [
    {
      title: 'Target and arguments come from the step',
      rule: { type: 'tool_call' },
      steps: [
        { actor: 'assistant', action: 'calls', target: 'Orders API', with: { orderId: '12345' } },
      ],
      behaviors: [
        {
          actor: 'assistant',
          action: 'calls',
          target: 'Orders API',
          with: { orderId: '12345', verbose: true },
        },
      ],
      verdict: 'pass',
    },
    {
      title: 'A text is not a number',
      rule: { type: 'tool_call', target: 'Orders API', with: { orderId: '12345' } },
      steps: [{ actor: 'assistant', action: 'calls', target: 'Orders API' }],
      behaviors: [
        { actor: 'assistant', action: 'calls', target: 'Orders API', with: { orderId: 12345 } },
      ],
      verdict: 'fail',
    },
    {
      title: 'Two calls in any order',
      rule: { type: 'tool_call', ordered: false },
      steps: [
        { actor: 'assistant', action: 'calls', target: 'Orders API' },
        { actor: 'assistant', action: 'calls', target: 'Stock API' },
      ],
      behaviors: [
        { actor: 'assistant', action: 'calls', target: 'Stock API' },
        { actor: 'assistant', action: 'calls', target: 'Orders API' },
      ],
      verdict: 'pass',
    },
  ],
};

function evaluateToolCall(rule: Evaluation, scope: GradeScope): Outcome {
  const { step } = scope;
  if (step === null) return findCall(rule, scope.behaviors, scope);
  const group = groupEndingAt(step, scope.steps);
  for (const member of group) {
    if (member.behavior !== null || member.step.optional || member.state === 'inactive') continue;
    const name = describeDeclared(member);
    if (member.state === 'undecided') {
      return inconclusive(
        member.code ?? 'evidence_missing',
        `${name} of the same group: ${member.reason}`,
        [],
        member.nearest,
      );
    }
    return {
      ...failed(`${name} of the same group was not made: ${member.reason}`, [], member.nearest),
      code: 'step_unmatched',
    };
  }
  const subject = step.behavior;
  if (subject === null || matchCall(rule, scope, subject).certainty !== 'yes') {
    return findCall(rule, subject === null ? [] : callsOfTurn(subject, scope.behaviors), scope);
  }
  const witness = group.flatMap((member) => (member.behavior === null ? [] : [member.behavior]));
  return passed(
    `observed ${witness.map(describeBehavior).join(', ')}`,
    witness.map((behavior) => behavior.index),
  );
}

/** Consecutive declared calls up to and with this step. */
function groupEndingAt(last: StepFact, steps: readonly StepFact[]): readonly StepFact[] {
  const end = last.step.index;
  let start = end;
  while (last.step.action === 'calls' && steps[start - 1]?.step.action === 'calls') start--;
  return steps.slice(start, end + 1);
}

/** Some call among these is the one the rule describes; the nearest miss where none is. */
function findCall(rule: Evaluation, candidates: readonly Behavior[], scope: GradeScope): Outcome {
  const target = targetOf(rule, scope);
  let unknown: { readonly call: Behavior; readonly match: ArgumentMatch } | null = null;
  let near: { readonly call: Behavior; readonly match: ArgumentMatch } | null = null;
  for (const call of candidates) {
    if (!call.acts.includes('calls') && call !== scope.step?.behavior) continue;
    if (target !== null && !hasTarget(call, target)) continue;
    const match = matchCall(rule, scope, call);
    if (match.certainty === 'yes')
      return passed(`observed ${describeBehavior(call)}`, [call.index]);
    if (match.certainty === 'unknown') unknown ??= { call, match };
    else if (near === null || match.differing.length < near.match.differing.length) {
      near = { call, match };
    }
  }
  const name = target === null ? 'such a call' : `a call of "${target}" like this`;
  if (unknown !== null) {
    const { call, match } = unknown;
    return inconclusive(
      match.code ?? 'evidence_missing',
      `whether ${describeBehavior(call)} is ${name} is not known: ${match.detail}`,
      [call.index],
    );
  }
  const reason = near
    ? `${name} was not observed: ${describeBehavior(near.call)} came nearest, ${near.match.detail}`
    : `${name} was not observed; ${listCalledTools(scope.behaviors)}`;
  const nearest = near && { behavior: near.call.index, failed: 'with', detail: near.match.detail };
  const doubt = findDoubt({ action: 'calls', ...(target !== null && { target }) }, scope);
  return doubt === null
    ? failed(reason, near === null ? [] : [near.call.index], nearest)
    : inconclusive(doubt.code, `${reason}, but ${doubt.reason}`, [], nearest);
}

function matchCall(rule: Evaluation, scope: GradeScope, call: Behavior): ArgumentMatch {
  const target = targetOf(rule, scope);
  if (target !== null && !hasTarget(call, target)) {
    const detail = `target was ${JSON.stringify(call.target ?? null)}`;
    return { certainty: 'no', differing: ['target'], detail, code: null };
  }
  return matchArguments(declaredOf(rule, scope), call);
}

function targetOf(rule: Evaluation, scope: GradeScope): string | null {
  const own = rule.fields.target;
  return typeof own === 'string' ? own : (scope.step?.step.target ?? null);
}

/** The rule's own arguments, else those of its step (semantics A33). */
function declaredOf(rule: Evaluation, scope: GradeScope): DeclaredArguments {
  const { with: partial, with_only: all } = rule.fields;
  if (isJsonObject(all)) return { values: all, only: true };
  if (isJsonObject(partial)) return { values: partial, only: false };
  const step = scope.step?.step;
  if (step?.withOnly) return { values: step.withOnly, only: true };
  return { values: step?.with ?? {}, only: false };
}

/** The calls between the user messages around a Behavior. */
function callsOfTurn(subject: Behavior, behaviors: readonly Behavior[]): readonly Behavior[] {
  let start = subject.index;
  let end = subject.index + 1;
  while (start > 0 && behaviors[start - 1]?.actor !== 'user') start--;
  while (end < behaviors.length && behaviors[end]?.actor !== 'user') end++;
  return behaviors.slice(start, end);
}

function describeDeclared(fact: StepFact): string {
  return `the call of "${fact.step.target ?? 'any tool'}"`;
}

function lintArguments(evaluation: Evaluation): readonly Problem[] {
  if (!('with' in evaluation.fields) || !('with_only' in evaluation.fields)) return [];
  return [
    ruleError(
      evaluation,
      'conflicting-keys',
      'tool_call has both `with` and `with_only`',
      'keep `with` to allow other arguments, `with_only` to forbid them',
    ),
  ];
}
