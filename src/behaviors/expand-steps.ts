import { type Block, compareBlocks, type Item, isBlock } from './blocks.js';
import type { CallState, CallStates } from './call-states.js';
import { isDefined, pushAll } from './collections.js';
import type { ApprovalOwners } from './join-approvals.js';
import type { Entry } from './transcript.js';
import { compareValues } from './unique-spans.js';

export interface Belongings {
  readonly states: CallStates;
  readonly approvals: ApprovalOwners;
}

/**
 * Puts behind the calls of each model step what belongs to them: approvals, what sub-agents and nested
 * tools did, then the results: those of history in its order, others by the end of their execution.
 */
export function expandSteps(
  items: readonly Item[],
  { states, approvals }: Belongings,
  children: ReadonlyMap<CallState, readonly Block[]>,
): readonly Item[] {
  const expanded: Item[] = [];
  for (let index = 0; index < items.length; ) {
    const run = stepAt(items, index);
    index += run.length;
    pushAll(expanded, run);
    const calls = run
      .map((item) => (isBlock(item) ? undefined : states.of(item)))
      .filter(isDefined);
    if (calls.length === 0) continue;
    const own = new Set<CallState | undefined>(calls);
    const ownsApproval = (entry: Entry) => approvals.has(entry) && own.has(approvals.get(entry));
    const ownsResult = (entry: Entry) =>
      entry.form.is('result') && own.has(states.ownerOfResult(entry));
    const take = (belongs: (entry: Entry) => boolean) => {
      for (let next = items[index]; next && !isBlock(next) && belongs(next); next = items[index]) {
        expanded.push(next);
        index += 1;
      }
    };
    take(ownsApproval);
    pushAll(expanded, calls.flatMap((state) => state.approvals).sort(compareEntries));
    pushAll(expanded, calls.flatMap((state) => children.get(state) ?? []).sort(compareBlocks));
    take((entry) => ownsResult(entry) || ownsApproval(entry));
    const results = calls.map((state) => state.ownResult).filter((entry) => entry !== null);
    pushAll(expanded, results.sort(compareEntries));
  }
  return expanded;
}

/** The item at the index, with all that follows of its model step. */
function stepAt(items: readonly Item[], index: number): readonly Item[] {
  const first = items[index];
  if (first === undefined || isBlock(first)) return items.slice(index, index + 1);
  let end = index + 1;
  for (
    let next = items[end];
    next && !isBlock(next) && next.step === first.step;
    next = items[end]
  ) {
    end += 1;
  }
  return items.slice(index, end);
}

/** By time; sorting is stable, so equal times keep the order of the calls. */
function compareEntries(a: Entry, b: Entry): number {
  return compareValues(a.at ?? 0n, b.at ?? 0n);
}
