import type { BoundSession, BoundStep } from '../documents/abs/bound-session.js';
import { type Dataset, findLabelledRow } from '../documents/abs/datasets.js';
import type { Behavior, Unit } from '../model/behavior.js';
import { fitStep } from './fit.js';

/** A session with every row it may be graded by; without a dataset there is one, its row null. */
export interface RowsOfSession {
  readonly dataset: Dataset | null;
  readonly bound: readonly BoundSession[];
}

export type RowChoice =
  | { readonly kind: 'bound'; readonly bound: BoundSession }
  /** Rows that would fit, none or several; `why` says which, for a diagnostic. */
  | { readonly kind: 'no_row'; readonly candidates: readonly number[]; readonly why: string };

const noJudge = { userMatch: 'template', judge: null } as const;

/**
 * The row that a recording belongs to (semantics A11): the one that was asked for, else the one its
 * `retrial.row` names, else the only one whose declared user turns read like the observed ones. Verdicts
 * play no part, and no row is kept because it passes.
 */
export function selectRow(
  unit: Unit,
  { dataset, bound }: RowsOfSession,
  wanted: number | null = null,
): RowChoice {
  const [first] = bound;
  if (dataset === null && first !== undefined) return { kind: 'bound', bound: first };
  if (wanted !== null) return findRow(bound, wanted, `row ${wanted} was asked for`);
  const label = unit.labels.row;
  if (label !== undefined && dataset !== null) {
    const row = findLabelledRow(dataset, label);
    const why = `retrial.row is ${JSON.stringify(label)}`;
    return row === null ? { kind: 'no_row', candidates: [], why } : findRow(bound, row.index, why);
  }
  const fitting = bound.filter((row) => readsLike(row, unit.behaviors));
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return { kind: 'bound', bound: only };
  const candidates = fitting.flatMap(({ row }) => (row === null ? [] : [row]));
  const why =
    candidates.length === 0
      ? 'the user turns of no row read like the observed ones'
      : `the user turns of ${candidates.length} rows read like the observed ones`;
  return { kind: 'no_row', candidates, why };
}

function findRow(bound: readonly BoundSession[], row: number, why: string): RowChoice {
  const found = bound.find((candidate) => candidate.row === row);
  return found === undefined
    ? { kind: 'no_row', candidates: [], why: `${why}, and there is no such row` }
    : { kind: 'bound', bound: found };
}

/** Whether every declared text that a user must say was said, in order. */
function readsLike({ steps }: BoundSession, behaviors: readonly Behavior[]): boolean {
  let from = 0;
  return steps.filter(isTelling).every((step) => {
    const at = behaviors.findIndex(
      (behavior, position) =>
        position >= from &&
        behavior.actor === 'user' &&
        fitStep(step, behavior, noJudge).kind === 'fits',
    );
    from = at + 1;
    return at >= 0;
  });
}

/** A user turn that is certain to happen and whose text is declared. */
function isTelling(step: BoundStep): boolean {
  const isSure = !step.optional && step.requires === null && step.matchesWhen === null;
  return step.actor === 'user' && isSure && step.content !== undefined;
}
