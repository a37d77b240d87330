import type { AttributeSource, Span, SpanEvent, SpanLink } from '../model/span.js';
import type { JsonValue } from '../util/json.js';
import { canonicalJson } from '../util/json-text.js';

/** A text that is equal for spans that say the same and for no others. */
export function spanFingerprint(span: Span): string {
  return canonicalJson([
    span.traceId,
    span.spanId,
    span.parentSpanId,
    span.name,
    span.kind,
    span.startUnixNano,
    span.endUnixNano,
    span.status.code,
    span.status.message,
    span.flags,
    span.dropped.attributes,
    span.dropped.events,
    span.dropped.links,
    attributesOf(span),
    attributesOf(span.resource),
    [span.scope.name, span.scope.version, attributesOf(span.scope)],
    span.events().map(eventOf),
    span.links().map(linkOf),
  ]);
}

/** The same for one event. */
export function eventFingerprint(event: SpanEvent): string {
  return canonicalJson(eventOf(event));
}

/** The same for one link. */
export function linkFingerprint(link: SpanLink): string {
  return canonicalJson(linkOf(link));
}

function eventOf(event: SpanEvent): JsonValue {
  return [event.name, event.timeUnixNano, event.droppedAttributes, attributesOf(event)];
}

function linkOf(link: SpanLink): JsonValue {
  return [link.traceId, link.spanId, attributesOf(link)];
}

function attributesOf(source: AttributeSource): JsonValue {
  const keys = [...source.attributeKeys()].sort();
  return keys.map((key) => [key, source.attribute(key) ?? null]);
}
