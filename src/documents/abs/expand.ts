import type { Evaluation, Step } from '../../model/document.js';
import { shorten } from '../../util/text.js';
import { maxExpandedSteps, maxIncludeDepth } from './limits.js';
import { joinPointer } from './pointer.js';
import { readStep, type WrittenStep } from './read-step.js';
import type { Reading } from './reading.js';
import { childOf, type TreeNode, textOf } from './tree.js';

/** A fragment: its list of behaviors and the document that holds it, the session's or the file's prelude. */
export interface Fragment {
  readonly list: TreeNode;
  readonly pointer: string;
  /** Where its name stands. */
  readonly keyOffset: number;
}

type Entry = { readonly kind: 'step'; readonly step: WrittenStep } | Include;

interface Include {
  readonly kind: 'include';
  readonly name: string;
  readonly offset: number;
  readonly pointer: string;
}

interface Expansion {
  readonly reading: Reading;
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly budget: ExpansionBudget;
  /** Entries of each fragment that was included, read once. */
  readonly entries: Map<string, readonly Entry[]>;
  readonly steps: Step[];
}

/** How many more entries of fragments may be put in place in this file. */
export interface ExpansionBudget {
  left: number;
}

export interface Expanded {
  readonly steps: readonly Step[];
  /** The fragments that were put in place at least once, by name. */
  readonly entries: ReadonlyMap<string, unknown>;
}

/**
 * Puts fragments in place (statements 22 to 24), recursively. Every step keeps where it is written
 * (`rule`) and how it came here (`via`: the pointers of its includes, outermost first, joined by a comma).
 */
export function expandSteps(
  reading: Reading,
  behaviors: TreeNode | undefined,
  fragments: ReadonlyMap<string, Fragment>,
  budget: ExpansionBudget,
): Expanded {
  const expansion: Expansion = { reading, fragments, budget, entries: new Map(), steps: [] };
  place(expansion, readEntries(reading, behaviors, '/behaviors', 'session'), [], []);
  return expansion;
}

/** Reads a fragment that nothing includes, for the faults in it. */
export function readUnusedFragment(reading: Reading, fragment: Fragment): void {
  readEntries(reading, fragment.list, fragment.pointer, 'fragment');
}

function readEntries(
  reading: Reading,
  list: TreeNode | undefined,
  pointer: string,
  owner: 'session' | 'fragment',
): Entry[] {
  return (list?.items ?? []).flatMap((node, index): Entry[] => {
    const entryPointer = joinPointer(pointer, index);
    const include = childOf(node, 'include');
    if (include === undefined) {
      if (node.entries === undefined) return [];
      return [{ kind: 'step', step: readStep(reading, node, entryPointer) }];
    }
    const name = textOf(include);
    if (name === undefined) return [];
    if (owner === 'fragment') {
      reading.sink.add(
        'nested-include',
        include.offset,
        'a fragment includes a fragment',
        'it is expanded here; the schema of ABS allows include only under behaviors',
      );
    }
    return [{ kind: 'include', name, offset: include.offset, pointer: entryPointer }];
  });
}

/** `names` are the fragments that are being put in place, `via` the includes that lead here. */
function place(
  expansion: Expansion,
  entries: readonly Entry[],
  names: readonly string[],
  via: readonly string[],
): void {
  for (const entry of entries) {
    if (via.length > 0 && --expansion.budget.left < 0) return;
    if (entry.kind === 'step') {
      expansion.steps.push(placeStep(entry.step, expansion.steps.length, via));
    } else {
      placeInclude(expansion, entry, names, via);
    }
  }
}

function placeInclude(
  expansion: Expansion,
  include: Include,
  names: readonly string[],
  via: readonly string[],
): void {
  const { sink } = expansion.reading;
  const { name, offset } = include;
  const entries = entriesOf(expansion, include);
  if (entries === null) return;
  if (names.includes(name)) {
    const circle = [...names.slice(names.indexOf(name)), name].map((part) => shorten(part, 40));
    const message = `fragments include each other in a circle: ${circle.join(' → ')}`;
    sink.add('fragment-cycle', offset, message, 'remove one of these includes');
    return;
  }
  if (names.length >= maxIncludeDepth) {
    const hint = `at most ${maxIncludeDepth} levels`;
    sink.add('too-many-steps', offset, 'fragments are nested too deeply', hint);
    return;
  }
  place(expansion, entries, [...names, name], [...via, include.pointer]);
  if (expansion.budget.left < 0) {
    const message = 'fragments expand to too many behaviors';
    sink.add('too-many-steps', offset, message, `a file may expand to ${maxExpandedSteps}`);
  }
}

function entriesOf(expansion: Expansion, include: Include): readonly Entry[] | null {
  const { reading, fragments } = expansion;
  const known = expansion.entries.get(include.name);
  if (known !== undefined) return known;
  const fragment = fragments.get(include.name);
  if (fragment !== undefined) {
    const entries = readEntries(reading, fragment.list, fragment.pointer, 'fragment');
    expansion.entries.set(include.name, entries);
    return entries;
  }
  const close = reading.sink.suggest(include.name, fragments.keys());
  reading.sink.add(
    'unknown-fragment',
    include.offset,
    `no fragment is called "${shorten(include.name, 40)}"`,
    close === null ? 'define it under fragments: of this document' : `did you mean "${close}"?`,
  );
  return null;
}

function placeStep(step: WrittenStep, index: number, via: readonly string[]): Step {
  const joined = via.length === 0 ? null : via.join(',');
  return {
    ...step,
    index,
    via: joined,
    evaluations: step.evaluations.map((evaluation) => placeEvaluation(evaluation, joined)),
  };
}

function placeEvaluation(evaluation: Evaluation, via: string | null): Evaluation {
  if (via === null) return evaluation;
  return {
    ...evaluation,
    via,
    children: evaluation.children.map((child) => placeEvaluation(child, via)),
  };
}
