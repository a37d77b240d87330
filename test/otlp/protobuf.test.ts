import { describe, expect, it } from 'vitest';
import { annotateTraces } from '../../src/otlp/annotate.js';
import { defaultOtlpLimits } from '../../src/otlp/limits.js';
import { indexTraces } from '../../src/otlp/span-index.js';
import { encodeRequest, oracleSpans, plainSpan } from './oracle.js';
import { field, varint } from './raw-message.js';
import {
  attribute,
  idFields,
  onlyRejection,
  onlySpan,
  rawSpanId,
  rawTraceId,
  readBytes,
  request,
  spanId,
  traceId,
} from './samples.js';

const text = (value: string) => field(1, value);
const bytes = (...values: number[]) => Buffer.from(values);

function malformed(body: Uint8Array): string {
  const indexed = indexTraces(body);
  if (indexed.kind !== 'malformed') throw new Error('was read');
  return indexed.message;
}

describe('messages in unusual pieces', () => {
  it('P1: fields may come in any order, after their attributes too', () => {
    const span = [attribute('a', text('x')), field(5, 'name'), ...idFields.toReversed()];
    expect(onlySpan(readBytes(request(span)))).toMatchObject({ name: 'name', traceId, spanId });
    const group = Buffer.concat([
      field(2, field(2, Buffer.concat(idFields))),
      field(1, field(1, Buffer.concat([text('service.name'), field(2, text('late'))]))),
    ]);
    expect(onlySpan(readBytes(field(1, group))).resource.attribute('service.name')).toBe('late');
  });

  it('P2: pieces of one message merge, and of a number the last counts', () => {
    const value = Buffer.concat([text('gone'), field(1, 'kept')]);
    const body = request([
      ...idFields,
      field(15, field(2, 'first')),
      field(15, bytes(0x18, 2)),
      bytes(0x30, 1, 0x30, 3),
      field(5, 'old'),
      field(5, 'new'),
      attribute('last', value),
      field(
        9,
        Buffer.concat([
          text('pieces'),
          field(2, field(5, field(1, bytes(0x18, 1)))),
          field(2, field(5, field(1, bytes(0x18, 2)))),
        ]),
      ),
      attribute('replaced', Buffer.concat([field(5, field(1, bytes(0x18, 1))), bytes(0x10, 1)])),
    ]);
    const span = onlySpan(readBytes(body));
    expect(span.status).toEqual({ code: 'error', message: 'first' });
    expect([span.kind, span.name]).toEqual([3, 'new']);
    expect(span.attribute('last')).toBe('kept');
    expect(span.attribute('pieces')).toEqual([1, 2]);
    expect(span.attribute('replaced')).toBe(true);
    expect([plainSpan(span)]).toEqual(oracleSpans(body));
  });

  it('P2: a resource and a scope in pieces merge', () => {
    const entry = (key: string) => Buffer.concat([text(key), field(2, text('v'))]);
    const group = Buffer.concat([
      field(1, field(1, entry('a'))),
      field(
        2,
        Buffer.concat([
          field(1, field(1, 'scope')),
          field(1, field(2, '2.0')),
          field(2, Buffer.concat(idFields)),
        ]),
      ),
      field(1, field(1, entry('b'))),
    ]);
    const span = onlySpan(readBytes(field(1, group)));
    expect(span.resource.attributeKeys()).toEqual(['a', 'b']);
    expect(span.scope).toMatchObject({ name: 'scope', version: '2.0' });
  });

  it('P3: a known field of another wire type is an unknown field', () => {
    const span = onlySpan(
      readBytes(request([...idFields, bytes(0x28, 7), field(6, 'x'), field(7, 'y')])),
    );
    expect([span.name, span.kind, span.startUnixNano]).toEqual(['', 0, 0n]);
  });

  it('takes lengths and tags that are longer than they need be, and keeps them when forwarding', () => {
    const padded = Buffer.concat([
      bytes(0x9a, 0x80, 0x00),
      bytes(0x89, 0x80, 0x00),
      Buffer.alloc(9),
    ]);
    const attributes = Buffer.concat([text('a'), bytes(0x12, 0x83, 0x00), bytes(0x18, 0x87, 0x00)]);
    const body = request([...idFields, field(9, attributes), padded]);
    const span = onlySpan(readBytes(body));
    expect(span.attribute('a')).toBe(7);
  });
});

describe('broken framing refuses the request', () => {
  it('P4: a varint of more than ten bytes', () => {
    const long = Buffer.concat([bytes(0x30), Buffer.alloc(10, 0xff), bytes(1)]);
    expect(malformed(request([...idFields, long]))).toContain('a varint of more than ten bytes');
    const longest = Buffer.concat([bytes(0x30), Buffer.alloc(9, 0xff), bytes(1)]);
    expect(onlySpan(readBytes(request([...idFields, longest]))).kind).toBe(-1);
  });

  it.each([
    ['field number 0', bytes(0x02, 0), 'field number 0'],
    ['group start', bytes(0x1b), 'wire type 3'],
    ['group end', bytes(0x1c), 'wire type 4'],
    ['wire type 6', bytes(0x1e, 0), 'wire type 6'],
    ['wire type 7', bytes(0x1f, 0), 'wire type 7'],
  ])('P5: %s, at the top and inside a span', (_, field_, message) => {
    expect(malformed(field_)).toContain(message);
    expect(malformed(request([...idFields, field_]))).toContain(message);
  });

  it('P6: a length beyond its message, even if the buffer goes on', () => {
    const inner = Buffer.concat([...idFields, bytes(0x2a, 50), Buffer.from('short')]);
    const body = Buffer.concat([field(1, field(2, field(2, inner))), Buffer.alloc(100)]);
    expect(malformed(body)).toContain('a field of 50 bytes or more where 5 are left');
    expect(malformed(bytes(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f))).toContain('are left');
    // 2^32 and 2^35 must not be taken for 0.
    expect(malformed(bytes(0x0a, 0x80, 0x80, 0x80, 0x80, 0x10))).toContain('are left');
    expect(malformed(bytes(0x0a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01))).toContain('are left');
    expect(malformed(request([...idFields, bytes(0x39, 1, 2, 3)]))).toContain(
      'a number of 8 bytes where 3 are left',
    );
  });

  it('P6: truncation at every byte is either broken framing or a whole number of groups', () => {
    const group = encodeRequest({
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'a' } }] },
          scopeSpans: [
            {
              scope: { name: 's' },
              spans: [
                {
                  traceId,
                  spanId,
                  name: 'chat',
                  attributes: [
                    {
                      key: 'k',
                      value: { kvlistValue: { values: [{ key: 'x', value: { intValue: '-5' } }] } },
                    },
                    { key: 'd', value: { doubleValue: 2.5 } },
                  ],
                  events: [{ name: 'e', timeUnixNano: '7' }],
                  links: [{ traceId, spanId }],
                  status: { code: 2, message: 'no' },
                },
              ],
            },
          ],
        },
      ],
    });
    const body = Buffer.concat([group, group]);
    for (let length = 0; length < body.length; length += 1) {
      const indexed = indexTraces(body.subarray(0, length));
      const isWhole = length === 0 || length === group.length;
      expect([length, indexed.kind]).toEqual([length, isWhole ? 'ok' : 'malformed']);
    }
    // The same cut inside the span, with every outer length made to fit.
    const span = field(2, Buffer.concat(idFields));
    for (let length = 0; length < span.length; length += 1) {
      expect(['ok', 'malformed']).toContain(
        indexTraces(field(1, field(2, span.subarray(0, length)))).kind,
      );
    }
  });

  it('P12: gzip, JSON and UTF-16 sent as protobuf are named', () => {
    expect(malformed(bytes(0x1f, 0x8b, 8, 0, 0, 0))).toContain('looks like gzip');
    expect(malformed(Buffer.from('{"resourceSpans":[]}'))).toContain('looks like JSON');
    expect(malformed(Buffer.from('\ufeff{}', 'utf16le'))).toContain('looks like UTF-16');
  });
});

describe('a bad span is refused alone', () => {
  it.each([
    [
      'P7: no trace id',
      [field(2, rawSpanId)],
      'trace_id is missing; expected 16 bytes, not all zero',
    ],
    [
      'P7: a short trace id',
      [field(1, rawTraceId.subarray(8)), field(2, rawSpanId)],
      'trace_id has 8 bytes; expected 16 bytes, not all zero',
    ],
    [
      'P7: an all-zero span id',
      [field(1, rawTraceId), field(2, Buffer.alloc(8))],
      'span_id is all zero; expected 8 bytes, not all zero',
    ],
    [
      'P7: a short parent id',
      [...idFields, field(4, bytes(1, 2, 3))],
      'parent_span_id has 3 bytes; expected 8 bytes, not all zero',
    ],
    [
      'P7: a short link id',
      [...idFields, field(13, field(1, bytes(1)))],
      'link trace_id has 1 bytes; expected 16 bytes, not all zero',
    ],
    [
      'P8: hex text in an id',
      [field(1, traceId), field(2, rawSpanId)],
      'trace_id has 32 bytes that look like hex text instead of the raw id; expected 16 bytes, not all zero',
    ],
    [
      'P8: hex text read as base64',
      [field(1, Buffer.from(traceId, 'base64')), field(2, rawSpanId)],
      'trace_id has 24 bytes, as if hex text had been decoded as base64; expected 16 bytes, not all zero',
    ],
  ])('%s', (_, span, message) => {
    const read = readBytes(request(span, idFields));
    expect(onlyRejection(read)).toMatchObject({
      reason: 'bad_id',
      message,
      at: 'resourceSpans[0].scopeSpans[0].spans[0]',
    });
    expect(read.spans).toHaveLength(1);
  });

  it('is left out when the request is forwarded', () => {
    const body = request(
      idFields,
      [field(2, rawSpanId), field(5, 'bad')],
      [...idFields, field(5, 'x')],
    );
    const { batch } = readBytes(body);
    const event = { name: 'verdict', timeUnixNano: 5n, attributes: {} };
    const forwarded = annotateTraces(batch, new Map([[1, [event]]]));
    expect(Buffer.from(forwarded).includes('bad')).toBe(false);
    expect(readBytes(forwarded).spans.map((span) => [span.name, span.events().length])).toEqual([
      ['', 0],
      ['x', 1],
    ]);
    expect(oracleSpans(forwarded)).toHaveLength(2);
    const allBad = readBytes(request([field(2, rawSpanId)]));
    expect(oracleSpans(annotateTraces(allBad.batch, new Map()))).toEqual([]);
  });

  it('is counted without end and told up to a limit', () => {
    const bad = Buffer.concat(Array.from({ length: 200_000 }, () => Buffer.from([0x12, 0])));
    const good = field(2, Buffer.concat([...idFields]));
    const indexed = indexTraces(field(1, field(2, Buffer.concat([bad, good, bad]))));
    if (indexed.kind !== 'ok') throw new Error(indexed.message);
    expect([indexed.rejected, indexed.rejections.length]).toEqual([400_000, 10_000]);
    expect(indexed.batch.index.cuts.count).toBe(2);
    expect(oracleSpans(annotateTraces(indexed.batch, new Map()))).toHaveLength(1);
  });

  it('P11: too deep a value, also in an event, a link, the resource', () => {
    const nest = (levels: number): Buffer =>
      levels === 1 ? bytes(0x18, 1) : field(5, field(1, nest(levels - 1)));
    const entry = (levels: number) => Buffer.concat([text('k'), field(2, nest(levels))]);
    const depth = defaultOtlpLimits.maxValueDepth;
    expect(
      onlySpan(readBytes(request([...idFields, field(9, entry(depth))]))).attributeKeys(),
    ).toEqual(['k']);
    for (const number of [9, 11, 13]) {
      const inner =
        number === 9 ? entry(depth + 1) : field(number === 11 ? 3 : 4, entry(depth + 1));
      const read = readBytes(request([...idFields, field(number, inner)], idFields));
      expect([onlyRejection(read).reason, read.spans.length]).toEqual(['too_deep', 1]);
    }
    const group = Buffer.concat([
      field(2, field(2, Buffer.concat(idFields))),
      field(1, field(1, entry(depth + 1))),
    ]);
    const read = readBytes(Buffer.concat([field(1, group), request(idFields)]));
    expect(onlyRejection(read)).toMatchObject({ reason: 'too_deep', traceId });
    expect(read.spans).toHaveLength(1);
  });

  it('P11: 200,000 levels are refused without a crash', () => {
    let value = bytes(0x18, 1);
    const pieces: Buffer[] = [];
    let length = value.length;
    for (let level = 0; level < 200_000; level += 1) {
      const list = Buffer.concat([bytes(0x0a), varint(length)]);
      const any = Buffer.concat([bytes(0x2a), varint(length + list.length)]);
      pieces.push(list, any);
      length += list.length + any.length;
    }
    value = Buffer.concat([...pieces.toReversed(), value]);
    const read = readBytes(request([...idFields, attribute('deep', value)], idFields));
    expect([onlyRejection(read).reason, read.spans.length]).toEqual(['too_deep', 1]);
  });

  it('refuses a span of too many elements or bytes', () => {
    const limits = { ...defaultOtlpLimits, maxSpanElements: 20, maxSpanBytes: 500 };
    const many = Array.from({ length: 21 }, (_, index) => attribute(`k${index}`, bytes(0x18, 1)));
    const read = readBytes(
      request([...idFields, ...many], [...idFields, field(5, 'x'.repeat(600))], idFields),
      limits,
    );
    expect(read.rejections.map(({ reason }) => reason)).toEqual(['too_large', 'too_large']);
    expect(read.spans).toHaveLength(1);
  });
});

describe('values', () => {
  it('P9: invalid UTF-8 in every string field reads as U+FFFD, is counted and forwarded as it came', () => {
    const bad = Buffer.from([0x61, 0xff, 0x62]);
    const entry = Buffer.concat([field(1, bad), field(2, field(1, bad))]);
    const scope = Buffer.concat([field(1, bad), field(2, bad)]);
    const span = [
      ...idFields,
      field(3, bad),
      field(5, bad),
      field(9, entry),
      field(11, field(2, bad)),
      field(15, field(2, bad)),
    ];
    const group = Buffer.concat([field(1, scope), field(2, Buffer.concat(span)), field(3, bad)]);
    const body = field(1, Buffer.concat([field(2, group), field(3, bad)]));
    const read = readBytes(body);
    const seen = onlySpan(read);
    const expected = 'a\ufffdb';
    expect([
      seen.name,
      seen.status.message,
      seen.events()[0]?.name,
      seen.scope.name,
      seen.scope.version,
    ]).toEqual(Array(5).fill(expected));
    expect([seen.attributeKeys(), seen.attribute(expected)]).toEqual([[expected], expected]);
    expect(read.batch.index.counters.invalidUtf8).toBeGreaterThanOrEqual(6);
    expect(annotateTraces(read.batch, new Map())).toEqual(body);
  });

  it('P9: a real U+FFFD is not counted', () => {
    const read = readBytes(request([...idFields, field(5, 'a\ufffdb')]));
    expect(onlySpan(read).name).toBe('a\ufffdb');
    expect(read.batch.index.counters.invalidUtf8).toBe(0);
  });

  it('P10: takes any times: none, end before start, the year 2554', () => {
    const time = (number: number, value: bigint) => {
      const raw = Buffer.alloc(9);
      raw[0] = number * 8 + 1;
      raw.writeBigUInt64LE(value, 1);
      return raw;
    };
    const span = onlySpan(readBytes(request([...idFields, time(7, 2n ** 64n - 1n), time(8, 5n)])));
    expect([span.startUnixNano, span.endUnixNano]).toEqual([2n ** 64n - 1n, 5n]);
  });

  it('finds attributes by key when many keys collide in the table', () => {
    const keys = Array.from({ length: 3000 }, (_, index) => `k${String(index).padStart(6, '0')}x`);
    const fields = keys.map((key, index) =>
      attribute(key, Buffer.concat([bytes(0x18), varint(index)])),
    );
    const span = onlySpan(readBytes(request([...idFields, ...fields])));
    expect(keys.map((key) => span.attribute(key))).toEqual(keys.map((_, index) => index));
    expect(span.attributeKeys()).toEqual(keys);
  });

  it('reads instrumentation_library_spans of old protos and counts them', () => {
    const read = readBytes(field(1, field(1000, field(2, Buffer.concat(idFields)))));
    expect(onlySpan(read).spanId).toBe(spanId);
    expect(read.batch.index.counters.deprecatedGroups).toBe(1);
  });
});
