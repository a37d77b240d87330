import type { AlignStep } from './alignment.js';

/** Steps that are decided together: one, or the members of an unordered group. */
export interface Layer {
  /**
   * Members that are interchangeable, such as two declared calls of one tool, form a class: they are used
   * in their order. A state of the layer is how many of each class are used, as one mixed-radix number.
   */
  readonly classes: readonly LayerClass[];
  readonly stateCount: number;
  /** Bits of requirements that are open when the layer is entered, and when it is left. */
  readonly liveBefore: number;
  readonly liveAfter: number;
  /** The group that this step was taken out of because it is too large; null as a rule. */
  readonly splitGroup: number | null;
}

export interface LayerClass {
  readonly members: readonly number[];
  /** What one more used member adds to the state. */
  readonly radix: number;
  /** The requirement bit that using a member sets; 0 for none. */
  readonly sets: number;
  /** The requirement bit that a member needs; 0 for none. */
  readonly needs: number;
}

const maxOpenRequirements = 10;
const maxStates = 1024;
const maxCells = 8_000_000;

interface Draft {
  readonly members: readonly number[];
  readonly splitGroup: number | null;
}

/** Cuts the steps into layers and gives each open requirement a bit; `size` positions are in play. */
export function createLayers(steps: readonly AlignStep[], size: number): readonly Layer[] {
  const drafts = draftLayers(steps, size);
  const layerOf: number[] = [];
  drafts.forEach((draft, layer) => {
    for (const member of draft.members) layerOf[member] = layer;
  });
  const requirements = openRequirements(steps, layerOf, size);
  const liveAt = (layer: number): number =>
    requirements.reduce(
      (mask, { bit, from, to }) => (from < layer && layer <= to ? mask | bit : mask),
      0,
    );
  const bitOf = (step: number | null): number =>
    requirements.find((requirement) => requirement.step === step)?.bit ?? 0;
  return drafts.map(({ members, splitGroup }, layer) => {
    const classes = formClasses(steps, members, bitOf);
    const last = classes.at(-1);
    const stateCount = last === undefined ? 1 : last.radix * (last.members.length + 1);
    return {
      classes,
      stateCount,
      liveBefore: liveAt(layer),
      liveAfter: liveAt(layer + 1),
      splitGroup,
    };
  });
}

function draftLayers(steps: readonly AlignStep[], size: number): readonly Draft[] {
  const drafts: Draft[] = [];
  for (let start = 0; start < steps.length; ) {
    const group = steps[start]?.group ?? null;
    let end = start + 1;
    while (group !== null && steps[end]?.group === group) end++;
    const members = Array.from({ length: end - start }, (_, offset) => start + offset);
    const classes = formClasses(steps, members, () => 0);
    const states = classes.reduce((product, { members: own }) => product * (own.length + 1), 1);
    if (states <= maxStates && states * size <= maxCells)
      drafts.push({ members, splitGroup: null });
    else for (const member of members) drafts.push({ members: [member], splitGroup: group });
    start = end;
  }
  return drafts;
}

function formClasses(
  steps: readonly AlignStep[],
  members: readonly number[],
  bitOf: (step: number | null) => number,
): readonly LayerClass[] {
  const [only, second] = members;
  if (only !== undefined && second === undefined) {
    const needs = bitOf(steps[only]?.requires ?? null);
    return [{ members, radix: 1, sets: bitOf(only), needs }];
  }
  const classes: { members: number[]; sets: number; needs: number }[] = [];
  for (const member of members) {
    const step = steps[member];
    const sets = bitOf(member);
    const needs = bitOf(step?.requires ?? null);
    const same = classes.find(({ members: [first = -1], ...other }) => {
      const twin = steps[first];
      return (
        sets === 0 &&
        other.sets === 0 &&
        other.needs === needs &&
        twin?.candidates === step?.candidates &&
        twin?.isRequired === step?.isRequired &&
        twin?.requires === step?.requires
      );
    });
    if (same === undefined) classes.push({ members: [member], sets, needs });
    else same.members.push(member);
  }
  let radix = 1;
  return classes.map((drafted) => {
    const own = radix;
    radix *= drafted.members.length + 1;
    return { ...drafted, radix: own };
  });
}

interface Requirement {
  readonly step: number;
  readonly bit: number;
  /** Layer of the step, and of the last one that requires it. */
  readonly from: number;
  readonly to: number;
}

/** Required steps with the layers in which it matters whether they were matched, as many as can be afforded. */
function openRequirements(
  steps: readonly AlignStep[],
  layerOf: readonly number[],
  size: number,
): readonly Requirement[] {
  const lastUse = new Map<number, number>();
  steps.forEach(({ requires }, index) => {
    if (requires !== null) lastUse.set(requires, layerOf[index] ?? 0);
  });
  const kept: Requirement[] = [];
  for (const [step, to] of [...lastUse].sort(([left], [right]) => left - right)) {
    const from = layerOf[step] ?? 0;
    const open = kept.filter((other) => other.from <= to && from <= other.to);
    const isAffordable =
      open.length < maxOpenRequirements && 2 ** (open.length + 1) * size <= maxCells;
    if (!isAffordable) continue;
    const used = open.reduce((mask, other) => mask | other.bit, 0);
    let bit = 1;
    while ((used & bit) !== 0) bit <<= 1;
    kept.push({ step, bit, from, to });
  }
  return kept;
}
