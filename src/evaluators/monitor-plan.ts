import type { Behavior } from '../model/behavior.js';
import type { Evaluation, Selector } from '../model/document.js';
import type { Certainty, MonitorRun } from '../model/evaluator.js';
import { MonitorWatch } from './monitor-watch.js';
import { identityOf, SelectorIndex } from './selector-index.js';

/** A chain rule and how it runs. */
export interface MonitoredRule {
  readonly rule: Evaluation;
  readonly run: MonitorRun;
}

/** What one rule hears of a Behavior: the certainty of each of its selectors. */
export interface Call {
  /** Place of the rule in the list that was compiled. */
  readonly rule: number;
  readonly matches: readonly Certainty[];
}

interface Listener {
  readonly rule: number;
  readonly role: number;
  readonly roles: number;
}

const maxRemembered = 65_536;

/**
 * Chain rules compiled together, of one document or of many: equal selectors are one, and a Behavior is
 * handed only to the rules that listen to it. Who listens is remembered for each distinct (actor, acts,
 * target, ids), at most 65,536 of them. A plan holds no state of a unit; `start` makes that.
 */
export class MonitorPlan {
  private readonly index: SelectorIndex;
  private readonly listeners: readonly (readonly Listener[])[];
  private readonly remembered = new Map<string, readonly Call[]>();

  constructor(private readonly rules: readonly MonitoredRule[]) {
    const positions = new Map<string, number>();
    const selectors: Selector[] = [];
    const listeners: Listener[][] = [];
    rules.forEach(({ rule, run }, ruleAt) => {
      run.selectors(rule).forEach((selector, role, all) => {
        const key = JSON.stringify([selector.actor, selector.action, selector.target, selector.id]);
        let position = positions.get(key);
        if (position === undefined) {
          position = selectors.push(selector) - 1;
          positions.set(key, position);
          listeners.push([]);
        }
        listeners[position]?.push({ rule: ruleAt, role, roles: all.length });
      });
    });
    this.index = new SelectorIndex(selectors);
    this.listeners = listeners;
  }

  /** Monitors of all rules at the start of a unit. */
  start(): MonitorWatch {
    const monitors = this.rules.map(({ rule, run }) => run.start(rule));
    return new MonitorWatch(monitors, (behavior) => this.callsFor(behavior));
  }

  private callsFor(behavior: Behavior): readonly Call[] {
    const key = identityOf(behavior);
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const calls = this.findCalls(behavior);
    if (this.remembered.size >= maxRemembered) this.remembered.clear();
    this.remembered.set(key, calls);
    return calls;
  }

  private findCalls(behavior: Behavior): readonly Call[] {
    const matches = new Map<number, Certainty[]>();
    for (const { position, certainty } of this.index.match(behavior)) {
      for (const { rule, role, roles } of this.listeners[position] ?? []) {
        const certainties = matches.get(rule) ?? new Array<Certainty>(roles).fill('no');
        certainties[role] = certainty;
        matches.set(rule, certainties);
      }
    }
    return [...matches].map(([rule, certainties]) => ({ rule, matches: certainties }));
  }
}
