import type { SpanRef } from '../model/behavior.js';
import type { Span } from '../model/span.js';

export function spanRef(span: Span): SpanRef {
  return { traceId: span.traceId, spanId: span.spanId };
}

/** Both lists, the first one first, every span once. */
export function joinSpanRefs(a: readonly SpanRef[], b: readonly SpanRef[]): readonly SpanRef[] {
  const added = b.filter((ref) => !a.some((known) => isSameSpan(known, ref)));
  return added.length === 0 ? a : [...a, ...added];
}

function isSameSpan(a: SpanRef, b: SpanRef): boolean {
  return a.spanId === b.spanId && a.traceId === b.traceId;
}
