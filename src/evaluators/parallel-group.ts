import type { Behavior } from '../model/behavior.js';
import type { MonitorEvent } from '../model/evaluator.js';
import { matchBipartite } from '../util/bipartite.js';

/** Whether two Behaviors are calls that the model asked for in one step (semantics decision 4). */
export function isInParallel(before: Behavior, after: Behavior): boolean {
  if (before.parallel !== true || after.parallel !== true) return false;
  if (before.agent !== after.agent || before.step !== after.step) return false;
  return before.step !== undefined || before.index + 1 === after.index;
}

/**
 * How far the calls of one model step move a cursor whatever their order: by one if any of them matches
 * the next selector, and by k if at least k of them each match all of the next k.
 */
export function sureSteps(group: readonly MonitorEvent[], cursor: number): number {
  let steps = 0;
  let matchingAll = group.filter((event) => event.matches[cursor] === 'yes');
  while (matchingAll.length > steps) {
    steps++;
    matchingAll = matchingAll.filter((event) => event.matches[cursor + steps] === 'yes');
  }
  return steps;
}

/** How far their best order moves the cursor, at most `limit`; what may match counts. */
export function bestSteps(group: readonly MonitorEvent[], cursor: number, limit: number): number {
  for (let steps = Math.min(group.length, limit); steps > 0; steps--) {
    const edges = Array.from({ length: steps }, (_, step) =>
      group.flatMap((event, member) => (event.matches[cursor + step] === 'no' ? [] : [member])),
    );
    if (matchBipartite(edges).every((member) => member !== null)) return steps;
  }
  return 0;
}
