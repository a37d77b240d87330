import type { Behavior } from '../model/behavior.js';
import type { Evaluation } from '../model/document.js';
import type { EvaluatorDefinition, Monitor } from '../model/evaluator.js';
import { describeBehavior, describeSelector } from './describe.js';
import { findDoubt, unclassifiedDoubt } from './evidence.js';
import { required, selectorSchema } from './fields.js';
import { findNearest } from './nearest.js';
import { failed, inconclusive, passed } from './outcome.js';
import { readSelector } from './selector.js';

/** At least one Behavior matches (statement 105). */
export const eventually: EvaluatorDefinition = {
  type: 'eventually',
  level: 'session',
  family: 'chain',
  since: '0.1',
  summary: 'At least one behavior matches the selector.',
  scores: false,
  fields: { match: required(selectorSchema, 'What must happen.') },
  run: {
    kind: 'monitor',
    alerts: 'at_release',
    selectors: (rule) => [readSelector(rule.fields.match)],
    start: startEventually,
  },
  examples: [
    {
      title: 'The order was looked up',
      rule: { type: 'eventually', match: { action: 'calls', target: 'Orders API' } },
      steps: [{ actor: 'user', action: 'says' }],
      behaviors: [{ actor: 'assistant', action: 'calls', target: 'Orders API' }],
      verdict: 'pass',
    },
    {
      title: 'A message of unknown act may have been the question',
      rule: { type: 'eventually', match: { actor: 'assistant', action: 'asks' } },
      steps: [{ actor: 'user', action: 'says' }],
      behaviors: [{ actor: 'assistant', content: 'Which order?' }],
      verdict: 'inconclusive',
    },
  ],
};

/** States: nothing seen → possibly seen (a message of unknown act) → seen, which is final. */
function startEventually(rule: Evaluation): Monitor {
  const selector = readSelector(rule.fields.match);
  let seen: Behavior | null = null;
  let possible: Behavior | null = null;
  let possibleCount = 0;
  return {
    observe: ({ behavior, matches }) => {
      if (matches[0] === 'yes') seen ??= behavior;
      else if (matches[0] === 'unknown') {
        possible ??= behavior;
        possibleCount++;
      }
      return null;
    },
    conclude: (facts) => {
      if (seen !== null) return passed(`observed ${describeBehavior(seen)}`, [seen.index]);
      const doubt =
        possible === null
          ? findDoubt(selector, facts)
          : unclassifiedDoubt(possible, selector, possibleCount);
      const nearest = findNearest(selector, facts.behaviors);
      const reason = `${describeSelector(selector)} was not observed`;
      return doubt === null
        ? failed(reason, [], nearest)
        : inconclusive(
            doubt.code,
            `${reason}, but ${doubt.reason}`,
            possible === null ? [] : [possible.index],
            nearest,
          );
    },
  };
}
