import type { Behavior } from '../model/behavior.js';
import type { Evaluation } from '../model/document.js';
import type { EvaluatorDefinition, Monitor } from '../model/evaluator.js';
import { countOf, describeBehavior, describeSelector } from './describe.js';
import { findDoubt, unclassifiedDoubt } from './evidence.js';
import { required, selectorSchema } from './fields.js';
import { findNearest } from './nearest.js';
import { failed, inconclusive, passed } from './outcome.js';
import { readSelector } from './selector.js';

const maxWitnesses = 20;

/** No Behavior matches (statement 106). A match decides at once and for good; its absence only at the end. */
export const never: EvaluatorDefinition = {
  type: 'never',
  level: 'session',
  family: 'chain',
  since: '0.1',
  summary: 'No behavior matches the selector.',
  scores: false,
  fields: { match: required(selectorSchema, 'What must not happen.') },
  run: {
    kind: 'monitor',
    alerts: 'at_once',
    selectors: (rule) => [readSelector(rule.fields.match)],
    start: startNever,
  },
  examples: [
    {
      title: 'Nothing was handed off',
      rule: { type: 'never', match: { action: 'hands_off' } },
      steps: [{ actor: 'user', action: 'says' }],
      behaviors: [{ actor: 'assistant', action: 'calls', target: 'Orders API' }],
      verdict: 'pass',
    },
    {
      title: 'A message of unknown act may have been the question',
      rule: { type: 'never', match: { actor: 'assistant', action: 'asks' } },
      steps: [{ actor: 'user', action: 'says' }],
      behaviors: [{ actor: 'assistant', content: 'Which order?' }],
      verdict: 'inconclusive',
    },
    {
      title: 'A forbidden call',
      rule: { type: 'never', match: { action: 'calls', target: 'Delete API' } },
      steps: [{ actor: 'user', action: 'says' }],
      behaviors: [{ actor: 'assistant', action: 'calls', target: 'Delete API' }],
      verdict: 'fail',
    },
  ],
};

/** States: clean → doubtful (a message of unknown act) → violated, which is final. */
function startNever(rule: Evaluation): Monitor {
  const selector = readSelector(rule.fields.match);
  const violations: Behavior[] = [];
  let violationCount = 0;
  let possible: Behavior | null = null;
  let possibleCount = 0;
  return {
    observe: ({ behavior, matches }) => {
      if (matches[0] === 'unknown') {
        possible ??= behavior;
        possibleCount++;
      }
      if (matches[0] !== 'yes') return null;
      violationCount++;
      if (violations.length < maxWitnesses) violations.push(behavior);
      return violationCount > 1
        ? null
        : { reason: `observed ${describeBehavior(behavior)}`, witness: [behavior.index] };
    },
    conclude: (facts) => {
      const [first] = violations;
      if (first !== undefined) {
        const times = violationCount > 1 ? `, ${countOf(violationCount, 'time')} in all` : '';
        return failed(
          `observed ${describeBehavior(first)}${times}`,
          violations.map((behavior) => behavior.index),
        );
      }
      const reason = `${describeSelector(selector)} was not observed`;
      const doubt =
        possible === null
          ? findDoubt(selector, facts)
          : unclassifiedDoubt(possible, selector, possibleCount);
      if (doubt === null) return passed(reason);
      return inconclusive(
        doubt.code,
        `${reason}, but ${doubt.reason}`,
        possible === null ? [] : [possible.index],
        findNearest(selector, facts.behaviors),
      );
    },
  };
}
