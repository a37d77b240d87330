import type { Evaluation } from '../model/document.js';
import type { EvaluatorDefinition } from '../model/evaluator.js';
import type { Problem } from '../model/problem.js';
import { parseDuration } from './duration.js';
import { durationSchema, extension, optional, required, selectorSchema } from './fields.js';
import { ruleError } from './problems.js';
import { selectorsOf } from './within-bounds.js';
import { startEvery } from './within-every.js';
import { startSome } from './within-some.js';

/**
 * A match soon enough after an `after` (statement 108, semantics A34): some match after some `after`; with
 * `every`, a match after every `after`. Steps count observed Behaviors, time runs from start to start.
 */
export const within: EvaluatorDefinition = {
  type: 'within',
  level: 'session',
  family: 'chain',
  since: '0.1',
  summary: 'A behavior matches at most so many steps, or so much time, after another.',
  scores: false,
  fields: {
    after: required(selectorSchema, 'Where the distance starts.'),
    match: required(selectorSchema, 'What must follow.'),
    max_steps: optional(
      { type: 'integer', minimum: 1 },
      'The most behaviors from one to the other: 1 is the very next.',
    ),
    max_duration: extension(
      durationSchema,
      'The most time from start to start: `500ms`, `30s`, `2m`.',
    ),
    every: extension({ type: 'boolean' }, 'Every `after` needs a match, not just one of them.'),
  },
  lint: lintBounds,
  run: {
    kind: 'monitor',
    alerts: 'at_release',
    selectors: selectorsOf,
    start: (rule) => (rule.fields.every === true ? startEvery(rule) : startSome(rule)),
  },
  examples: [
    {
      title: 'Exactly at the bound',
      rule: {
        type: 'within',
        after: { action: 'calls', target: 'Orders API' },
        match: { action: 'calls', target: 'Refund API' },
        max_steps: 2,
      },
      steps: [{ actor: 'user', action: 'says' }],
      behaviors: [
        { actor: 'assistant', action: 'calls', target: 'Orders API' },
        { actor: 'tool', action: 'responds', target: 'Orders API' },
        { actor: 'assistant', action: 'calls', target: 'Refund API' },
      ],
      verdict: 'pass',
    },
    {
      title: 'One Behavior is not after itself',
      rule: {
        type: 'within',
        after: { action: 'calls' },
        match: { action: 'calls' },
        max_steps: 3,
      },
      steps: [{ actor: 'user', action: 'says' }],
      behaviors: [{ actor: 'assistant', action: 'calls', target: 'Orders API' }],
      verdict: 'fail',
    },
  ],
};

function lintBounds(evaluation: Evaluation): readonly Problem[] {
  const { max_steps: steps, max_duration: duration } = evaluation.fields;
  if (steps !== undefined || duration !== undefined) {
    if (typeof duration !== 'string' || parseDuration(duration) !== 0n) return [];
  }
  return [
    ruleError(
      evaluation,
      'missing-operand',
      'within needs `max_steps` or `max_duration`, above zero',
      'add `max_steps: 3`, or `max_duration: 30s`',
    ),
  ];
}
