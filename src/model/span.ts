import type { JsonValue } from '../util/json.js';

/**
 * A span as the rest of Retrial sees it: ids, times, kind and status at hand, everything else decoded
 * from the received bytes when asked for (design.md §3). Instances are immutable views.
 *
 * Ids are lower-case hex (32 and 16 digits). Times are nanoseconds since the Unix epoch.
 */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** `null` when the span has no parent (absent, empty or all-zero id). */
  readonly parentSpanId: string | null;
  readonly name: string;
  /** OTLP SpanKind as sent; unknown numbers are kept. */
  readonly kind: number;
  readonly startUnixNano: bigint;
  readonly endUnixNano: bigint;
  readonly status: SpanStatus;
  /** W3C trace flags and OTLP's bits 8 and 9, exactly as sent. */
  readonly flags: number;
  readonly resource: Resource;
  readonly scope: Scope;
  readonly dropped: DroppedCounts;
  /** Value of the first attribute of that key, decoded on demand; `undefined` when absent. */
  attribute(key: string): JsonValue | undefined;
  /** Keys in the order sent; duplicates once. */
  attributeKeys(): readonly string[];
  events(): readonly SpanEvent[];
  links(): readonly SpanLink[];
}

export interface SpanStatus {
  readonly code: 'unset' | 'ok' | 'error';
  readonly message: string;
}

export interface DroppedCounts {
  readonly attributes: number;
  readonly events: number;
  readonly links: number;
}

/** Something that carries attributes: resource, scope, event, link. */
export interface AttributeSource {
  attribute(key: string): JsonValue | undefined;
  attributeKeys(): readonly string[];
}

export type Resource = AttributeSource;

export interface Scope extends AttributeSource {
  readonly name: string;
  readonly version: string;
}

export interface SpanEvent extends AttributeSource {
  readonly name: string;
  readonly timeUnixNano: bigint;
  readonly droppedAttributes: number;
}

export interface SpanLink extends AttributeSource {
  readonly traceId: string;
  readonly spanId: string;
}

/** Reasons to refuse one span of a request while its neighbours are kept (contract.md §9). */
export type SpanRejectionReason =
  | 'bad_id'
  | 'bad_number'
  | 'bad_value'
  | 'too_deep'
  | 'too_large'
  | 'bad_structure';

/** A span that was refused alone. `at` says where it stood: `resourceSpans[0].scopeSpans[0].spans[3]`. */
export interface SpanRejection {
  readonly reason: SpanRejectionReason;
  readonly message: string;
  readonly at: string;
  /** Hex trace id when it could be read, so that the loss is charged to its trace. */
  readonly traceId: string | null;
}
