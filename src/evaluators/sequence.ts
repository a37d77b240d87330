import type { Behavior } from '../model/behavior.js';
import type { Evaluation, Selector } from '../model/document.js';
import type { EvaluatorDefinition, Monitor, MonitorEvent, UnitFacts } from '../model/evaluator.js';
import type { NearestMiss } from '../model/verdict.js';
import type { JsonValue } from '../util/json.js';
import { isJsonArray } from '../util/json-text.js';
import { describeBehavior, describeSelector, formatElapsed } from './describe.js';
import { findDoubt, unclassifiedDoubt } from './evidence.js';
import { extension, required, selectorSchema } from './fields.js';
import { findNearest } from './nearest.js';
import { failed, inconclusive, passed } from './outcome.js';
import { bestSteps, isInParallel, sureSteps } from './parallel-group.js';
import { ruleWarning } from './problems.js';
import { matchSelector, readSelector } from './selector.js';

/** Each selector matches at a position after the one before it, gaps allowed (statement 104). */
export const sequence: EvaluatorDefinition = {
  type: 'sequence',
  level: 'session',
  family: 'chain',
  since: '0.1',
  summary: 'The selectors match in this order; other behaviors may stand between.',
  scores: false,
  fields: {
    order: required({ type: 'array', items: selectorSchema }, 'The selectors, in order.'),
    strict_order: {
      ...extension(
        { type: 'boolean' },
        'Calls that the model asked for in one step have no order: what rests on it is inconclusive.',
      ),
      lenient: true,
    },
  },
  lint: (evaluation) =>
    isJsonArray(evaluation.fields.order) && evaluation.fields.order.length === 0
      ? [
          ruleWarning(
            evaluation,
            'vacuous-rule',
            'sequence with an empty order always passes',
            'name at least two selectors',
          ),
        ]
      : [],
  run: {
    kind: 'monitor',
    alerts: 'at_release',
    selectors: readOrder,
    start: startSequence,
  },
  examples: [
    {
      title: 'Looked up before it was refunded',
      rule: {
        type: 'sequence',
        order: [
          { action: 'calls', target: 'Orders API' },
          { action: 'calls', target: 'Refund API' },
        ],
      },
      steps: [{ actor: 'user', action: 'says' }],
      behaviors: [
        { actor: 'assistant', action: 'calls', target: 'Orders API' },
        { actor: 'tool', action: 'responds', target: 'Orders API', content: {} },
        { actor: 'assistant', action: 'calls', target: 'Refund API' },
      ],
      verdict: 'pass',
    },
    {
      title: 'In the other order',
      rule: {
        type: 'sequence',
        order: [
          { action: 'calls', target: 'Orders API' },
          { action: 'calls', target: 'Refund API' },
        ],
      },
      steps: [{ actor: 'user', action: 'says' }],
      behaviors: [
        { actor: 'assistant', action: 'calls', target: 'Refund API' },
        { actor: 'assistant', action: 'calls', target: 'Orders API' },
      ],
      verdict: 'fail',
    },
  ],
};

function readOrder(rule: Evaluation): readonly Selector[] {
  const order: JsonValue | undefined = rule.fields.order;
  return isJsonArray(order) ? order.map((selector) => readSelector(selector)) : [];
}

/**
 * State: two cursors into the order, moved greedily, which finds a subsequence whenever there is one.
 * `certain` moves on what surely matches, `hopeful` also on what may. Done when a cursor passes the end:
 * `certain` done is a pass, `hopeful` alone done is inconclusive, neither is a failure.
 *
 * With strict_order the calls of one model step have no order among themselves: they are held as a group
 * until it is over, then `certain` moves by what every order of the group gives, `hopeful` by what the
 * best order gives.
 */
function startSequence(rule: Evaluation): Monitor {
  const order = readOrder(rule);
  const isStrict = rule.fields.strict_order === true;
  let group: MonitorEvent[] = [];
  const path: Behavior[] = [];
  let certain = 0;
  let hopeful = 0;
  let firstDoubtful: { readonly behavior: Behavior; readonly selector: Selector } | null = null;

  const observeInOrder = ({ behavior, matches }: MonitorEvent): void => {
    const hoped = matches[hopeful] ?? 'no';
    const hopedSelector = order[hopeful];
    if (hoped !== 'no') hopeful++;
    if (hoped === 'unknown' && hopedSelector !== undefined) {
      firstDoubtful ??= { behavior, selector: hopedSelector };
    }
    if (matches[certain] !== 'yes') return;
    path.push(behavior);
    advance(1, 0);
  };
  const closeGroup = (): void => {
    const events = group;
    group = [];
    if (events.length === 1) events.forEach(observeInOrder);
    if (events.length < 2) return;
    const sure = sureSteps(events, certain);
    const used = events.filter((event) =>
      event.matches.slice(certain, certain + sure).includes('yes'),
    );
    path.push(...used.slice(0, sure).map((event) => event.behavior));
    advance(sure, bestSteps(events, hopeful, order.length - hopeful));
  };
  const advance = (sure: number, hoped: number): void => {
    certain += sure;
    hopeful = Math.max(hopeful + hoped, certain);
    // Once the cursors meet, nothing that was only hoped for is part of the path any more.
    if (certain === hopeful) firstDoubtful = null;
  };

  return {
    observe: (event) => {
      if (!isStrict) {
        observeInOrder(event);
        return null;
      }
      const last = group.at(-1);
      if (last !== undefined && !isInParallel(last.behavior, event.behavior)) closeGroup();
      group.push(event);
      return null;
    },
    conclude: (facts) => {
      closeGroup();
      const witness = path.map((behavior) => behavior.index);
      if (certain >= order.length) return passed(describePass(path), witness);
      return concludeUnfinished(facts, witness);
    },
  };

  function concludeUnfinished(facts: UnitFacts, witness: readonly number[]) {
    const missing = order[certain] ?? {};
    const last = path.at(-1);
    const reason =
      `step ${certain + 1} of ${order.length}, ${describeSelector(missing)}, was not observed` +
      (last === undefined ? '' : ` after ${describeBehavior(last)}`);
    const nearest = findOutOfOrder(missing, last, facts.behaviors);
    if (hopeful >= order.length) {
      const doubtful = firstDoubtful;
      if (doubtful !== null) {
        const doubt = unclassifiedDoubt(doubtful.behavior, doubtful.selector, 1);
        return inconclusive(doubt.code, `${reason}, but ${doubt.reason}`, witness, nearest);
      }
      return inconclusive(
        'order_parallel',
        `${reason} in an order that holds: the calls of one model step run in parallel`,
        witness,
        nearest,
      );
    }
    for (const selector of order.slice(certain)) {
      const doubt = findDoubt(selector, facts);
      if (doubt !== null) {
        return inconclusive(doubt.code, `${reason}, but ${doubt.reason}`, witness, nearest);
      }
    }
    return failed(reason, witness, nearest);
  }
}

function describePass(path: readonly Behavior[]): string {
  if (path.length === 0) return 'the order names nothing';
  const steps = path.map(describeBehavior).join(', then ');
  const isParallel = path.some((behavior, position) => {
    const before = path[position - 1];
    return before !== undefined && isInParallel(before, behavior);
  });
  return isParallel
    ? `observed ${steps}; calls of one model step stand in the order the model wrote them`
    : `observed ${steps}`;
}

/** The missing selector where it did match, before its turn; else what shares most with it. */
function findOutOfOrder(
  missing: Selector,
  last: Behavior | undefined,
  behaviors: readonly Behavior[],
): NearestMiss | null {
  if (last === undefined) return findNearest(missing, behaviors);
  const early = behaviors.findLast(
    (behavior) => behavior.index < last.index && matchSelector(missing, behavior) === 'yes',
  );
  if (early === undefined) return findNearest(missing, behaviors);
  const elapsed = formatElapsed(early.at, last.at);
  return {
    behavior: early.index,
    failed: 'order',
    detail: `${describeBehavior(early)} came ${elapsed} before ${describeBehavior(last)}`,
  };
}
