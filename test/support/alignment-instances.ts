import fc from 'fast-check';
import type { AlignStep } from '../../src/grading/alignment.js';

const maxSteps = 6;
const maxBehaviors = 7;

interface Draft {
  readonly isRequired: boolean;
  readonly requires: number;
  readonly joinsGroup: boolean;
  readonly weights: readonly number[];
  readonly likeBefore: boolean;
}

/** Random alignments of at most 6 steps over 7 Behaviors: optional steps, requirements, groups. */
export const alignmentInstances: fc.Arbitrary<readonly AlignStep[]> = fc
  .array(
    fc.record({
      isRequired: fc.boolean(),
      requires: fc.integer({ min: -8, max: maxSteps }),
      joinsGroup: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
      weights: fc.array(fc.integer({ min: -12, max: 19 }), {
        minLength: maxBehaviors,
        maxLength: maxBehaviors,
      }),
      likeBefore: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    }),
    { minLength: 1, maxLength: maxSteps },
  )
  .map(createSteps);

function createSteps(drafts: readonly Draft[]): readonly AlignStep[] {
  const steps: AlignStep[] = [];
  drafts.forEach((draft, index) => {
    const before = steps[index - 1];
    const group = draft.joinsGroup && before !== undefined ? (before.group ?? index - 1) : null;
    if (group !== null && before !== undefined) steps[index - 1] = { ...before, group };
    const fits = draft.weights.flatMap((weight, position) =>
      weight > 0 ? [{ weight, position }] : [],
    );
    const candidates =
      draft.likeBefore && before !== undefined
        ? before.candidates
        : {
            positions: fits.map((fit) => fit.position),
            weights: fits.map((fit) => fit.weight),
          };
    // A requirement looks back past its own group: members of one group do not wait for each other.
    const required = draft.requires >= 0 && draft.requires < index ? draft.requires : null;
    const isInGroup = required !== null && group !== null && steps[required]?.group === group;
    steps.push({
      isRequired: draft.isRequired,
      requires: isInGroup ? null : required,
      group,
      candidates,
    });
  });
  return steps;
}
