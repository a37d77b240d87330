/**
 * Tags (field number times 8 plus wire type) of opentelemetry-proto 1.11, the messages of a trace
 * request. A known field with another wire type is an unknown field, as in every protobuf decoder.
 */
export const requestTag = { resourceSpans: 0x0a } as const;

export const resourceSpansTag = {
  resource: 0x0a,
  scopeSpans: 0x12,
  schemaUrl: 0x1a,
  /** `instrumentation_library_spans`, number 1000, of protos before 0.20; same shape as scope_spans. */
  librarySpans: 1000 * 8 + 2,
} as const;

export const scopeSpansTag = { scope: 0x0a, spans: 0x12, schemaUrl: 0x1a } as const;

export const resourceTag = { attributes: 0x0a, droppedAttributes: 0x10 } as const;

export const scopeTag = {
  name: 0x0a,
  version: 0x12,
  attributes: 0x1a,
  droppedAttributes: 0x20,
} as const;

export const spanTag = {
  traceId: 0x0a,
  spanId: 0x12,
  traceState: 0x1a,
  parentSpanId: 0x22,
  name: 0x2a,
  kind: 0x30,
  startTime: 0x39,
  endTime: 0x41,
  attributes: 0x4a,
  droppedAttributes: 0x50,
  events: 0x5a,
  droppedEvents: 0x60,
  links: 0x6a,
  droppedLinks: 0x70,
  status: 0x7a,
  flags: 0x85,
} as const;

export const eventTag = {
  time: 0x09,
  name: 0x12,
  attributes: 0x1a,
  droppedAttributes: 0x20,
} as const;

export const linkTag = {
  traceId: 0x0a,
  spanId: 0x12,
  traceState: 0x1a,
  attributes: 0x22,
  droppedAttributes: 0x28,
  flags: 0x35,
} as const;

export const statusTag = { message: 0x12, code: 0x18 } as const;

export const keyValueTag = { key: 0x0a, value: 0x12, keyIndex: 0x18 } as const;

export const anyValueTag = {
  string: 0x0a,
  bool: 0x10,
  int: 0x18,
  double: 0x21,
  array: 0x2a,
  kvlist: 0x32,
  bytes: 0x3a,
  stringIndex: 0x40,
} as const;

/** ArrayValue and KeyValueList. */
export const listTag = { values: 0x0a } as const;
