import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { align } from '../../src/grading/alignment.js';
import { alignExhaustively, isAllowed, worthOf } from '../support/align-exhaustively.js';
import { alignmentInstances } from '../support/alignment-instances.js';

/** `ALIGNMENT_RUNS=100000 npx vitest run test/properties/alignment.test.ts` for the long run. */
const runs = Number(process.env.ALIGNMENT_RUNS ?? 5000);

describe('step alignment is optimal (semantics part 3)', () => {
  it(
    'finds what trying every assignment finds, whatever is optional, required or grouped',
    () => {
      fc.assert(
        fc.property(alignmentInstances, (steps) => {
          const found = align(steps, (_step, positions) => positions[0] ?? 0);
          if (!isAllowed(steps, found)) throw new Error('a rule is broken');
          expect(worthOf(steps, found)).toBe(alignExhaustively(steps));
        }),
        { numRuns: runs },
      );
    },
    30_000 + runs * 10,
  );

  it('finds it whatever choice is made among equally good positions', () => {
    fc.assert(
      fc.property(alignmentInstances, fc.nat(), (steps, pick) => {
        const found = align(steps, (_step, positions) => positions[pick % positions.length] ?? 0);
        if (!isAllowed(steps, found)) throw new Error('a rule is broken');
        expect(worthOf(steps, found)).toBe(alignExhaustively(steps));
      }),
      { numRuns: 500 },
    );
  });
});
