import type { Span, SpanRejection } from '../../src/model/span.js';
import {
  type EncodedTraces,
  encodeJsonTraces,
  type JsonTraceOptions,
} from '../../src/otlp/json-to-protobuf.js';
import type { OtlpLimits } from '../../src/otlp/limits.js';
import type { SpanBatch } from '../../src/otlp/span-batch.js';
import { indexTraces } from '../../src/otlp/span-index.js';
import { field } from './raw-message.js';

export const traceId = '5b8efff798038103d269b633813fc60c';
export const spanId = 'eee19b7ec3c1b174';
export const rawTraceId = Buffer.from(traceId, 'hex');
export const rawSpanId = Buffer.from(spanId, 'hex');

/** The ids that every span needs, as members of a JSON span. */
export const ids = `"traceId":"${traceId}","spanId":"${spanId}"`;

/** A JSON request of the given spans, each the text of one span object. */
export function jsonRequest(...spans: readonly string[]): string {
  return `{"resourceSpans":[{"scopeSpans":[{"spans":[${spans.join(',')}]}]}]}`;
}

/** A JSON span with the ids and the given members. */
export function jsonSpan(members = ''): string {
  return `{${ids}${members === '' ? '' : `,${members}`}}`;
}

/** A JSON span with one attribute `a` of the given value object. */
export function jsonValue(value: string): string {
  return jsonSpan(`"attributes":[{"key":"a","value":${value}}]`);
}

type Encoded = Extract<EncodedTraces, { kind: 'ok' }>;

export function encodeOk(body: string | Uint8Array, options: JsonTraceOptions = {}): Encoded {
  const encoded = encodeJsonTraces(body, options);
  if (encoded.kind !== 'ok') throw new Error(`malformed: ${encoded.message}`);
  return encoded;
}

export interface Read {
  readonly batch: SpanBatch;
  readonly spans: readonly Span[];
  readonly rejections: readonly SpanRejection[];
}

/** What comes out of a protobuf request. */
export function readBytes(bytes: Uint8Array, limits?: OtlpLimits): Read {
  const indexed = indexTraces(bytes, limits);
  if (indexed.kind !== 'ok') throw new Error(`malformed: ${indexed.message}`);
  return { batch: indexed.batch, spans: [...indexed.batch], rejections: indexed.rejections };
}

/** What comes out of a JSON request; rejections of both steps. */
export function readJson(body: string | Uint8Array, options: JsonTraceOptions = {}): Read {
  const encoded = encodeOk(body, options);
  const read = readBytes(encoded.bytes);
  return { ...read, rejections: [...encoded.rejections, ...read.rejections] };
}

export function onlySpan(read: Read): Span {
  const [span, ...others] = read.spans;
  if (span === undefined || others.length > 0 || read.rejections.length > 0) {
    throw new Error(`${read.spans.length} spans, refused: ${JSON.stringify(read.rejections)}`);
  }
  return span;
}

/** The one rejection of a request whose other spans, if any, were kept. */
export function onlyRejection(read: Read): SpanRejection {
  const [rejection, ...others] = read.rejections;
  if (rejection === undefined || others.length > 0) {
    throw new Error(`${read.rejections.length} rejections`);
  }
  return rejection;
}

/** A protobuf request of the given spans, each the fields of one span in a row. */
export function request(...spans: readonly (readonly Uint8Array[])[]): Buffer {
  const messages = spans.map((fields) => field(2, Buffer.concat(fields)));
  return field(1, field(2, Buffer.concat(messages)));
}

/** The id fields of a span. */
export const idFields: readonly Uint8Array[] = [field(1, rawTraceId), field(2, rawSpanId)];

/** A KeyValue field of a span whose AnyValue message is given. */
export function attribute(key: string, anyValue: Uint8Array): Buffer {
  return field(9, Buffer.concat([field(1, key), field(2, anyValue)]));
}
