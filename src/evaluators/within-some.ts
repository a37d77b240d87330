import type { Behavior } from '../model/behavior.js';
import type { Evaluation } from '../model/document.js';
import type { Monitor, MonitorEvent } from '../model/evaluator.js';
import type { NearestMiss } from '../model/verdict.js';
import { countOf, describeBehavior, describeSelector, formatElapsed } from './describe.js';
import { type Doubt, findDoubt, unclassifiedDoubt } from './evidence.js';
import { failed, inconclusive, passed } from './outcome.js';
import { type Bounds, describeBounds, isWithin, readBounds, selectorsOf } from './within-bounds.js';

/** The `after` to measure from: the last in order, and the last in time, which may be another. */
class LatestAfter {
  private byOrder: Behavior | null = null;
  private byTime: Behavior | null = null;

  add(behavior: Behavior): void {
    this.byOrder = behavior;
    if (this.byTime === null || behavior.at >= this.byTime.at) this.byTime = behavior;
  }

  get last(): Behavior | null {
    return this.byOrder;
  }

  /** The `after` that the match is near enough to, or null. */
  near(bounds: Bounds, match: Behavior): Behavior | null {
    for (const after of [this.byOrder, this.byTime]) {
      if (after !== null && isWithin(bounds, after, match)) return after;
    }
    return null;
  }
}

/**
 * Some match near some `after`: the distance to the latest `after` is the least, so one is kept, and a
 * second that counts those of unknown act. States: waiting → hoped (rests on an unknown act) → met, final.
 */
export function startSome(rule: Evaluation): Monitor {
  const bounds = readBounds(rule);
  const [after, match] = selectorsOf(rule);
  const certain = new LatestAfter();
  const hopeful = new LatestAfter();
  let met: readonly [Behavior, Behavior] | null = null;
  let hoped: Doubt | null = null;
  let closest: { readonly from: Behavior; readonly to: Behavior } | null = null;
  let seenMatch: Behavior | null = null;

  const observeMatch = ({ behavior, matches }: MonitorEvent): void => {
    const near = matches[1] === 'yes' ? certain.near(bounds, behavior) : null;
    if (near !== null) met ??= [near, behavior];
    const possible = hopeful.near(bounds, behavior);
    if (possible !== null && near === null) {
      hoped ??=
        matches[1] === 'unknown'
          ? unclassifiedDoubt(behavior, match, 1)
          : unclassifiedDoubt(possible, after, 1);
    }
    if (matches[1] !== 'yes') return;
    seenMatch = behavior;
    const from = certain.last;
    const isCloser =
      from !== null &&
      (closest === null || behavior.index - from.index < closest.to.index - closest.from.index);
    if (isCloser) closest = { from, to: behavior };
  };

  return {
    observe: (event) => {
      if (event.matches[1] !== 'no') observeMatch(event);
      if (event.matches[0] === 'yes') certain.add(event.behavior);
      if (event.matches[0] !== 'no') hopeful.add(event.behavior);
      return null;
    },
    conclude: (facts) => {
      if (met !== null) return passed(describeMet(met), [met[1].index, met[0].index]);
      const wanted = `within ${describeBounds(bounds)} after ${describeSelector(after)}`;
      const reason =
        certain.last === null
          ? `${describeSelector(after)} must occur and was not observed`
          : `${describeSelector(match)} was not observed ${wanted}`;
      const nearest = describeClosest(closest, seenMatch, certain.last);
      const witness = certain.last === null ? [] : [certain.last.index];
      const doubt = hoped ?? findDoubt(after, facts) ?? findDoubt(match, facts);
      return doubt === null
        ? failed(reason, witness, nearest)
        : inconclusive(doubt.code, `${reason}, but ${doubt.reason}`, witness, nearest);
    },
  };
}

function describeMet([after, match]: readonly [Behavior, Behavior]): string {
  const steps = countOf(match.index - after.index, 'step');
  const elapsed = formatElapsed(after.at, match.at);
  return `${describeBehavior(match)} came ${steps} and ${elapsed} after ${describeBehavior(after)}`;
}

function describeClosest(
  closest: { readonly from: Behavior; readonly to: Behavior } | null,
  seenMatch: Behavior | null,
  lastAfter: Behavior | null,
): NearestMiss | null {
  if (closest !== null) {
    const { from, to } = closest;
    return { behavior: to.index, failed: 'distance', detail: describeMet([from, to]) };
  }
  if (seenMatch === null) return null;
  const early =
    lastAfter === null
      ? ', and nothing came before it'
      : ` came ${formatElapsed(seenMatch.at, lastAfter.at)} before ${describeBehavior(lastAfter)}`;
  return {
    behavior: seenMatch.index,
    failed: 'order',
    detail: `${describeBehavior(seenMatch)}${early}`,
  };
}
