import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import type { Span, SpanEvent, SpanLink } from '../../src/model/span.js';
import type { JsonValue } from '../../src/util/json.js';

// protobufjs with the pinned schema decides what bytes mean; it shares no code with src/otlp.
const protoFolder = new URL('../../proto/', import.meta.url);
const root = new protobuf.Root();
root.resolvePath = (_origin, target) => fileURLToPath(new URL(target, protoFolder));
root.loadSync('opentelemetry/proto/collector/trace/v1/trace_service.proto');
const requestType = root.lookupType(
  'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest',
);

export type Plain = { readonly [key: string]: unknown };

/** The span as plain data, every field of it, the same from both readers. */
export interface PlainSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly status: { readonly code: string; readonly message: string };
  readonly flags: number;
  readonly dropped: {
    readonly attributes: number;
    readonly events: number;
    readonly links: number;
  };
  readonly attributes: readonly (readonly [string, JsonValue])[];
  readonly events: readonly unknown[];
  readonly links: readonly unknown[];
  readonly resource: readonly (readonly [string, JsonValue])[];
  readonly scope: unknown;
}

/** Encodes an object in the shape of protobufjs `fromObject`; ids are hex text. */
export function encodeRequest(request: Plain): Buffer {
  return Buffer.from(requestType.encode(requestType.fromObject(withIdBytes(request))).finish());
}

function decodeRequest(bytes: Uint8Array): Plain {
  return requestType.toObject(requestType.decode(bytes), { longs: String, oneofs: true });
}

/** Every span of a request as the oracle reads it. */
export function oracleSpans(bytes: Uint8Array): PlainSpan[] {
  return list(decodeRequest(bytes), 'resourceSpans').flatMap((group) =>
    list(group, 'scopeSpans').flatMap((scopeGroup) =>
      list(scopeGroup, 'spans').map((span) => plainOracleSpan(span, group, scopeGroup)),
    ),
  );
}

function plainOracleSpan(span: Plain, group: Plain, scopeGroup: Plain): PlainSpan {
  const parent = hex(span, 'parentSpanId');
  const status = child(span, 'status');
  const scope = child(scopeGroup, 'scope');
  return {
    traceId: hex(span, 'traceId'),
    spanId: hex(span, 'spanId'),
    parentSpanId: /^0*$/.test(parent) ? null : parent,
    name: text(span, 'name'),
    kind: count(span, 'kind'),
    start: BigInt(String(span.startTimeUnixNano ?? 0)),
    end: BigInt(String(span.endTimeUnixNano ?? 0)),
    status: {
      code: ['unset', 'ok', 'error'][count(status, 'code')] ?? 'unset',
      message: text(status, 'message'),
    },
    flags: count(span, 'flags'),
    dropped: {
      attributes: count(span, 'droppedAttributesCount'),
      events: count(span, 'droppedEventsCount'),
      links: count(span, 'droppedLinksCount'),
    },
    attributes: oracleAttributes(span),
    events: list(span, 'events').map((event) => ({
      name: text(event, 'name'),
      time: BigInt(String(event.timeUnixNano ?? 0)),
      droppedAttributes: count(event, 'droppedAttributesCount'),
      attributes: oracleAttributes(event),
    })),
    links: list(span, 'links').map((link) => ({
      traceId: hex(link, 'traceId'),
      spanId: hex(link, 'spanId'),
      attributes: oracleAttributes(link),
    })),
    resource: oracleAttributes(child(group, 'resource')),
    scope: {
      name: text(scope, 'name'),
      version: text(scope, 'version'),
      attributes: oracleAttributes(scope),
    },
  };
}

/** Our view of a span in the same shape. */
export function plainSpan(span: Span): PlainSpan {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: span.kind,
    start: span.startUnixNano,
    end: span.endUnixNano,
    status: span.status,
    flags: span.flags,
    dropped: span.dropped,
    attributes: plainAttributes(span),
    events: span.events().map((event: SpanEvent) => ({
      name: event.name,
      time: event.timeUnixNano,
      droppedAttributes: event.droppedAttributes,
      attributes: plainAttributes(event),
    })),
    links: span.links().map((link: SpanLink) => ({
      traceId: link.traceId,
      spanId: link.spanId,
      attributes: plainAttributes(link),
    })),
    resource: plainAttributes(span.resource),
    scope: {
      name: span.scope.name,
      version: span.scope.version,
      attributes: plainAttributes(span.scope),
    },
  };
}

interface Attributes {
  attribute(key: string): JsonValue | undefined;
  attributeKeys(): readonly string[];
}

function plainAttributes(source: Attributes): (readonly [string, JsonValue])[] {
  return source.attributeKeys().map((key) => {
    const value = source.attribute(key);
    if (value === undefined) throw new Error(`${key} is listed and cannot be read`);
    return [key, value];
  });
}

/** First attribute of a key wins. */
function oracleAttributes(holder: Plain): (readonly [string, JsonValue])[] {
  const seen = new Map<string, JsonValue>();
  for (const attribute of list(holder, 'attributes')) {
    const key = text(attribute, 'key');
    if (!seen.has(key)) seen.set(key, oracleValue(child(attribute, 'value')));
  }
  return [...seen];
}

function oracleValue(value: Plain): JsonValue {
  switch (value.value) {
    case 'stringValue':
      return text(value, 'stringValue');
    case 'boolValue':
      return value.boolValue === true;
    case 'intValue': {
      const exact = BigInt(String(value.intValue));
      return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
    }
    case 'doubleValue': {
      const number = Number(value.doubleValue);
      return Number.isFinite(number) ? number : String(number);
    }
    case 'bytesValue':
      return bytesOf(value, 'bytesValue').toString('base64');
    case 'arrayValue':
      return list(child(value, 'arrayValue'), 'values').map(oracleValue);
    case 'kvlistValue': {
      const object: Record<string, JsonValue> = Object.create(null);
      for (const entry of list(child(value, 'kvlistValue'), 'values')) {
        const key = text(entry, 'key');
        if (!(key in object)) object[key] = oracleValue(child(entry, 'value'));
      }
      return object;
    }
    default:
      return null;
  }
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(holder: Plain, key: string): Plain[] {
  const value = holder[key];
  return Array.isArray(value) ? value.filter(isPlain) : [];
}

function child(holder: Plain, key: string): Plain {
  const value = holder[key];
  return isPlain(value) ? value : {};
}

function text(holder: Plain, key: string): string {
  return String(holder[key] ?? '');
}

function count(holder: Plain, key: string): number {
  return Number(holder[key] ?? 0);
}

function bytesOf(holder: Plain, key: string): Buffer {
  const value = holder[key];
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.alloc(0);
}

function hex(holder: Plain, key: string): string {
  return bytesOf(holder, key).toString('hex');
}

const idKeys = new Set(['traceId', 'spanId', 'parentSpanId']);

function withIdBytes(value: unknown, key = ''): Plain {
  const convert = (item: unknown, name: string): unknown => {
    if (typeof item === 'string' && idKeys.has(name)) return Buffer.from(item, 'hex');
    if (Array.isArray(item)) return item.map((element) => convert(element, ''));
    return isPlain(item) ? withIdBytes(item, name) : item;
  };
  const source = isPlain(value) ? value : {};
  return Object.fromEntries(
    Object.entries(source).map(([name, item]) => [name, convert(item, key === '' ? name : name)]),
  );
}
