import type { LiveSpan } from './live-spans.js';

/** Where the results of one release go, and the time of what only the end decided. */
export interface Placement {
  /** Spans that can still carry an event, by id. */
  readonly carriers: ReadonlyMap<string, LiveSpan>;
  /** Takes everything that belongs to no carrier of its own; `null` when there is no carrier at all. */
  readonly main: LiveSpan | null;
  readonly endUnixNano: bigint;
}

/**
 * Places the results of a release (contract.md §7). In the first generation of a trace the root span is the
 * main carrier, the earliest span where no root was seen; in a later one it is the late span that ended
 * last. `evidence` are spans that were forwarded before: they tell the end and carry nothing.
 */
export function placeResults(
  spans: readonly LiveSpan[],
  evidence: readonly LiveSpan[],
  isLate: boolean,
): Placement {
  const root = findRoot([...spans, ...evidence]);
  return {
    carriers: new Map(spans.map((span) => [span.spanId, span])),
    main: isLate ? findLast(spans) : (findRoot(spans) ?? findEarliest(spans)),
    endUnixNano: root?.endUnixNano ?? findLast([...spans, ...evidence])?.endUnixNano ?? 0n,
  };
}

function findRoot(spans: readonly LiveSpan[]): LiveSpan | null {
  return findEarliest(spans.filter((span) => span.parentSpanId === null));
}

function findEarliest(spans: readonly LiveSpan[]): LiveSpan | null {
  return best(spans, (a, b) => compare(a.span.startUnixNano, b.span.startUnixNano));
}

function findLast(spans: readonly LiveSpan[]): LiveSpan | null {
  return best(spans, (a, b) => compare(b.endUnixNano, a.endUnixNano));
}

/** The first in order; of equals the one with the smaller span id. */
function best(
  spans: readonly LiveSpan[],
  order: (a: LiveSpan, b: LiveSpan) => number,
): LiveSpan | null {
  return spans.reduce<LiveSpan | null>((found, span) => {
    if (found === null) return span;
    return (order(span, found) || compare(span.spanId, found.spanId)) < 0 ? span : found;
  }, null);
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
