import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupUnits } from '../../src/behaviors/group-units.js';
import { reconstructUnit } from '../../src/behaviors/reconstruct-unit.js';
import type { Unit } from '../../src/model/behavior.js';
import type { Span } from '../../src/model/span.js';
import type { Recording } from '../support/facts.js';
import { randomConversation } from '../support/simulator/conversation.js';
import { faultClasses } from '../support/simulator/faults.js';
import { Random } from '../support/simulator/random.js';
import { planRecording } from '../support/simulator/recording-plan.js';
import { renderFacts } from '../support/simulator/render-facts.js';

/** Random conversations with all kinds of faults. */
const recordings = fc
  .record({ seed: fc.integer(), faults: fc.constantFrom(...Object.values(faultClasses)) })
  .map(({ seed, faults }) => {
    const random = new Random(seed);
    return renderFacts(planRecording(randomConversation(random), faults, random));
  });

/** The spans in batches, one trace input per batch and trace, in the order of arrival. */
function unitsOf(batches: readonly (readonly Span[])[], { dialects }: Recording): readonly Unit[] {
  const traces = batches.flatMap((spans) =>
    [...new Set(spans.map((span) => span.traceId))].map((traceId) => ({
      traceId,
      spans: spans.filter((span) => span.traceId === traceId),
    })),
  );
  return groupUnits(traces, 'trace').units.map((unit) => reconstructUnit(unit, dialects));
}

describe('the unit depends on its spans alone', () => {
  it('whatever their order, batches and duplicates', () => {
    fc.assert(
      fc.property(recordings, fc.integer(), (recording, seed) => {
        const random = new Random(seed);
        const repeated = recording.spans
          .filter(() => random.chance(0.3))
          .map((span) => ({ ...span }));
        const arrived = random.shuffle([...recording.spans, ...repeated]);
        const batches: Span[][] = [[], [], []];
        for (const span of arrived) batches[random.integer(0, 2)]?.push(span);
        expect(unitsOf(batches, recording)).toEqual(unitsOf([recording.spans], recording));
      }),
      { numRuns: 200 },
    );
  });

  it('and numbers its Behaviors in order, each with a span of the unit', () => {
    fc.assert(
      fc.property(recordings, (recording) => {
        const known = new Set(recording.spans.map(({ traceId, spanId }) => `${traceId}/${spanId}`));
        for (const { behaviors } of unitsOf([recording.spans], recording)) {
          expect(behaviors.map(({ index }) => index)).toEqual(behaviors.map((_, index) => index));
          for (const { evidence } of behaviors) {
            expect(evidence.spans.length).toBeGreaterThan(0);
            expect(
              evidence.spans.every(({ traceId, spanId }) => known.has(`${traceId}/${spanId}`)),
            ).toBe(true);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
