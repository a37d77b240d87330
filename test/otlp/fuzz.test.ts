import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { annotateTraces } from '../../src/otlp/annotate.js';
import { assembleTraces } from '../../src/otlp/assemble.js';
import { encodeJsonTraces } from '../../src/otlp/json-to-protobuf.js';
import { indexTraces } from '../../src/otlp/span-index.js';
import type { JsonValue } from '../../src/util/json.js';
import { jsonText } from '../../src/util/json-text.js';
import { encodeRequest, plainSpan } from './oracle.js';
import { request } from './requests.js';

type Edit = readonly [place: number, kind: number, byte: number];

const edits = fc.array(
  fc.tuple(fc.nat(), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 255 })),
  { minLength: 1, maxLength: 12 },
);

/** Overwrites, inserts, removes or cuts at pseudo-random places. */
function mutate(bytes: Buffer, changes: readonly Edit[]): Buffer {
  let result = bytes;
  for (const [place, kind, byte] of changes) {
    const at = place % (result.length + 1);
    const before = result.subarray(0, at);
    if (kind === 0) result = Buffer.concat([before, Buffer.from([byte]), result.subarray(at + 1)]);
    if (kind === 1) result = Buffer.concat([before, Buffer.from([byte]), result.subarray(at)]);
    if (kind === 2) result = Buffer.concat([before, result.subarray(at + 1)]);
    if (kind === 3 && byte < 32) result = Buffer.from(before);
  }
  return result;
}

/** Uses everything that was indexed; what was read once must be read again after forwarding. */
function useAll(bytes: Uint8Array): void {
  const indexed = indexTraces(bytes);
  if (indexed.kind === 'malformed') {
    expect(indexed.offset).toBeLessThanOrEqual(bytes.length);
    return;
  }
  const { batch } = indexed;
  const seen = [...batch].map(plainSpan);
  const event = { name: 'e', timeUnixNano: 1n, attributes: { a: 'b' } };
  const all = new Map(seen.map((_, row) => [row, [event]] as const));
  const forwarded = indexTraces(annotateTraces(batch, all));
  if (forwarded.kind !== 'ok') throw new Error(forwarded.message);
  expect(forwarded.rejections).toEqual([]);
  const events = [{ name: 'e', time: 1n, droppedAttributes: 0, attributes: [['a', 'b']] }];
  expect([...forwarded.batch].map(plainSpan)).toEqual(
    seen.map((span) => ({ ...span, events: [...span.events, ...events] })),
  );
  const assembled = indexTraces(assembleTraces(seen.map((_, row) => ({ batch, row }))));
  expect(assembled.kind === 'ok' && assembled.batch.size).toBe(seen.length);
}

describe('bytes of any kind', () => {
  it('a mutated protobuf request is read or refused, never thrown on', () => {
    fc.assert(
      fc.property(request, edits, (plain, changes) => {
        useAll(mutate(encodeRequest(plain), changes));
      }),
      { numRuns: 400 },
    );
  });

  it('random bytes are read or refused, never thrown on', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        useAll(bytes);
        encodeJsonTraces(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('a mutated JSON request becomes protobuf that can be read, or is refused', () => {
    fc.assert(
      fc.property(request, edits, (plain, changes) => {
        const encoded = encodeJsonTraces(mutate(Buffer.from(jsonText(toJson(plain))), changes));
        if (encoded.kind === 'malformed') {
          expect(encoded.line).toBeGreaterThan(0);
          return;
        }
        const indexed = indexTraces(encoded.bytes);
        if (indexed.kind !== 'ok') throw new Error(indexed.message);
        // The JSON reader has refused every bad span already.
        expect(indexed.rejections).toEqual([]);
        useAll(encoded.bytes);
      }),
      { numRuns: 400 },
    );
  });

  it('a JSON request cut anywhere is refused with its place', () => {
    const body = Buffer.from(
      '{"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"a\\u00e9\\ud83d\\ude00","attributes":[{"key":"k","value":{"doubleValue":-1.5e3}}],"extra":[{"x":null}]}]}]}]}',
    );
    for (let length = 0; length < body.length; length += 1) {
      expect(encodeJsonTraces(body.subarray(0, length))).toMatchObject({
        kind: 'malformed',
        line: 1,
      });
    }
    expect(encodeJsonTraces(body).kind).toBe('ok');
  });
});

function toJson(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item)]));
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null;
}
