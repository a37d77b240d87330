import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleTraces } from '../../src/otlp/assemble.js';
import { startPeer } from '../support/otlp-peer.js';
import {
  batchOf,
  comparable,
  expectBalanced,
  forwardedSpans,
  gradeBytes,
  recording,
  refundDocument,
  startTestServe,
} from './serve-support.js';

/** Spans of two traces with different verdicts, each a request part of its own. */
const recordings = [recording('handoff'), recording('good')];
const parts = recordings.flatMap((bytes) => {
  const batch = batchOf(bytes);
  return Array.from({ length: batch.size }, (_, row) => ({ batch, row }));
});
const indexes = parts.map((_, index) => index);

/** How the spans travel: their order, which come twice, where requests are cut, and pauses between them. */
const journey = fc.record({
  order: fc.shuffledSubarray(indexes, { minLength: parts.length }),
  twice: fc.subarray(indexes),
  cuts: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 60, maxLength: 60 }),
  pauses: fc.array(fc.constantFrom(0, 0, 0, 500, 2_000, 31_000), { minLength: 60, maxLength: 60 }),
});

describe('promise 1: stream = batch', () => {
  it('any order, split, duplication and delay gives the report of the same bytes offline', async () => {
    const offline = comparable(await gradeBytes(recordings, refundDocument));
    await fc.assert(
      fc.asyncProperty(journey, async ({ order, twice, cuts, pauses }) => {
        const backend = await startPeer();
        const serve = await startTestServe(`
specs: [ { files: [${refundDocument}] } ]
destinations: [ { name: backend, otlp_http: ${backend.url.href} } ]
`);
        try {
          const queue = [...order, ...twice];
          for (let sent = 0; queue.length > 0; sent += 1) {
            const chosen = queue.splice(0, cuts[sent] ?? 1).flatMap((index) => parts[index] ?? []);
            const { status } = await serve.send(assembleTraces(chosen));
            expect(status).toBe(200);
            await serve.pass(pauses[sent] ?? 0);
            expectBalanced(serve);
          }
          await serve.pass(31_000);
          expect(comparable(serve.report())).toEqual(offline);
          // Every span went out, and none of them twice, however often it came.
          expect(serve.counts()).toMatchObject({
            received: parts.length + twice.length,
            held: 0,
            discarded: twice.length === 0 ? {} : { duplicate: twice.length },
            destinations: { backend: { queued: 0, forwarded: parts.length } },
          });
          const ids = forwardedSpans(backend).map(({ span }) => `${span.traceId}/${span.spanId}`);
          expect(new Set(ids).size).toBe(parts.length);
          expect(ids).toHaveLength(parts.length);
        } finally {
          await serve.stop();
          await backend.stop();
        }
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it('late spans make a new generation, with its results on the late spans', async () => {
    const backend = await startPeer();
    const serve = await startTestServe(`
specs: [ { files: [${refundDocument}] } ]
destinations: [ { name: backend, otlp_http: ${backend.url.href} } ]
`);
    const batch = batchOf(recording('good'));
    const rows = Array.from(batch, (span, row) => ({ span, batch, row }));
    // The spans of the second model step come after the trace was taken for over.
    const late = rows.filter(
      ({ span }) =>
        span.name === 'step 2' ||
        span.parentSpanId === rows.find((r) => r.span.name === 'step 2')?.span.spanId,
    );
    await serve.send(assembleTraces(rows.filter((row) => !late.includes(row))));
    await serve.pass(30_000);
    const first = serve.report().units[0];
    expect(first?.generation).toBe(1);
    await serve.send(assembleTraces(late));
    await serve.pass(30_000);
    const offline = await gradeBytes([recording('good')], refundDocument);
    expect(comparable(serve.report())).toEqual(comparable(offline));
    expect(serve.report().units[0]?.generation).toBe(2);
    const generations = forwardedSpans(backend).flatMap(({ span, events }) =>
      events
        .filter((e) => e.name === 'gen_ai.evaluation.result')
        .map((e) => [span.spanId, e.attributes['retrial.generation']]),
    );
    const lateIds = late.map(({ span }) => span.spanId);
    for (const [spanId, generation] of generations) {
      expect(generation).toBe(lateIds.includes(String(spanId)) ? 2 : 1);
    }
    const lastToEnd = [...late].sort((a, b) => Number(b.span.endUnixNano - a.span.endUnixNano))[0];
    const onLast = forwardedSpans(backend).find(
      ({ span }) => span.spanId === lastToEnd?.span.spanId,
    );
    expect(onLast?.events.some((e) => e.attributes['retrial.rule'] === '')).toBe(true);
    expectBalanced(serve);
    await serve.stop();
    await backend.stop();
  });
});
