import protobuf from 'protobufjs';

/** A span for tests, in OTLP/JSON form; times are milliseconds after a fixed start. */
export interface TestSpan {
  readonly traceId?: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name?: string;
  readonly startMs?: number;
  readonly endMs?: number;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

export const testTraceId = '5b8aa5a2d2c872e8321cf37308d69df2';
const startNano = 1_700_000_000_000_000_000n;

export function spanJson(span: TestSpan): object {
  const at = (ms: number): string => (startNano + BigInt(ms) * 1_000_000n).toString();
  return {
    traceId: span.traceId ?? testTraceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
    name: span.name ?? 'step',
    kind: 1,
    startTimeUnixNano: at(span.startMs ?? 0),
    endTimeUnixNano: at(span.endMs ?? (span.startMs ?? 0) + 1),
    attributes: attributesJson(span.attributes ?? {}),
  };
}

function attributesJson(attributes: Readonly<Record<string, string | number | boolean>>): object[] {
  return Object.entries(attributes).map(([key, value]) => {
    if (typeof value === 'string') return { key, value: { stringValue: value } };
    if (typeof value === 'boolean') return { key, value: { boolValue: value } };
    return { key, value: { intValue: String(value) } };
  });
}

/** One OTLP/JSON request with these spans under one resource and scope. */
export function requestJson(
  spans: readonly TestSpan[],
  resource: Readonly<Record<string, string>> = {},
): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesJson(resource) },
        scopeSpans: [{ scope: { name: 'test' }, spans: spans.map(spanJson) }],
      },
    ],
  };
}

/** The same request as protobuf, written field by field and independently of Retrial's own writer. */
export function requestProtobuf(
  spans: readonly TestSpan[],
  resource: Readonly<Record<string, string>> = {},
): Uint8Array {
  const w = protobuf.Writer.create();
  w.uint32(10).fork();
  w.uint32(10).fork();
  writeAttributes(w, 10, resource);
  w.ldelim();
  w.uint32(18).fork().uint32(10).fork().uint32(10).string('test').ldelim();
  for (const span of spans) writeSpan(w.uint32(18).fork(), span).ldelim();
  w.ldelim().ldelim();
  return w.finish();
}

function writeSpan(w: protobuf.Writer, span: TestSpan): protobuf.Writer {
  const at = (ms: number): Uint8Array => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(startNano + BigInt(ms) * 1_000_000n);
    return bytes;
  };
  w.uint32(10).bytes(Buffer.from(span.traceId ?? testTraceId, 'hex'));
  w.uint32(18).bytes(Buffer.from(span.spanId, 'hex'));
  if (span.parentSpanId !== undefined) w.uint32(34).bytes(Buffer.from(span.parentSpanId, 'hex'));
  w.uint32(42)
    .string(span.name ?? 'step')
    .uint32(48)
    .uint32(1);
  const start = at(span.startMs ?? 0);
  const end = at(span.endMs ?? (span.startMs ?? 0) + 1);
  w.uint32(57).fixed32(Buffer.from(start).readUInt32LE(0));
  w.fixed32(Buffer.from(start).readUInt32LE(4));
  w.uint32(65).fixed32(Buffer.from(end).readUInt32LE(0)).fixed32(Buffer.from(end).readUInt32LE(4));
  writeAttributes(w, 74, span.attributes ?? {});
  return w;
}

function writeAttributes(
  w: protobuf.Writer,
  tag: number,
  attributes: Readonly<Record<string, string | number | boolean>>,
): void {
  for (const [key, value] of Object.entries(attributes)) {
    w.uint32(tag).fork().uint32(10).string(key).uint32(18).fork();
    if (typeof value === 'string') w.uint32(10).string(value);
    else if (typeof value === 'boolean') w.uint32(16).bool(value);
    else w.uint32(24).int32(value);
    w.ldelim().ldelim();
  }
}
