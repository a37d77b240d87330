import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HoldLimits } from '../../src/hold/release.js';
import { TraceHold } from '../../src/hold/trace-hold.js';
import { createReferenceHold } from './reference-model.js';
import { defaults, notes, span, type TestSpan } from './spans.js';

/**
 * Random histories on the real hold and on the plain one: span, duplicate, late, time, eviction, drain.
 * Few ids and tight limits, so that every path is met often.
 */
const spanArbitrary: fc.Arbitrary<TestSpan> = fc
  .record({
    trace: fc.constantFrom('t1', 't2', 't3', 't4'),
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    parent: fc.constantFrom(null, 'a', 'b', 'c'),
    end: fc.constantFrom(0n, 5n, 5n, 9n),
    size: fc.constantFrom(3, 10, 40),
  })
  .map(({ trace, id, parent, end, size }) =>
    span(id, { trace, parent, end, size, note: `${size} ${trace}${id}${parent}${end}` }),
  );

const operation = fc.oneof(
  { weight: 6, arbitrary: spanArbitrary.map((value) => ({ kind: 'span' as const, value })) },
  { weight: 2, arbitrary: fc.nat(50).map((back) => ({ kind: 'repeat' as const, back })) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(1, 1_999, 2_000, 10_000, 30_000, 70_000)
      .map((ms) => ({ kind: 'time' as const, ms })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'drain' as const }) },
);

const limits: fc.Arbitrary<HoldLimits> = fc.record({
  decisionWaitMs: fc.constantFrom(30_000, 1_000),
  decisionWaitAfterRootMs: fc.constant(2_000),
  maxTraceDurationMs: fc.constantFrom(86_400_000, 12_000),
  maxTraceSpans: fc.constantFrom(100, 3),
  maxTraceBytes: fc.constantFrom(10_000, 60),
  maxBytes: fc.constantFrom(100_000, 150),
  rememberMs: fc.constantFrom(600_000, 20_000),
  maxRemembered: fc.constant(defaults.maxRemembered),
});

describe('the hold behaves as its plain reference', () => {
  it('releases the same traces for the same reasons, and loses no span, in 2,000 histories', () => {
    fc.assert(
      fc.property(limits, fc.array(operation, { maxLength: 40 }), (chosen, history) => {
        const hold = new TraceHold<TestSpan>(chosen);
        const model = createReferenceHold(chosen);
        const sent: TestSpan[] = [];
        let now = 0;
        let received = 0;
        let setAside = 0;
        let released = 0;

        const compare = (take: 'takeReleases' | 'drain'): void => {
          const actual = hold[take](now).map(({ traceId, generation, reason, spans }) => ({
            traceId,
            generation,
            reason,
            spans: notes(spans),
          }));
          const byTrace = (a: { traceId: string; generation: number }, b: typeof a): number =>
            a.traceId.localeCompare(b.traceId) || a.generation - b.generation;
          expect([...actual].sort(byTrace)).toEqual([...model[take](now)].sort(byTrace));
          released += actual.reduce((n, release) => n + release.spans.length, 0);
          const { spans, bytes, rememberedBytes } = hold.usage;
          expect(spans).toBe(model.heldSpans());
          expect(bytes + rememberedBytes).toBe(model.bytesInUse());
          expect(bytes + rememberedBytes).toBeLessThanOrEqual(Math.max(chosen.maxBytes, 0));
          expect(received).toBe(spans + setAside + released);
        };

        for (const op of history) {
          now += op.kind === 'time' ? op.ms : 1;
          const next =
            op.kind === 'span'
              ? op.value
              : op.kind === 'repeat'
                ? sent.at(-1 - op.back)
                : undefined;
          if (next !== undefined) {
            sent.push(next);
            received += 1;
            const admission = hold.add(next, now);
            const discarded = admission.kind === 'duplicate' ? admission.discarded : null;
            expect(discarded).toEqual(model.add(next, now));
            if (discarded !== null) setAside += 1;
          }
          compare(op.kind === 'drain' ? 'drain' : 'takeReleases');
        }
        compare('drain');
        expect(hold.usage.spans).toBe(0);
        expect(received).toBe(setAside + released);
      }),
      { numRuns: 2_000 },
    );
  });
});
