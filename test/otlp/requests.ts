import fc from 'fast-check';
import type { Plain } from './oracle.js';

// Requests in the JSON mapping of OTLP, as plain objects: protobufjs `fromObject` and `jsonText` both
// take them. 64-bit integers are bigint or digits, so that both spellings are covered.

const idByte = fc.integer({ min: 1, max: 255 });
const hexId = (size: number) =>
  fc
    .array(idByte, { minLength: size, maxLength: size })
    .map((bytes) => Buffer.from(bytes).toString('hex'));

const key = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('a', 'gen_ai.system', 'http.route', '', 'ключ', 'x.y.z'),
  },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString') },
  { weight: 2, arbitrary: fc.string({ maxLength: 40 }) },
);
// Well-formed text only: a lone surrogate has no UTF-8.
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ minLength: 100, maxLength: 400 }),
);
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const time = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const double = fc.double().map((value) => (Number.isFinite(value) ? value : String(value)));

const anyValue: fc.Arbitrary<Plain> = fc.letrec<{ value: Plain; entry: Plain }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text.map((stringValue) => ({ stringValue })),
    fc.boolean().map((boolValue) => ({ boolValue })),
    int64.map((intValue) => ({ intValue: String(intValue) })),
    double.map((doubleValue) => ({ doubleValue })),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => ({
      bytesValue: Buffer.from(bytes).toString('base64'),
    })),
    fc.constant({}),
    fc.array(tie('value'), { maxLength: 4 }).map((values) => ({ arrayValue: { values } })),
    fc.array(tie('entry'), { maxLength: 4 }).map((values) => ({ kvlistValue: { values } })),
  ),
  entry: fc.record({ key, value: tie('value') }, { requiredKeys: [] }),
})).value;

const keyValue = fc.record({ key, value: anyValue }, { requiredKeys: ['key'] });
const attributes = fc.array(keyValue, { maxLength: 6 });

const event = fc.record(
  { timeUnixNano: time, name: text, attributes, droppedAttributesCount: uint32 },
  { requiredKeys: [] },
);
const link = fc.record(
  { traceId: hexId(16), spanId: hexId(8), traceState: text, attributes, flags: uint32 },
  { requiredKeys: ['traceId'] },
);
const status = fc.record(
  { code: fc.integer({ min: 0, max: 4 }), message: text },
  { requiredKeys: [] },
);

const span: fc.Arbitrary<Plain> = fc.record(
  {
    traceId: hexId(16),
    spanId: hexId(8),
    traceState: text,
    parentSpanId: fc.oneof(hexId(8), fc.constantFrom('', '0000000000000000')),
    flags: uint32,
    name: text,
    kind: fc.integer({ min: -3, max: 99 }),
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes,
    droppedAttributesCount: uint32,
    events: fc.array(event, { maxLength: 3 }),
    droppedEventsCount: uint32,
    links: fc.array(link, { maxLength: 2 }),
    droppedLinksCount: uint32,
    status,
  },
  { requiredKeys: ['traceId', 'spanId'] },
);

const scope = fc.record({ name: text, version: text, attributes }, { requiredKeys: [] });
const resource = fc.record({ attributes, droppedAttributesCount: uint32 }, { requiredKeys: [] });
const scopeSpans = fc.record(
  { scope, spans: fc.array(span, { maxLength: 4 }), schemaUrl: text },
  { requiredKeys: ['spans'] },
);
const resourceSpans = fc.record(
  { resource, scopeSpans: fc.array(scopeSpans, { maxLength: 3 }), schemaUrl: text },
  { requiredKeys: ['scopeSpans'] },
);

/** A whole request. */
export const request: fc.Arbitrary<Plain> = fc
  .array(resourceSpans, { maxLength: 3 })
  .map((groups) => ({ resourceSpans: groups }));
