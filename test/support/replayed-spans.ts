import type { AttributeValue, HrTime } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { Span } from '../../src/model/span.js';

/**
 * Spans of a recording as an SDK holds them after they ended, so that a stock exporter can send them. The
 * attribute values of the recordings are texts, numbers, booleans and lists of those.
 */
export function toReadableSpan(span: Span): ReadableSpan {
  const { traceId, spanId, parentSpanId } = span;
  const context = { traceId, spanId, traceFlags: span.flags & 0xff };
  return {
    name: span.name,
    kind: Math.max(0, span.kind - 1),
    spanContext: () => context,
    ...(parentSpanId !== null && { parentSpanContext: { ...context, spanId: parentSpanId } }),
    startTime: toHrTime(span.startUnixNano),
    endTime: toHrTime(span.endUnixNano),
    duration: toHrTime(span.endUnixNano - span.startUnixNano),
    status: {
      code: ['unset', 'ok', 'error'].indexOf(span.status.code),
      message: span.status.message,
    },
    attributes: attributesOf(span),
    links: [],
    events: span.events().map((event) => ({
      name: event.name,
      time: toHrTime(event.timeUnixNano),
      attributes: attributesOf(event),
    })),
    ended: true,
    resource: {
      attributes: attributesOf(span.resource),
      getRawAttributes: () => Object.entries(attributesOf(span.resource)),
      merge: (other) => other ?? ({} as ReadableSpan['resource']),
    },
    instrumentationScope: { name: span.scope.name, version: span.scope.version },
    droppedAttributesCount: span.dropped.attributes,
    droppedEventsCount: span.dropped.events,
    droppedLinksCount: span.dropped.links,
  };
}

function toHrTime(nano: bigint): HrTime {
  return [Number(nano / 1_000_000_000n), Number(nano % 1_000_000_000n)];
}

function attributesOf(source: Pick<Span, 'attribute' | 'attributeKeys'>) {
  const attributes: Record<string, AttributeValue> = {};
  for (const key of source.attributeKeys()) {
    const value = source.attribute(key);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      attributes[key] = value;
    } else if (Array.isArray(value)) {
      attributes[key] = value.map(String);
    } else {
      throw new Error(`${key} is no attribute value of the SDK`);
    }
  }
  return attributes;
}
