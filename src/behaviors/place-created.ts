import { addToGroup, pushAll } from './collections.js';
import type { Entry, Transcript } from './transcript.js';

/** An entry that no model call showed. */
export interface Created {
  readonly entry: Entry;
  /** What it must stand before: the result that history shows for it. */
  readonly before: Entry | null;
}

/**
 * Puts created entries into the transcript, each list in its order, in linear time: before the results
 * among which its own is; behind the model step that it belongs to where that left entries; else by
 * time.
 */
export function placeCreated(transcript: Transcript, created: readonly Created[]): void {
  if (created.length === 0) return;
  const { entries } = transcript;
  const indexOf = new Map(entries.map((entry, index) => [entry, index]));
  const lastOfStep = new Map(entries.map((entry, index) => [entry.step, index]));
  const ahead = new Map<number, Entry[]>();
  const behind = new Map<number, Entry[]>();
  const byTime: Entry[] = [];
  const stepOfResult = new Map(created.map(({ entry, before }) => [before, entry.step]));
  for (const { entry, before } of created) {
    const result = before === null ? undefined : indexOf.get(before);
    const step = lastOfStep.get(entry.step);
    if (result !== undefined) addToGroup(ahead, firstOfStep(entries, result, stepOfResult), entry);
    else if (step !== undefined) addToGroup(behind, step, entry);
    else byTime.push(entry);
  }
  transcript.entries = merge(entries, { byTime, ahead, behind });
}

interface Placed {
  readonly byTime: readonly Entry[];
  readonly ahead: ReadonlyMap<number, readonly Entry[]>;
  readonly behind: ReadonlyMap<number, readonly Entry[]>;
}

function merge(entries: readonly Entry[], { byTime, ahead, behind }: Placed): Entry[] {
  const merged: Entry[] = [];
  let next = 0;
  for (const [index, entry] of entries.entries()) {
    for (
      let first = byTime[next];
      first !== undefined && isBefore(first, entry);
      first = byTime[next]
    ) {
      merged.push(first);
      next += 1;
    }
    pushAll(merged, ahead.get(index) ?? []);
    merged.push(entry);
    pushAll(merged, behind.get(index) ?? []);
  }
  pushAll(merged, byTime.slice(next));
  return merged;
}

/** Index of the first of the results that stand together and answer calls of one step. */
function firstOfStep(
  entries: readonly Entry[],
  index: number,
  stepOfResult: ReadonlyMap<Entry | null, number>,
): number {
  const stepAt = (at: number) => stepOfResult.get(entries[at] ?? null);
  let first = index;
  while (first > 0 && stepAt(first - 1) === stepAt(index)) first -= 1;
  return first;
}

function isBefore(created: Entry, entry: Entry): boolean {
  return entry.at !== null && created.at !== null && created.at < entry.at;
}
