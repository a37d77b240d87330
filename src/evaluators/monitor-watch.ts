import type { Behavior } from '../model/behavior.js';
import type { Monitor, Outcome, UnitFacts, Violation } from '../model/evaluator.js';
import type { Call } from './monitor-plan.js';
import { broken } from './outcome.js';

/** A violation, and the rule it breaks by its place in the plan. */
export interface RuleViolation extends Violation {
  readonly rule: number;
}

const none: readonly RuleViolation[] = [];

/** Compiled chain rules reading one unit, Behavior by Behavior. A monitor that throws loses only its rule. */
export class MonitorWatch {
  private readonly failures = new Map<number, unknown>();

  constructor(
    private readonly monitors: readonly Monitor[],
    private readonly callsFor: (behavior: Behavior) => readonly Call[],
  ) {}

  /** Reads the next Behavior; answers with the violations that it decides. */
  observe(behavior: Behavior): readonly RuleViolation[] {
    let violations: RuleViolation[] | null = null;
    for (const { rule, matches } of this.callsFor(behavior)) {
      try {
        const violation = this.monitors[rule]?.observe({ behavior, matches }) ?? null;
        if (violation === null) continue;
        violations ??= [];
        violations.push({ rule, ...violation });
      } catch (error) {
        this.failures.set(rule, error);
      }
    }
    return violations ?? none;
  }

  /** The outcome of every rule, in the order of the plan. */
  conclude(facts: UnitFacts): readonly Outcome[] {
    return this.monitors.map((monitor, rule) => {
      if (this.failures.has(rule)) return broken(this.failures.get(rule));
      try {
        return monitor.conclude(facts);
      } catch (error) {
        return broken(error);
      }
    });
  }
}
