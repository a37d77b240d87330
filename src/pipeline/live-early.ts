import type { BoundEvaluation, BoundSession } from '../documents/abs/bound-session.js';
import { hasHoles } from '../documents/abs/holes.js';
import { findEvaluator } from '../evaluators/index.js';
import { type MonitoredRule, MonitorPlan } from '../evaluators/monitor-plan.js';
import type { Unit } from '../model/behavior.js';
import type { EarlyViolation } from './live-alerts.js';
import type { LoadedSession } from './load-sessions.js';

interface EarlyPlan {
  readonly rules: readonly MonitoredRule[];
  readonly plan: MonitorPlan;
}

/** The rules of sessions whose violation is certain before their unit is over, compiled once. */
export class EarlyRules {
  readonly #plans = new Map<BoundSession, EarlyPlan>();

  constructor(sessions: readonly LoadedSession[]) {
    for (const bound of sessions.flatMap((session) => session.bound)) {
      const rules = bound.evaluations.flatMap(toEarlyRule);
      if (rules.length > 0) this.#plans.set(bound, { rules, plan: new MonitorPlan(rules) });
    }
  }

  get canBeViolated(): boolean {
    return this.#plans.size > 0;
  }

  /**
   * Violations among what was seen so far. What a model was told about the past does not count: the call
   * that carries it may still align with something else (design.md §6).
   */
  find(bound: BoundSession, unit: Unit, isSettled: boolean): readonly EarlyViolation[] {
    const early = this.#plans.get(bound);
    if (early === undefined) return [];
    const watch = early.plan.start();
    return unit.behaviors
      .filter(({ evidence }) => evidence.origin !== 'history')
      .flatMap((behavior) => watch.observe(behavior))
      .flatMap(({ rule: position, reason, witness }) => {
        const known = early.rules[position];
        if (known === undefined || (known.run.alerts !== 'at_once' && !isSettled)) return [];
        const { document, name } = bound.session;
        return [{ document, session: name, rule: known.rule, reason, witness }];
      });
  }
}

/** A chain rule that alerts before release, applies for certain and needs no value from the trace. */
function toEarlyRule(rule: BoundEvaluation): readonly MonitoredRule[] {
  const run = findEvaluator(rule.type)?.run;
  if (run?.kind !== 'monitor' || run.alerts === 'at_release') return [];
  const applies = rule.condition === null || rule.condition.outcome.kind === 'true';
  return applies && !hasHoles(rule.uses) ? [{ rule, run }] : [];
}
