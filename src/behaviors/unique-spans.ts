import type { Span } from '../model/span.js';
import { mergeSpans } from './merge-spans.js';
import { spanFingerprint } from './span-fingerprint.js';

export interface UniqueSpans {
  /** Every (trace id, span id) once, by start time, then ids. */
  readonly spans: readonly Span[];
  /** Names of spans of which different versions were received, one per version set aside. */
  readonly conflicts: readonly string[];
}

/**
 * Keeps one span per (trace id, span id): OTLP retries and re-exports are common. Equal copies are one
 * span. Of different versions the one that ended later wins and the others add what it lacks.
 * The result does not depend on the order of arrival.
 */
export function uniqueSpans(received: readonly Span[]): UniqueSpans {
  const copies = new Map<string, Span[]>();
  for (const span of received) {
    const key = `${span.traceId}/${span.spanId}`;
    const known = copies.get(key);
    if (known === undefined) copies.set(key, [span]);
    else known.push(span);
  }
  const conflicts: string[] = [];
  const spans = [...copies.values()].map((same) => {
    const versions = distinctVersions(same);
    for (let extra = 1; extra < versions.length; extra += 1)
      conflicts.push(versions[0]?.name ?? '');
    return mergeSpans(versions);
  });
  return { spans: spans.sort(compareSpans), conflicts };
}

/** By start time, then trace id, then span id. */
export function compareSpans(a: Span, b: Span): number {
  return (
    compareValues(a.startUnixNano, b.startUnixNano) ||
    compareValues(a.traceId, b.traceId) ||
    compareValues(a.spanId, b.spanId)
  );
}

export function compareValues<T extends bigint | number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Different versions of one span, the one that wins first. */
function distinctVersions(copies: readonly Span[]): readonly Span[] {
  if (copies.length === 1) return copies;
  const versions = new Map<string, Span>();
  for (const copy of copies) versions.set(spanFingerprint(copy), copy);
  return [...versions]
    .sort(
      ([textA, a], [textB, b]) =>
        compareValues(b.endUnixNano, a.endUnixNano) || compareValues(textA, textB),
    )
    .map(([, span]) => span);
}
