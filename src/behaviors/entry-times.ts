import type { Entry } from './transcript.js';

/**
 * A time for every entry. Those without one, seen only in history, stand evenly between their
 * neighbours; at the ends they share the time of the nearest.
 */
export function timesOf(entries: readonly Entry[]): readonly bigint[] {
  const times: bigint[] = [];
  for (let index = 0; index < entries.length; ) {
    const at = entries[index]?.at ?? null;
    if (at !== null) {
      times.push(at);
      index += 1;
      continue;
    }
    let stop = index + 1;
    while (stop < entries.length && entries[stop]?.at === null) stop += 1;
    const next = entries[stop]?.at ?? null;
    const before = times.at(-1) ?? next ?? 0n;
    const distance = (next ?? before) - before;
    const parts = BigInt(stop - index + 1);
    for (let part = 1n; part < parts; part += 1n) {
      times.push(before + (distance * part) / parts);
    }
    index = stop;
  }
  return times;
}
