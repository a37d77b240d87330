import { conversationIdOf } from '../dialects/conversation.js';
import type { Span } from '../model/span.js';
import { compareSpans } from './unique-spans.js';

/**
 * The conversation a trace belongs to (dialects.md §3.2): what its outermost span with a key says,
 * `gen_ai.conversation.id` before all others. Ids of the trace itself or of a model response are no
 * keys.
 */
export function conversationKey(traceId: string, spans: readonly Span[]): string | null {
  const responses = new Set(spans.map((span) => span.attribute('gen_ai.response.id')));
  const isReal = (key: string | undefined): key is string =>
    key !== undefined && !responses.has(key) && key.replaceAll('-', '').toLowerCase() !== traceId;
  const keyed = spans
    .map((span) => ({ span, key: conversationIdOf(span) }))
    .filter(({ key }) => isReal(key));
  const standard = keyed.filter(
    ({ span, key }) => span.attribute('gen_ai.conversation.id') === key,
  );
  const candidates = standard.length > 0 ? standard : keyed;
  if (new Set(candidates.map(({ key }) => key)).size < 2) return candidates[0]?.key ?? null;
  const depths = depthsOf(spans);
  const sorted = candidates.sort(
    (a, b) =>
      (depths.get(a.span.spanId) ?? 0) - (depths.get(b.span.spanId) ?? 0) ||
      compareSpans(a.span, b.span),
  );
  return sorted[0]?.key ?? null;
}

/** Number of ancestors of each span; a cycle counts as a top. */
function depthsOf(spans: readonly Span[]): ReadonlyMap<string, number> {
  const parents = new Map(spans.map((span) => [span.spanId, span.parentSpanId]));
  const depths = new Map<string, number>();
  for (const { spanId } of spans) {
    const path: string[] = [];
    const onPath = new Set<string>();
    let at: string | null = spanId;
    while (at !== null && parents.has(at) && !depths.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = parents.get(at) ?? null;
    }
    let depth = at === null ? -1 : (depths.get(at) ?? -1);
    for (const id of path.reverse()) {
      depth += 1;
      depths.set(id, depth);
    }
  }
  return depths;
}
