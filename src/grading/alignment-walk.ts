import { type AlignStep, type Assignment, gainOf, type Prefer } from './alignment.js';
import {
  bitsOf,
  type Offers,
  type Solution,
  type SolvedLayer,
  usedOf,
} from './alignment-solution.js';

/** Where a walk stands. `left` is the value still to be had. */
interface Stand {
  readonly position: number;
  /** A required step stands at the position. */
  readonly isTaken: boolean;
  readonly met: number;
  readonly left: number;
}

interface Choice {
  readonly classAt: number;
  readonly step: number;
  readonly position: number;
}

/**
 * Walks a solution from the first step to the last. Each step takes a candidate that keeps the best value
 * within reach, `prefer` among several; it stays unmatched only where no candidate does.
 */
export function walkAlignment(
  steps: readonly AlignStep[],
  { layers, total }: Solution,
  prefer: Prefer,
): Assignment {
  const chosen: (number | null)[] = steps.map(() => null);
  let stand: Stand = { position: -1, isTaken: false, met: 0, left: total };
  for (const solved of layers) {
    let state = 0;
    const met = stand.met;
    while (true) {
      const choices = findChoices(solved, state, { ...stand, met }, steps);
      const choice = choose(choices, chosen, prefer);
      if (choice === null) break;
      chosen[choice.step] = choice.position;
      stand = advance(stand, choice, steps);
      state += solved.layer.classes[choice.classAt]?.radix ?? 0;
    }
    stand = { ...stand, met: (met | bitsOf(state, solved.layer)) & solved.layer.liveAfter };
  }
  return chosen;
}

function findChoices(
  { layer, offersOf }: SolvedLayer,
  state: number,
  stand: Stand,
  steps: readonly AlignStep[],
): readonly Choice[] {
  if (stand.left === 0) return [];
  return layer.classes.flatMap((member, classAt) => {
    const offers = offersOf(stand.met, state, classAt);
    const step = member.members[usedOf(state, member)];
    if (offers === null || step === undefined) return [];
    const positions = steps[step]?.candidates.positions ?? [];
    return pricedAt(positions, offers, stand).map((position) => ({ classAt, step, position }));
  });
}

/** Positions, from where the walk stands on, whose price is exactly what is still to be had. */
function pricedAt(positions: readonly number[], offers: Offers, stand: Stand): readonly number[] {
  const found: number[] = [];
  for (let index = firstFrom(positions, stand.position); index < positions.length; index++) {
    const position = positions[index] ?? 0;
    const isTaken = position === stand.position && stand.isTaken;
    const price = isTaken ? offers.ifTaken[index] : offers.ifFree[index];
    if (price === stand.left) found.push(position);
  }
  return found;
}

function choose(choices: readonly Choice[], chosen: Assignment, prefer: Prefer): Choice | null {
  const [first] = choices;
  if (first === undefined) return null;
  // In a group the earliest position goes first, whoever takes it.
  if (choices.some((choice) => choice.step !== first.step)) {
    return choices.reduce((best, choice) => (choice.position < best.position ? choice : best));
  }
  const positions = choices.map((choice) => choice.position);
  const preferred = positions.length === 1 ? first.position : prefer(first.step, positions, chosen);
  return choices.find((choice) => choice.position === preferred) ?? first;
}

function advance(stand: Stand, { step, position }: Choice, steps: readonly AlignStep[]): Stand {
  const declared = steps[step];
  if (declared === undefined) return stand;
  const weight =
    declared.candidates.weights[firstFrom(declared.candidates.positions, position)] ?? 0;
  return {
    position,
    isTaken: declared.isRequired || (position === stand.position && stand.isTaken),
    met: stand.met,
    left: stand.left - gainOf(declared, weight, steps.length),
  };
}

/** Index of the first position that is not before `from`. */
function firstFrom(positions: readonly number[], from: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
