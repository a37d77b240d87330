import type { Behavior } from '../model/behavior.js';
import type { Evaluation, Selector } from '../model/document.js';
import { countOf, formatElapsed } from './describe.js';
import { parseDuration } from './duration.js';
import { readSelector } from './selector.js';

/** How far a match may be from its `after`: in Behaviors, in time, or both. */
export interface Bounds {
  readonly steps: number;
  readonly nanos: bigint | null;
}

export function readBounds(rule: Evaluation): Bounds {
  const { max_steps: steps, max_duration: duration } = rule.fields;
  return {
    steps: typeof steps === 'number' ? steps : Number.POSITIVE_INFINITY,
    nanos: typeof duration === 'string' ? parseDuration(duration) : null,
  };
}

export function isWithin(bounds: Bounds, after: Behavior, match: Behavior): boolean {
  if (match.index - after.index > bounds.steps) return false;
  return bounds.nanos === null || match.at - after.at <= bounds.nanos;
}

export function describeBounds(bounds: Bounds): string {
  const steps = bounds.steps === Number.POSITIVE_INFINITY ? [] : [countOf(bounds.steps, 'step')];
  const time = bounds.nanos === null ? [] : [formatElapsed(0n, bounds.nanos)];
  return [...steps, ...time].join(' and ');
}

/** The selectors of a `within`: its `after` and its `match`. */
export function selectorsOf(rule: Evaluation): readonly [Selector, Selector] {
  return [readSelector(rule.fields.after), readSelector(rule.fields.match)];
}
