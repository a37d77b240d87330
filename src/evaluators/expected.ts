import type { Behavior } from '../model/behavior.js';
import type { Evaluation } from '../model/document.js';
import type { EvaluatorDefinition, Monitor, StepFact } from '../model/evaluator.js';
import { describeBehavior, describeSelector, formatElapsed } from './describe.js';
import { findDoubt, unclassifiedDoubt } from './evidence.js';
import { optional, required, selectorSchema } from './fields.js';
import { failed, inconclusive, passed } from './outcome.js';
import { readSelector } from './selector.js';

/** A declared step was matched, if asked for after something else (statements 89 to 92, semantics A43). */
export const expected: EvaluatorDefinition = {
  type: 'expected',
  level: 'session',
  family: 'chain',
  since: '0.2',
  summary:
    'The behavior with this id was matched, if given after a behavior that another selector names.',
  scores: false,
  fields: {
    behavior: required({ type: 'string' }, 'The id of a declared behavior.'),
    after: optional(selectorSchema, 'What must precede it.'),
    reason: optional({ type: 'string' }, 'The message of a failure.'),
  },
  run: {
    kind: 'monitor',
    alerts: 'at_release',
    selectors: (rule) => ('after' in rule.fields ? [readSelector(rule.fields.after)] : []),
    start: startExpected,
  },
  examples: [
    {
      title: 'Asked for the order, after the user spoke',
      rule: { type: 'expected', behavior: 'ask_order', after: { actor: 'user', action: 'says' } },
      steps: [
        { actor: 'user', action: 'says' },
        {
          id: 'ask_order',
          actor: 'assistant',
          action: 'asks',
          optional: true,
          matches_when: { type: 'contains', value: 'order' },
        },
      ],
      behaviors: [
        { actor: 'user', content: 'A refund, please.' },
        { actor: 'assistant', content: 'Which order is it?' },
      ],
      verdict: 'pass',
    },
    {
      title: 'Never asked',
      rule: { type: 'expected', behavior: 'ask_order' },
      steps: [
        {
          id: 'ask_order',
          actor: 'assistant',
          action: 'asks',
          optional: true,
          matches_when: { type: 'contains', value: 'order' },
        },
      ],
      behaviors: [{ actor: 'assistant', content: 'Done.' }],
      verdict: 'fail',
    },
  ],
};

/** State: the first Behavior that is an `after`, and the first that may be one. The rest is alignment. */
function startExpected(rule: Evaluation): Monitor {
  const id = String(rule.fields.behavior);
  const after = 'after' in rule.fields ? readSelector(rule.fields.after) : null;
  const message = typeof rule.fields.reason === 'string' ? rule.fields.reason : null;
  let first: Behavior | null = null;
  let possible: Behavior | null = null;
  const explain = (detail: string) => (message === null ? detail : `${message} (${detail})`);

  return {
    observe: ({ behavior, matches }) => {
      if (matches[0] === 'yes') first ??= behavior;
      if (matches[0] === 'unknown') possible ??= behavior;
      return null;
    },
    conclude: (facts) => {
      const fact = facts.steps.find((candidate) => candidate.step.id === id);
      if (fact === undefined || fact.behavior === null) return withoutMatch(fact);
      const matched = fact.behavior;
      if (after === null) {
        return passed(`"${id}" matched ${describeBehavior(matched)}`, [matched.index]);
      }
      if (first !== null && first.index < matched.index) {
        return passed(
          `"${id}" matched ${describeBehavior(matched)} after ${describeBehavior(first)}`,
          [matched.index, first.index],
        );
      }
      const reason = explain(
        `"${id}" matched ${describeBehavior(matched)}, but no ${describeSelector(after)} before it`,
      );
      const doubt =
        possible !== null && possible.index < matched.index
          ? unclassifiedDoubt(possible, after, 1)
          : findDoubt(after, facts);
      if (doubt !== null) {
        return inconclusive(doubt.code, `${reason}, but ${doubt.reason}`, [matched.index]);
      }
      const nearest =
        first === null
          ? null
          : {
              behavior: first.index,
              failed: 'order',
              detail: `${describeBehavior(first)} came ${formatElapsed(matched.at, first.at)} after it`,
            };
      return failed(reason, [matched.index], nearest);
    },
  };

  function withoutMatch(fact: StepFact | undefined) {
    const nearest = fact?.nearest ?? null;
    if (fact?.state === 'undecided') {
      return inconclusive(
        fact.code ?? 'evidence_missing',
        explain(`"${id}": ${fact.reason}`),
        [],
        nearest,
      );
    }
    const detail = fact === undefined ? 'no such step' : fact.reason;
    return {
      ...failed(explain(`"${id}" was not matched: ${detail}`), [], nearest),
      code: 'step_unmatched' as const,
    };
  }
}
