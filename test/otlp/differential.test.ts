import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { annotateTraces } from '../../src/otlp/annotate.js';
import { assembleTraces } from '../../src/otlp/assemble.js';
import type { SpanEventData } from '../../src/otlp/event-writer.js';
import { encodeJsonTraces } from '../../src/otlp/json-to-protobuf.js';
import type { SpanBatch } from '../../src/otlp/span-batch.js';
import { indexTraces } from '../../src/otlp/span-index.js';
import type { JsonValue } from '../../src/util/json.js';
import { jsonText } from '../../src/util/json-text.js';
import { encodeRequest, oracleSpans, type Plain, type PlainSpan, plainSpan } from './oracle.js';
import { mapMessages, type RawField, requestShape, spanShape } from './raw-message.js';
import { request } from './requests.js';

const runs = { numRuns: 200 };

function indexOk(bytes: Uint8Array): SpanBatch {
  const indexed = indexTraces(bytes);
  if (indexed.kind !== 'ok') throw new Error(indexed.message);
  expect(indexed.rejections).toEqual([]);
  return indexed.batch;
}

function spansOf(bytes: Uint8Array): PlainSpan[] {
  return [...indexOk(bytes)].map(plainSpan);
}

/** Unknown fields of every wire type, in numbers that OTLP does not use. */
const unknownField: fc.Arbitrary<RawField> = fc.oneof(
  fc
    .uint8Array({ maxLength: 8 })
    .map((bytes) => ({ tag: 250 * 8 + 2, payload: Buffer.from(bytes) })),
  fc.constantFrom(
    { tag: 251 * 8, payload: Buffer.from([0x96, 0x01]) },
    { tag: 252 * 8 + 1, payload: Buffer.alloc(8, 7) },
    { tag: 253 * 8 + 5, payload: Buffer.alloc(4, 9) },
    { tag: 3000 * 8 + 2, payload: Buffer.from('of a later version') },
  ),
);

/** The request with unknown fields in some of its messages, at every level. */
const requestWithUnknown: fc.Arbitrary<Buffer> = fc
  .tuple(request, fc.array(fc.tuple(unknownField, fc.nat()), { minLength: 1, maxLength: 40 }))
  .map(([plain, unknown]) => {
    let next = 0;
    return mapMessages(encodeRequest(plain), requestShape, (fields) => {
      const [added, place] = unknown[next++ % unknown.length] ?? [];
      if (added === undefined || place === undefined || next % 3 === 0) return fields;
      const at = place % (fields.length + 1);
      return [...fields.slice(0, at), added, ...fields.slice(at)];
    });
  });

const eventData: fc.Arbitrary<SpanEventData> = fc.record({
  name: fc.string({ unit: 'grapheme', maxLength: 50 }),
  timeUnixNano: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  attributes: fc.dictionary(
    fc.string({ maxLength: 10 }),
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.boolean(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.array(fc.string({ maxLength: 20 }), { maxLength: 4 }),
    ),
    { maxKeys: 5 },
  ),
});

/** Without empty names and zero times, which protobufjs leaves out and Retrial writes. */
const fullEvent = eventData.filter(
  ({ name, timeUnixNano, attributes }) => name !== '' && timeUnixNano > 0n && !('' in attributes),
);

describe('the index against protobufjs', () => {
  it('reads every field of every span as protobufjs does', () => {
    fc.assert(
      fc.property(request, (plain) => {
        const bytes = encodeRequest(plain);
        expect(spansOf(bytes)).toEqual(oracleSpans(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('P1: reads the same when fields come in any order and unknown fields stand between', () => {
    fc.assert(
      fc.property(requestWithUnknown, fc.nat(), (bytes, seed) => {
        // Fields of different numbers may change places; the order within a number is kept.
        const shuffled = mapMessages(bytes, requestShape, (fields) =>
          fields.toSorted((a, b) => ((a.tag * 31 + seed) % 97) - ((b.tag * 31 + seed) % 97)),
        );
        expect(spansOf(shuffled)).toEqual(oracleSpans(shuffled));
        expect(spansOf(bytes)).toEqual(oracleSpans(bytes));
      }),
      runs,
    );
  });
});

describe('JSON against protobuf', () => {
  it('the JSON form of a request is read as its protobuf form is', () => {
    fc.assert(
      fc.property(request, fc.boolean(), (plain, hasNumbers) => {
        const bytes = encodeRequest(plain);
        const encoded = encodeJsonTraces(jsonText(jsonForm(plain, hasNumbers)));
        if (encoded.kind !== 'ok') throw new Error(encoded.message);
        expect(encoded.rejections).toEqual([]);
        expect(spansOf(encoded.bytes)).toEqual(spansOf(bytes));
        expect(oracleSpans(encoded.bytes)).toEqual(oracleSpans(bytes));
      }),
      runs,
    );
  });
});

/** 64-bit integers as JSON numbers instead of strings. */
function jsonForm(value: unknown, hasNumbers: boolean, key = ''): JsonValue {
  if (Array.isArray(value)) return value.map((item) => jsonForm(item, hasNumbers));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, jsonForm(item, hasNumbers, name)]),
    );
  }
  const is64Bit = key.endsWith('UnixNano') || key === 'intValue';
  if (hasNumbers && is64Bit) return BigInt(String(value));
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null;
}

describe('annotating', () => {
  it('equals the received bytes plus the events, unknown fields at every level kept', () => {
    fc.assert(
      fc.property(
        requestWithUnknown,
        fc.array(fc.tuple(fc.nat({ max: 40 }), fc.array(fullEvent, { maxLength: 3 }))),
        (bytes, wanted) => {
          const batch = indexOk(bytes);
          const additions = new Map(wanted.filter(([row]) => row < batch.size));
          const annotated = annotateTraces(batch, additions);
          // The reference takes the message apart with protobufjs and puts it together again.
          let row = 0;
          const rebuilt = mapMessages(bytes, requestShape, (fields, shape) => {
            if (shape !== spanShape) return fields;
            const added = additions.get(row++) ?? [];
            return [...fields, ...added.map(rawEvent)];
          });
          expect(Buffer.from(annotated).equals(rebuilt)).toBe(true);
        },
      ),
      runs,
    );
  });

  it('is read back by protobufjs as the spans with their events appended', () => {
    fc.assert(
      fc.property(request, eventData, (plain, event) => {
        const bytes = encodeRequest(plain);
        const batch = indexOk(bytes);
        const additions = new Map([...batch].map((_, row) => [row, [event]] as const));
        const expected = oracleSpans(bytes).map((span) => ({
          ...span,
          events: [...span.events, plainEvent(event)],
        }));
        expect(oracleSpans(annotateTraces(batch, additions))).toEqual(expected);
      }),
      runs,
    );
  });
});

describe('assembling', () => {
  it('holds exactly the chosen spans, byte for byte, under their resource and scope', () => {
    fc.assert(
      fc.property(requestWithUnknown, requestWithUnknown, fc.nat(), (one, two, seed) => {
        const batches = [indexOk(one), indexOk(two), indexOk(one)];
        const parts = batches.flatMap((batch, place) =>
          [...batch]
            .map((_, row) => ({ batch, row }))
            .filter(({ row }) => (row * 7 + place + seed) % 3 !== 0),
        );
        const assembled = assembleTraces(parts);
        const expected = parts.map(({ batch, row }) => plainSpan(batch.span(row)));
        expect(sorted(spansOf(assembled))).toEqual(sorted(expected));
        expect(sorted(oracleSpans(assembled))).toEqual(sorted(expected));
        const sent = [...indexOk(assembled)].map((_, row) =>
          Buffer.from(indexOk(assembled).spanBytes(row)).toString('latin1'),
        );
        const received = parts.map(({ batch, row }) =>
          Buffer.from(batch.spanBytes(row)).toString('latin1'),
        );
        expect(sent.toSorted()).toEqual(received.toSorted());
      }),
      { numRuns: 100 },
    );
  });
});

function sorted(spans: readonly PlainSpan[]): string[] {
  const replacer = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
  return spans.map((span) => JSON.stringify(span, replacer)).toSorted();
}

function plainEvent(event: SpanEventData): Plain {
  return {
    name: event.name,
    time: event.timeUnixNano,
    droppedAttributes: 0,
    attributes: Object.entries(event.attributes).map(([key, value]) => [
      key,
      typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value,
    ]),
  };
}

/** The event as a raw field of a span, encoded by protobufjs. */
function rawEvent(event: SpanEventData): RawField {
  const attributes = Object.entries(event.attributes).map(([key, value]) => {
    if (typeof value === 'string') return { key, value: { stringValue: value } };
    if (typeof value === 'boolean') return { key, value: { boolValue: value } };
    if (typeof value === 'bigint') return { key, value: { intValue: String(value) } };
    if (typeof value === 'number') return { key, value: { doubleValue: value } };
    const values = value.map((stringValue) => ({ stringValue }));
    return { key, value: { arrayValue: { values } } };
  });
  const span = {
    events: [{ timeUnixNano: String(event.timeUnixNano), name: event.name, attributes }],
  };
  const bytes = encodeRequest({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  let found: RawField | null = null;
  mapMessages(bytes, requestShape, (fields, shape) => {
    if (shape === spanShape) found = fields[0] ?? null;
    return fields;
  });
  if (found === null) throw new Error('the oracle wrote no event');
  return found;
}
