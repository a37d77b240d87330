import { createLayers, type Layer } from './alignment-layers.js';
import { placePositions, solveAlignment } from './alignment-solution.js';
import { walkAlignment } from './alignment-walk.js';
import { matchGroups } from './match-groups.js';

/** A declared step as the alignment sees it. */
export interface AlignStep {
  readonly isRequired: boolean;
  /** Index of the earlier step that must be matched for this one to count; null for none. */
  readonly requires: number | null;
  /** Steps of one group may be matched in any order; they stand side by side. Null: on its own. */
  readonly group: number | null;
  readonly candidates: Candidates;
}

/** Where a step may be put: positions of Behaviors, ascending, and how well each fits (1 to `maxWeight`). */
export interface Candidates {
  readonly positions: readonly number[];
  readonly weights: readonly number[];
}

/** For each step the position it is put at, or null. */
export type Assignment = readonly (number | null)[];

/** Chooses among positions that are equally good for a step, given what the steps before it got. */
export type Prefer = (step: number, positions: readonly number[], chosen: Assignment) => number;

/** The largest weight that a candidate may have. */
const maxWeight = 19;

const noCandidates: Candidates = { positions: [], weights: [] };

/**
 * The optimal alignment in order (semantics part 3): most required steps matched, then most weight, ties as
 * `prefer` says. Positions never fall from step to step, except inside a group; two steps share one only if
 * at most one of them is required; a step counts only where the one it requires is matched.
 *
 * Dynamic programming from the last step to the first over the candidate pairs alone: O(r log n) for r
 * pairs, doubled by each requirement that is open at once, times the subsets of a group. What is too large
 * for that (more than ten open requirements, a group of very many different calls) is approached: steps
 * whose requirement failed are taken away and the rest is aligned again, and a large group is matched
 * in the window that the steps around it leave.
 */
export function align(steps: readonly AlignStep[], prefer: Prefer): Assignment {
  let current = steps;
  while (true) {
    const places = placePositions(current);
    const layers = createLayers(current, places.size);
    const ordered = walkAlignment(current, solveAlignment(current, layers, places), prefer);
    const assignment = matchGroups(current, oversizedGroups(layers), ordered);
    const broken = findBroken(current, assignment);
    if (broken.size === 0) return assignment;
    current = current.map((step, index) =>
      broken.has(index) ? { ...step, candidates: noCandidates } : step,
    );
  }
}

/** What matching a step at a candidate of this weight adds: a required step outweighs every weight. */
export function gainOf(step: AlignStep, weight: number, stepCount: number): number {
  return weight + (step.isRequired ? (stepCount + 1) * maxWeight + 1 : 0);
}

function oversizedGroups(layers: readonly Layer[]): ReadonlySet<number> {
  return new Set(layers.flatMap((layer) => (layer.splitGroup === null ? [] : [layer.splitGroup])));
}

function findBroken(steps: readonly AlignStep[], assignment: Assignment): ReadonlySet<number> {
  const broken = new Set<number>();
  steps.forEach(({ requires }, index) => {
    if (requires === null || (assignment[index] ?? null) === null) return;
    if ((assignment[requires] ?? null) === null) broken.add(index);
  });
  return broken;
}
