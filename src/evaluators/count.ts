import type { Behavior } from '../model/behavior.js';
import type { Evaluation } from '../model/document.js';
import type { EvaluatorDefinition, Monitor } from '../model/evaluator.js';
import type { Problem } from '../model/problem.js';
import type { JsonValue } from '../util/json.js';
import { countOf, describeSelector } from './describe.js';
import { type Doubt, findDoubt, unclassifiedDoubt } from './evidence.js';
import { optional, required, selectorSchema } from './fields.js';
import { findNearest } from './nearest.js';
import { failed, inconclusive, passed } from './outcome.js';
import { ruleError, ruleWarning } from './problems.js';
import { readSelector } from './selector.js';

const maxWitnesses = 20;

/** How many Behaviors match, both bounds inclusive (statement 107, semantics A35). */
export const count: EvaluatorDefinition = {
  type: 'count',
  level: 'session',
  family: 'chain',
  since: '0.1',
  summary: 'The number of behaviors that match the selector lies within the bounds.',
  scores: false,
  fields: {
    match: required(selectorSchema, 'What is counted.'),
    min: optional({ type: 'integer', minimum: 0 }, 'The fewest allowed.'),
    max: optional({ type: 'integer', minimum: 0 }, 'The most allowed.'),
  },
  lint: lintCount,
  run: {
    kind: 'monitor',
    alerts: 'when_parents_closed',
    selectors: (rule) => [readSelector(rule.fields.match)],
    start: startCount,
  },
  examples: [
    {
      title: 'At most one refund',
      rule: { type: 'count', match: { action: 'calls', target: 'Refund API' }, max: 1 },
      steps: [{ actor: 'user', action: 'says' }],
      behaviors: [
        { actor: 'assistant', action: 'calls', target: 'Refund API' },
        { actor: 'assistant', action: 'calls', target: 'Refund API' },
      ],
      verdict: 'fail',
    },
    {
      title: 'Both bounds are inclusive',
      rule: { type: 'count', match: { action: 'calls' }, min: 1, max: 1 },
      steps: [{ actor: 'user', action: 'says' }],
      behaviors: [{ actor: 'assistant', action: 'calls', target: 'Refund API' }],
      verdict: 'pass',
    },
  ],
};

/**
 * State: how many certainly match and how many may. With c and u of them, the bounds hold for sure when
 * min <= c and c + u <= max, they fail for sure when c > max or c + u < min and nothing is hidden.
 */
function startCount(rule: Evaluation): Monitor {
  const selector = readSelector(rule.fields.match);
  const min = asCount(rule.fields.min) ?? 0;
  const max = asCount(rule.fields.max) ?? Number.POSITIVE_INFINITY;
  const witnesses: Behavior[] = [];
  let certain = 0;
  let possible = 0;
  let firstPossible: Behavior | null = null;
  const tooMany = () =>
    `${describeSelector(selector)} was observed ${countOf(certain, 'time')}, at most ${max} allowed`;
  return {
    observe: ({ behavior, matches }) => {
      if (matches[0] === 'unknown') {
        firstPossible ??= behavior;
        possible++;
      }
      if (matches[0] !== 'yes') return null;
      certain++;
      witnesses.push(behavior);
      // The last ones decide a maximum, the first ones a minimum: both kinds of witness are recent enough.
      if (witnesses.length > maxWitnesses) witnesses.shift();
      return certain === max + 1
        ? { reason: tooMany(), witness: witnesses.map((witness) => witness.index) }
        : null;
    },
    conclude: (facts) => {
      const witness = witnesses.map((behavior) => behavior.index).reverse();
      if (certain > max) return failed(tooMany(), witness);
      const reason = `${describeSelector(selector)} was observed ${countOf(certain, 'time')}`;
      const bounds = describeBounds(min, max);
      const doubt = doubtOf(facts);
      if (doubt !== null) {
        return inconclusive(
          doubt.code,
          `${reason}, ${bounds} allowed, but ${doubt.reason}`,
          firstPossible === null ? witness : [firstPossible.index, ...witness],
        );
      }
      return certain < min
        ? failed(`${reason}, ${bounds} required`, witness, findNearest(selector, facts.behaviors))
        : passed(`${reason}, ${bounds} allowed`, witness);
    },
  };

  /** What could still change the verdict: messages of unknown act, or what is hidden. */
  function doubtOf(facts: Parameters<Monitor['conclude']>[0]): Doubt | null {
    const holds = certain >= min;
    const changes = holds ? certain + possible > max : certain + possible >= min;
    if (firstPossible !== null && changes) {
      return unclassifiedDoubt(firstPossible, selector, possible);
    }
    return holds && max === Number.POSITIVE_INFINITY ? null : findDoubt(selector, facts);
  }
}

function asCount(value: JsonValue | undefined): number | null {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
}

function describeBounds(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return `at least ${min}`;
  if (min === 0) return `at most ${max}`;
  return min === max ? `exactly ${min}` : `${min} to ${max}`;
}

function lintCount(evaluation: Evaluation): readonly Problem[] {
  const min = asCount(evaluation.fields.min);
  const max = asCount(evaluation.fields.max);
  if (min !== null && max !== null && min > max) {
    return [
      ruleError(
        evaluation,
        'contradiction',
        `count has min ${min} above max ${max}: no number fits`,
        'swap the bounds or leave one out',
      ),
    ];
  }
  if ((min ?? 0) === 0 && max === null) {
    return [
      ruleWarning(
        evaluation,
        'vacuous-rule',
        min === null
          ? 'count has neither min nor max: it always passes'
          : 'count with min 0 always passes',
        'add `max`, or a `min` of 1 or more',
      ),
    ];
  }
  return [];
}
