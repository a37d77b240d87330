import type { Behavior } from '../model/behavior.js';
import type { Selector } from '../model/document.js';
import type { Certainty } from '../model/evaluator.js';
import { baseActOf, categoryOf } from '../model/vocabulary.js';
import type { JsonValue } from '../util/json.js';
import { isJsonObject } from '../util/json-text.js';

/** Reads a selector from a rule; keys that are no text are left out. */
export function readSelector(value: JsonValue | undefined): Selector {
  if (!isJsonObject(value)) return {};
  const { actor, action, target, id } = value;
  return {
    ...(typeof actor === 'string' && { actor }),
    ...(typeof action === 'string' && { action }),
    ...(typeof target === 'string' && { target }),
    ...(typeof id === 'string' && { id }),
  };
}

/**
 * Whether a Behavior is what the selector names (statement 103, design.md §6): each field present must
 * match exactly, the action against every act it is known to have. `unknown`: a message of unknown act
 * against an act it may have.
 */
export function matchSelector(selector: Selector, behavior: Behavior): Certainty {
  if (selector.actor !== undefined && selector.actor !== behavior.actor) return 'no';
  if (selector.target !== undefined && !hasTarget(behavior, selector.target)) return 'no';
  if (selector.id !== undefined && !hasId(behavior, selector.id)) return 'no';
  if (selector.action === undefined || behavior.acts.includes(selector.action)) return 'yes';
  return isUnclassifiedMessage(behavior) && mayMean(behavior, selector.action) ? 'unknown' : 'no';
}

/** The target as documents name it, or the tool's own name where an alias stands before it. */
export function hasTarget(behavior: Behavior, target: string): boolean {
  if (behavior.target === target) return true;
  return behavior.tool === target && !behavior.acts.includes('hands_off');
}

/** A text message of which nothing says more than who wrote it (semantics A1). */
export function isUnclassifiedMessage(behavior: Behavior): boolean {
  return behavior.evidence.act === 'base' && behavior.action === baseActOf(behavior.actor);
}

/** A text message, of known act or not. */
export function isMessage(behavior: Behavior): boolean {
  if (isUnclassifiedMessage(behavior)) return true;
  // What a tool or an outside system responds is the result of a call (semantics A6).
  if (behavior.actor === 'tool' || behavior.actor === 'external') return false;
  return behavior.acts.some((act) => categoryOf(act) === 'communication');
}

/**
 * Whether a message of unknown act may have this act: a communication act, one that the vocabulary does
 * not know, or an interaction of the user (semantics A1, A5). Calls and hand-offs never come from text.
 */
function mayMean(behavior: Behavior, action: string): boolean {
  const category = categoryOf(action);
  if (category === 'interaction') return behavior.actor === 'user';
  return category === null || category === 'communication';
}

function hasId(behavior: Behavior, id: string): boolean {
  return behavior.id === id || (behavior.stepIds?.includes(id) ?? false);
}
