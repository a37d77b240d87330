import { type AlignStep, gainOf } from './alignment.js';
import type { Layer, LayerClass } from './alignment-layers.js';
import { Frontier } from './frontier.js';

/** What putting the next member of a class at each of its candidates is worth, with all that can follow. */
export interface Offers {
  /** Where no required step stands at that position yet. */
  readonly ifFree: Float64Array;
  /** Where one does: only for optional steps. */
  readonly ifTaken: Float64Array;
}

export interface Solution {
  readonly layers: readonly SolvedLayer[];
  /** The best value of all. */
  readonly total: number;
}

export interface SolvedLayer {
  readonly layer: Layer;
  /** The offers of a class, in a state of the layer, under the open requirements that are met. */
  offersOf(met: number, state: number, classAt: number): Offers | null;
}

/** Solves the layers from the last to the first, so that a walk from the start finds every choice priced. */
export function solveAlignment(
  steps: readonly AlignStep[],
  layers: readonly Layer[],
  places: ReadonlyMap<number, number>,
): Solution {
  let after = new Map([[0, new Frontier(places.size)]]);
  const solved: SolvedLayer[] = [];
  for (const layer of layers.toReversed()) {
    const offers = new Map<string, Offers>();
    const before = new Map<number, Frontier>();
    for (const met of subsetsOf(layer.liveBefore)) {
      before.set(met, solveStates({ layer, steps, places, after, met, offers }));
    }
    solved.unshift({
      layer,
      offersOf: (met, state, classAt) =>
        offers.get(`${met & layer.liveBefore} ${state} ${classAt}`) ?? null,
    });
    after = before;
  }
  return { layers: solved, total: after.get(0)?.best(-1, false) ?? 0 };
}

/** Number of used members of a class in a state. */
export function usedOf(state: number, { radix, members }: LayerClass): number {
  return Math.floor(state / radix) % (members.length + 1);
}

/** The requirement bits that the used members of a state have set. */
export function bitsOf(state: number, layer: Layer): number {
  return layer.classes.reduce(
    (mask, member) => (usedOf(state, member) > 0 ? mask | member.sets : mask),
    0,
  );
}

interface LayerTask {
  readonly layer: Layer;
  readonly steps: readonly AlignStep[];
  readonly places: ReadonlyMap<number, number>;
  readonly after: ReadonlyMap<number, Frontier>;
  readonly met: number;
  readonly offers: Map<string, Offers>;
}

/** From "all members used" down to "none used": the last is what the layer before sees. */
function solveStates(task: LayerTask): Frontier {
  const { layer, steps, places, after, met } = task;
  const frontiers: Frontier[] = [];
  for (let state = layer.stateCount - 1; state >= 0; state--) {
    const known = met | bitsOf(state, layer);
    const left = after.get(known & layer.liveAfter) ?? new Frontier(places.size);
    const isShared = layer.stateCount > 2 || layer.liveBefore !== 0 || layer.liveAfter !== 0;
    const frontier = isShared ? left.clone() : left;
    const priced = layer.classes.flatMap((member, classAt) => {
      const next = frontiers[state + member.radix];
      const step = steps[member.members[usedOf(state, member)] ?? -1];
      const isOpen = (member.needs & ~known) === 0;
      if (usedOf(state, member) === member.members.length || !isOpen) return [];
      if (next === undefined || step === undefined) return [];
      const offers = priceStep(step, steps.length, next, places);
      task.offers.set(`${met} ${state} ${classAt}`, offers);
      return [{ step, offers }];
    });
    // Priced before offered: a step never follows itself.
    for (const { step, offers } of priced) offerStep(step, offers, frontier, places);
    frontiers[state] = frontier;
  }
  return frontiers[0] ?? new Frontier(places.size);
}

function priceStep(
  step: AlignStep,
  stepCount: number,
  next: Frontier,
  places: ReadonlyMap<number, number>,
): Offers {
  const { positions, weights } = step.candidates;
  const ifFree = new Float64Array(positions.length);
  const ifTaken = new Float64Array(step.isRequired ? 0 : positions.length);
  for (let index = 0; index < positions.length; index++) {
    const place = places.get(positions[index] ?? -1) ?? 0;
    const gain = gainOf(step, weights[index] ?? 0, stepCount);
    ifFree[index] = gain + next.best(place, step.isRequired);
    if (!step.isRequired) ifTaken[index] = gain + next.best(place, true);
  }
  return { ifFree, ifTaken };
}

function offerStep(
  step: AlignStep,
  { ifFree, ifTaken }: Offers,
  frontier: Frontier,
  places: ReadonlyMap<number, number>,
): void {
  const { positions } = step.candidates;
  for (let index = 0; index < positions.length; index++) {
    const place = places.get(positions[index] ?? -1) ?? 0;
    frontier.offer(place, ifFree[index] ?? 0, ifTaken[index] ?? 0);
  }
}

/** Positions that are anyone's candidate, numbered from 0 in order. */
export function placePositions(steps: readonly AlignStep[]): ReadonlyMap<number, number> {
  const positions = new Set<number>();
  for (const { candidates } of steps) for (const at of candidates.positions) positions.add(at);
  const sorted = Int32Array.from(positions).sort();
  const places = new Map<number, number>();
  for (const [place, position] of sorted.entries()) places.set(position, place);
  return places;
}

function* subsetsOf(mask: number): Generator<number> {
  for (let subset = mask; ; subset = (subset - 1) & mask) {
    yield subset;
    if (subset === 0) return;
  }
}
