import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findEvaluator } from '../../src/evaluators/index.js';
import { type MonitoredRule, MonitorPlan } from '../../src/evaluators/monitor-plan.js';
import { readSelector } from '../../src/evaluators/selector.js';
import type { Behavior } from '../../src/model/behavior.js';
import type { Evaluation } from '../../src/model/document.js';
import type { Outcome, UnitFacts } from '../../src/model/evaluator.js';
import type { Verdict } from '../../src/model/verdict.js';
import type { JsonObject, JsonValue } from '../../src/util/json.js';
import { isJsonArray } from '../../src/util/json-text.js';
import { createUnit } from '../support/stated-unit.js';
import { isSelected, selectors, statedBehaviors, worldsOf } from '../support/worlds.js';

const rules: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ type: fc.constant('eventually'), match: selectors }),
  fc.record({ type: fc.constant('never'), match: selectors }),
  fc.record({
    type: fc.constant('count'),
    match: selectors,
    min: fc.integer({ min: 0, max: 2 }),
    max: fc.integer({ min: 2, max: 3 }),
  }),
  fc.record({
    type: fc.constant('sequence'),
    order: fc.array(selectors, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant('within'),
    after: selectors,
    match: selectors,
    max_steps: fc.integer({ min: 1, max: 3 }),
    every: fc.boolean(),
  }),
);

describe('chain evaluators', () => {
  it('decide as their definition does where every act is known', () => {
    fc.assert(
      fc.property(statedBehaviors, rules, (stated, rule) => {
        for (const world of worldsOf(stated)) {
          expect(run([rule], world)[0]?.verdict).toBe(judge(rule, world) ? 'pass' : 'fail');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never claim more than every way to fill in unknown acts allows', () => {
    fc.assert(
      fc.property(statedBehaviors, rules, (stated, rule) => {
        const verdicts = new Set(worldsOf(stated).map((world) => judge(rule, world)));
        const verdict = run([rule], createUnit(stated).behaviors)[0]?.verdict;
        const allowed: Verdict[] = ['inconclusive'];
        if (!verdicts.has(false)) allowed.push('pass');
        if (!verdicts.has(true)) allowed.push('fail');
        expect(allowed).toContain(verdict);
      }),
      { numRuns: 1000 },
    );
  });

  it('are decided wherever every way agrees and one selector alone is in question', () => {
    const single = rules.filter((rule) =>
      ['eventually', 'never', 'count'].includes(String(rule.type)),
    );
    fc.assert(
      fc.property(statedBehaviors, single, (stated, rule) => {
        const verdicts = new Set(worldsOf(stated).map((world) => judge(rule, world)));
        const verdict = run([rule], createUnit(stated).behaviors)[0]?.verdict;
        if (verdicts.size === 1) expect(verdict).toBe(verdicts.has(true) ? 'pass' : 'fail');
        else expect(verdict).toBe('inconclusive');
      }),
      { numRuns: 500 },
    );
  });

  it('give the same outcomes together as alone, and where one plan reads two units by turns', () => {
    fc.assert(
      fc.property(
        statedBehaviors,
        statedBehaviors,
        fc.array(rules, { minLength: 1, maxLength: 5 }),
        (stated, other, several) => {
          const { behaviors } = createUnit(stated);
          const plan = compile(several);
          const [watch, elsewhere] = [plan.start(), plan.start()];
          const others = createUnit(other).behaviors;
          for (let at = 0; at < Math.max(behaviors.length, others.length); at++) {
            for (const next of others.slice(at, at + 1)) elsewhere.observe(next);
            for (const next of behaviors.slice(at, at + 1)) watch.observe(next);
          }
          const alone = several.flatMap((rule) => run([rule], behaviors));
          expect(watch.conclude(factsOf(behaviors))).toEqual(alone);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('tell a violation in the moment it happens, once, and fail at the end', () => {
    fc.assert(
      fc.property(statedBehaviors, rules, (stated, rule) => {
        const { behaviors } = createUnit(stated);
        const watch = compile([rule]).start();
        const told = behaviors.flatMap((behavior) =>
          watch.observe(behavior).map((violation) => ({ violation, at: behavior.index })),
        );
        const outcome = watch.conclude(factsOf(behaviors))[0];
        expect(told.length).toBeLessThanOrEqual(1);
        for (const { violation, at } of told) {
          expect(violation.witness).toContain(at);
          expect(outcome?.verdict).toBe('fail');
        }
        if (rule.type === 'never' && outcome?.verdict === 'fail') expect(told.length).toBe(1);
      }),
      { numRuns: 300 },
    );
  });
});

function compile(several: readonly JsonObject[]): MonitorPlan {
  return new MonitorPlan(several.map(monitor));
}

function run(several: readonly JsonObject[], behaviors: readonly Behavior[]): readonly Outcome[] {
  return read(compile(several), behaviors);
}

function read(plan: MonitorPlan, behaviors: readonly Behavior[]): readonly Outcome[] {
  const watch = plan.start();
  for (const behavior of behaviors) watch.observe(behavior);
  return watch.conclude(factsOf(behaviors));
}

function monitor(fields: JsonObject): MonitoredRule {
  const definition = findEvaluator(String(fields.type));
  if (definition?.run.kind !== 'monitor') throw new Error(`${fields.type} is no chain evaluator`);
  return { rule: createRule(fields), run: definition.run };
}

function createRule(fields: JsonObject): Evaluation {
  return {
    rule: '/evaluations/0',
    via: null,
    position: { file: 'rule.abs.yaml', line: 1, column: 1 },
    level: 'session',
    type: String(fields.type),
    title: null,
    threshold: null,
    blocking: false,
    severity: null,
    when: null,
    adapter: null,
    fields,
    children: [],
  };
}

function factsOf(behaviors: readonly Behavior[]): UnitFacts {
  const evidence = { hidden: null, messagesHidden: false, callsVisible: true };
  return { behaviors, evidence, steps: [], variables: new Map() };
}

/** The rules by their definitions, over Behaviors whose acts are known. */
function judge(rule: JsonObject, world: readonly Behavior[]): boolean {
  const hits = (selector: JsonValue | undefined) =>
    world
      .filter((behavior) => isSelected(readSelector(selector), behavior))
      .map(({ index }) => index);
  const found = hits(rule.match).length;
  switch (rule.type) {
    case 'eventually':
      return found > 0;
    case 'never':
      return found === 0;
    case 'count':
      return found >= Number(rule.min) && found <= Number(rule.max);
    case 'sequence':
      return embeds((isJsonArray(rule.order) ? rule.order : []).map(hits), -1);
    default: {
      const isAnswered = (after: number) =>
        hits(rule.match).some((match) => match > after && match - after <= Number(rule.max_steps));
      const afters = hits(rule.after);
      if (afters.length === 0) return false;
      return rule.every === true ? afters.every(isAnswered) : afters.some(isAnswered);
    }
  }
}

function embeds(order: readonly (readonly number[])[], from: number): boolean {
  const [first, ...rest] = order;
  return first === undefined || first.some((at) => at > from && embeds(rest, at));
}
