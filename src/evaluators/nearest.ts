import type { Behavior } from '../model/behavior.js';
import type { Selector } from '../model/document.js';
import type { NearestMiss } from '../model/verdict.js';
import { joinWords, shorten } from '../util/text.js';
import { hasTarget } from './selector.js';

const longestNameList = 5;

/**
 * The Behavior that shares most fields with a selector that matched nothing, and the field it failed. A
 * field that names more counts more: target, then action, then actor. Null when none shares any.
 */
export function findNearest(
  selector: Selector,
  behaviors: readonly Behavior[],
): NearestMiss | null {
  let nearest: NearestMiss | null = null;
  let best = 0;
  for (const behavior of behaviors) {
    const sameActor = selector.actor === behavior.actor;
    const sameAction = selector.action !== undefined && behavior.acts.includes(selector.action);
    const sameTarget = selector.target !== undefined && hasTarget(behavior, selector.target);
    const shared = (sameActor ? 1 : 0) + (sameAction ? 2 : 0) + (sameTarget ? 4 : 0);
    if (shared <= best) continue;
    const failed = firstDifference(selector, behavior, { sameActor, sameAction, sameTarget });
    if (failed === null) continue;
    best = shared;
    nearest = { behavior: behavior.index, ...failed };
  }
  return nearest;
}

function firstDifference(
  selector: Selector,
  behavior: Behavior,
  same: { readonly sameActor: boolean; readonly sameAction: boolean; readonly sameTarget: boolean },
): Omit<NearestMiss, 'behavior'> | null {
  if (selector.target !== undefined && !same.sameTarget) {
    const was = behavior.target === undefined ? 'nothing' : JSON.stringify(behavior.target);
    return { failed: 'target', detail: `target was ${was}` };
  }
  if (selector.action !== undefined && !same.sameAction) {
    return { failed: 'action', detail: `action was ${joinWords(behavior.acts, 'and')}` };
  }
  if (selector.actor !== undefined && !same.sameActor) {
    return { failed: 'actor', detail: `actor was ${behavior.actor}` };
  }
  return selector.id === undefined
    ? null
    : { failed: 'id', detail: `it is not the step with id "${selector.id}"` };
}

/** The tools that were called, for a rule that missed one: `called were "A", "B" and 3 more`. */
export function listCalledTools(behaviors: readonly Behavior[]): string {
  const names = new Set<string>();
  for (const behavior of behaviors) {
    if (behavior.acts.includes('calls') && behavior.target !== undefined)
      names.add(behavior.target);
  }
  if (names.size === 0) return 'no tool was called';
  const shown = [...names].slice(0, longestNameList).map((name) => JSON.stringify(shorten(name)));
  const rest = names.size - shown.length;
  return `called were ${rest > 0 ? `${shown.join(', ')} and ${rest} more` : joinWords(shown, 'and')}`;
}
