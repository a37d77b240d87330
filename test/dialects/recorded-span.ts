import type { Span } from '../../src/model/span.js';
import { encodeJsonTraces } from '../../src/otlp/json-to-protobuf.js';
import { indexTraces } from '../../src/otlp/span-index.js';

/** Attributes as a program sets them: text, numbers, booleans, lists and nested objects. */
export type Attributes = Readonly<Record<string, unknown>>;

export interface SpanSketch {
  readonly name?: string;
  readonly scope?: string;
  readonly kind?: number;
  readonly error?: string;
  readonly attributes?: Attributes;
  readonly events?: readonly { readonly name: string; readonly attributes?: Attributes }[];
  readonly parent?: string;
  readonly id?: string;
  /** Number of the trace, from 0. */
  readonly trace?: number;
  readonly startMs?: number;
  readonly endMs?: number;
}

/** A span read back from the OTLP bytes of this sketch. */
export function recordedSpan(sketch: SpanSketch): Span {
  const [span] = recordedSpans([sketch]);
  if (span === undefined) throw new Error('the sketch is no valid span');
  return span;
}

/** Spans read back from their OTLP bytes, in this order. */
export function recordedSpans(sketches: readonly SpanSketch[]): readonly Span[] {
  const scopeSpans = sketches.map((sketch, index) => ({
    scope: { name: sketch.scope ?? 'test' },
    spans: [
      {
        traceId: ((sketch.trace ?? 0) + 17).toString(16).repeat(16).slice(0, 32),
        spanId: sketch.id ?? (index + 1).toString(16).padStart(16, '0'),
        parentSpanId: sketch.parent ?? '',
        name: sketch.name ?? 'span',
        kind: sketch.kind ?? 1,
        startTimeUnixNano: nanos(sketch.startMs ?? 1000 + index),
        endTimeUnixNano: nanos(sketch.endMs ?? 2000 + index),
        attributes: toKeyValues(sketch.attributes ?? {}),
        events: (sketch.events ?? []).map((event) => ({
          name: event.name,
          timeUnixNano: '1500000000',
          attributes: toKeyValues(event.attributes ?? {}),
        })),
        status: sketch.error === undefined ? {} : { code: 2, message: sketch.error },
      },
    ],
  }));
  const encoded = encodeJsonTraces(JSON.stringify({ resourceSpans: [{ scopeSpans }] }));
  if (encoded.kind !== 'ok') throw new Error(encoded.message);
  const indexed = indexTraces(encoded.bytes);
  if (indexed.kind !== 'ok') throw new Error(indexed.message);
  return [...indexed.batch];
}

function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

function toKeyValues(attributes: Attributes): unknown[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toAnyValue(value) }));
}

function toAnyValue(value: unknown): unknown {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toAnyValue) } };
  if (typeof value === 'object' && value !== null) {
    return { kvlistValue: { values: toKeyValues({ ...value }) } };
  }
  return {};
}
