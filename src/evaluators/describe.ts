import type { Behavior } from '../model/behavior.js';
import type { Selector } from '../model/document.js';
import type { JsonValue } from '../util/json.js';
import { canonicalJson } from '../util/json-text.js';
import { shorten } from '../util/text.js';

const longestQuote = 80;

/** A Behavior for people: `#4 assistant calls "Orders API"`, a message with its first words. */
export function describeBehavior(behavior: Behavior): string {
  const parts = [`#${behavior.index} ${behavior.actor} ${behavior.action}`];
  if (behavior.target !== undefined) parts.push(JSON.stringify(behavior.target));
  else if (behavior.content !== undefined) parts.push(quoteValue(behavior.content));
  return parts.join(' ');
}

/** A selector for people, in backticks: `assistant calls "Orders API"`. */
export function describeSelector(selector: Selector): string {
  const parts = [selector.actor, selector.action];
  if (selector.target !== undefined) parts.push(JSON.stringify(selector.target));
  if (selector.id !== undefined) parts.push(`with id "${selector.id}"`);
  return `\`${parts.filter((part) => part !== undefined).join(' ')}\``;
}

/** A value in a message: JSON text, cut when it is long. */
export function quoteValue(value: JsonValue): string {
  // Only the beginning of a long text is needed, and a text may have megabytes.
  if (typeof value === 'string') value = value.slice(0, longestQuote);
  return shorten(canonicalJson(value), longestQuote);
}

/** Time between two instants in nanoseconds, for people: `350 ms`, `4 s`, `2.5 min`. */
export function formatElapsed(fromNano: bigint, toNano: bigint): string {
  const ms = Math.abs(Number(toNano - fromNano)) / 1e6;
  if (ms < 1000) return `${round(ms)} ms`;
  if (ms < 120_000) return `${round(ms / 1000)} s`;
  return ms < 7_200_000 ? `${round(ms / 60_000)} min` : `${round(ms / 3_600_000)} h`;
}

/** `1 step`, `2 steps`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function round(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 1 : 0)));
}
