import type { AlignStep, Assignment } from '../../src/grading/alignment.js';

/** The best value of any allowed assignment, by trying them all (semantics part 3). For small inputs only. */
export function alignExhaustively(steps: readonly AlignStep[]): number {
  let best = 0;
  const chosen: (number | null)[] = [];
  const visit = (index: number, value: number): void => {
    best = Math.max(best, value);
    const step = steps[index];
    if (step === undefined) return;
    for (const position of [null, ...step.candidates.positions]) {
      chosen[index] = position;
      if (mayStand(steps, chosen, index)) visit(index + 1, value + valueAt(step, position));
    }
    chosen.length = index;
  };
  visit(0, 0);
  return best;
}

/** Whether an assignment keeps every rule of the alignment, written without regard to how it is found. */
export function isAllowed(steps: readonly AlignStep[], chosen: Assignment): boolean {
  return steps.every((_, index) => mayStand(steps, chosen, index));
}

/** Whether one step keeps the rules towards all before it. */
function mayStand(steps: readonly AlignStep[], chosen: Assignment, later: number): boolean {
  const step = steps[later];
  const position = chosen[later] ?? null;
  if (step === undefined || position === null) return true;
  if (!step.candidates.positions.includes(position)) return false;
  if (step.requires !== null && (chosen[step.requires] ?? null) === null) return false;
  return steps.slice(0, later).every((before, earlier) => {
    const other = chosen[earlier] ?? null;
    if (other === null) return true;
    if (other === position && before.isRequired && step.isRequired) return false;
    const isGrouped = before.group !== null && before.group === step.group;
    return isGrouped || other <= position;
  });
}

/** Matched required steps above all, then weight. */
export function worthOf(steps: readonly AlignStep[], chosen: Assignment): number {
  return steps.reduce((sum, step, index) => sum + valueAt(step, chosen[index] ?? null), 0);
}

function valueAt(step: AlignStep, position: number | null): number {
  if (position === null) return 0;
  const weight = step.candidates.weights[step.candidates.positions.indexOf(position)] ?? 0;
  return weight + (step.isRequired ? 1_000_000 : 0);
}
