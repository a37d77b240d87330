import type { AttributeSource, Span, SpanEvent } from '../../src/model/span.js';
import type { JsonValue } from '../../src/util/json.js';

type Attributes = Readonly<Record<string, JsonValue>>;

export interface SpanParts {
  readonly traceId?: string;
  readonly spanId: string;
  readonly parentSpanId?: string | null;
  readonly name?: string;
  /** Milliseconds since the epoch of the test. */
  readonly start?: number;
  readonly end?: number;
  readonly flags?: number;
  readonly status?: Span['status'];
  readonly scope?: string;
  readonly attributes?: Attributes;
  readonly resource?: Attributes;
  readonly events?: readonly { name: string; at: number; attributes?: Attributes }[];
  readonly dropped?: Partial<Span['dropped']>;
}

/** A span by hand. Ids may be short: they are padded with zeros on the left. */
export function makeSpan(parts: SpanParts): Span {
  const start = parts.start ?? 0;
  return {
    ...sourceOf(parts.attributes),
    traceId: (parts.traceId ?? '1').padStart(32, '0'),
    spanId: parts.spanId.padStart(16, '0'),
    parentSpanId: parts.parentSpanId?.padStart(16, '0') ?? null,
    name: parts.name ?? 'span',
    kind: 1,
    startUnixNano: nanoOf(start),
    endUnixNano: nanoOf(parts.end ?? start + 1),
    status: parts.status ?? { code: 'unset', message: '' },
    flags: parts.flags ?? 0,
    resource: sourceOf(parts.resource),
    scope: { name: parts.scope ?? 'test', version: '', ...sourceOf(undefined) },
    dropped: { attributes: 0, events: 0, links: 0, ...parts.dropped },
    events: () => (parts.events ?? []).map(eventOf),
    links: () => [],
  };
}

/** Nanoseconds of a test time in milliseconds. */
function nanoOf(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1000)) * 1000n;
}

function eventOf(event: { name: string; at: number; attributes?: Attributes }): SpanEvent {
  return {
    ...sourceOf(event.attributes),
    name: event.name,
    timeUnixNano: nanoOf(event.at),
    droppedAttributes: 0,
  };
}

function sourceOf(attributes: Attributes = {}): AttributeSource {
  return {
    attribute: (key) => (Object.hasOwn(attributes, key) ? attributes[key] : undefined),
    attributeKeys: () => Object.keys(attributes),
  };
}
