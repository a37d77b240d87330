import type { Span, SpanEvent, SpanLink } from '../model/span.js';
import { eventFingerprint, linkFingerprint } from './span-fingerprint.js';

/**
 * One view over several versions of a span: the first version decides, the others add attributes,
 * events and links that it lacks. One version is returned as it is.
 */
export function mergeSpans(versions: readonly Span[]): Span {
  const [first, ...others] = versions;
  if (first === undefined) throw new RangeError('mergeSpans needs at least one version');
  return others.length === 0 ? first : viewOf(first, others);
}

function viewOf(first: Span, others: readonly Span[]): Span {
  const versions = [first, ...others];
  return {
    traceId: first.traceId,
    spanId: first.spanId,
    parentSpanId: versions.find((span) => span.parentSpanId !== null)?.parentSpanId ?? null,
    name: first.name,
    kind: first.kind,
    startUnixNano: first.startUnixNano,
    endUnixNano: first.endUnixNano,
    status: first.status,
    flags: first.flags,
    resource: first.resource,
    scope: first.scope,
    dropped: first.dropped,
    attribute(key) {
      for (const version of versions) {
        const value = version.attribute(key);
        if (value !== undefined) return value;
      }
      return undefined;
    },
    attributeKeys: () => [...new Set(versions.flatMap((span) => span.attributeKeys()))],
    events: () =>
      union(
        versions.map((span) => span.events()),
        eventFingerprint,
      ),
    links: () =>
      union(
        versions.map((span) => span.links()),
        linkFingerprint,
      ),
  };
}

/** The first list as it is, then what later lists add. */
function union<T extends SpanEvent | SpanLink>(
  lists: readonly (readonly T[])[],
  fingerprint: (item: T) => string,
): readonly T[] {
  const [first = [], ...others] = lists;
  const seen = new Set(first.map(fingerprint));
  const added = others.flat().filter((item) => {
    const text = fingerprint(item);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
  return [...first, ...added];
}
