import { compareForms, type ReusedIds } from './compare-forms.js';
import type { Form } from './form.js';

/** Pairs of equal atoms, rising on both sides: index in the transcript, index in the input. */
export type Pair = readonly [transcriptIndex: number, inputIndex: number];

/** Above this many cells only the ends of both lists are aligned (dialects.md §3.3). */
const maxCells = 4_000_000;
const alignedEnd = 500;

/** One more match always outweighs every difference in likeness and closeness. */
const matchWeight = 1 << 15;
const closeWeight = 1;
const impossible = -(2 ** 30);

/** Number of atoms at the front of both lists that are pairwise equal. */
export function commonPrefix(a: readonly Form[], b: readonly Form[], reused: ReusedIds): number {
  const end = Math.min(a.length, b.length);
  let length = 0;
  for (; length < end; length += 1) {
    const [left, right] = [a[length], b[length]];
    if (left === undefined || right === undefined) break;
    if (left !== right && compareForms(left, right, reused) === 0) break;
  }
  return length;
}

/**
 * The longest common subsequence. Among equally long ones the surest matches win, then those without
 * gaps, then those late in the transcript and early in the input: a window of history shows its end.
 */
export function alignForms(
  transcript: readonly Form[],
  input: readonly Form[],
  reused: ReusedIds,
): readonly Pair[] {
  if (transcript.length * input.length > maxCells) {
    const t = Math.max(0, transcript.length - alignedEnd);
    const i = Math.max(0, input.length - alignedEnd);
    return alignForms(transcript.slice(t), input.slice(i), reused).map((pair) => [
      pair[0] + t,
      pair[1] + i,
    ]);
  }
  return trace(fillTable(transcript, input, reused));
}

/** Best scores of all suffixes; `close`: given that the pair just before is matched. */
interface Table {
  readonly rows: number;
  readonly columns: number;
  readonly likeness: Uint8Array;
  readonly open: Int32Array;
  readonly close: Int32Array;
}

function fillTable(a: readonly Form[], b: readonly Form[], reused: ReusedIds): Table {
  const width = b.length + 1;
  const size = (a.length + 1) * width;
  const table: Table = {
    rows: a.length,
    columns: b.length,
    likeness: new Uint8Array(size),
    open: new Int32Array(size),
    close: new Int32Array(size),
  };
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [left, right] = [a[i], b[j]];
      if (left === undefined || right === undefined) continue;
      const cell = i * width + j;
      const likeness = compareForms(left, right, reused);
      table.likeness[cell] = likeness;
      const skip = Math.max(valueAt(table.open, cell + width), valueAt(table.open, cell + 1));
      const take = takeScore(table, cell);
      table.open[cell] = Math.max(skip, take);
      table.close[cell] = Math.max(skip, take === impossible ? take : take + closeWeight);
    }
  }
  return table;
}

/** Score of matching this cell's atoms, without what closeness adds. */
function takeScore(table: Table, cell: number): number {
  const likeness = table.likeness[cell] ?? 0;
  if (likeness === 0) return impossible;
  return matchWeight + likeness + valueAt(table.close, cell + table.columns + 2);
}

function trace(table: Table): readonly Pair[] {
  const width = table.columns + 1;
  const pairs: Pair[] = [];
  let isClose = false;
  for (let i = 0, j = 0; i < table.rows && j < table.columns; ) {
    const cell = i * width + j;
    const best = valueAt(isClose ? table.close : table.open, cell);
    if (best === valueAt(table.open, cell + width)) {
      isClose = false;
      i += 1;
    } else if (best === takeScore(table, cell) + (isClose ? closeWeight : 0)) {
      pairs.push([i, j]);
      isClose = true;
      i += 1;
      j += 1;
    } else {
      isClose = false;
      j += 1;
    }
  }
  return pairs;
}

function valueAt(values: Int32Array, index: number): number {
  return values[index] ?? 0;
}
