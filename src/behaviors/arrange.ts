import { type Block, compareBlocks, type Item, isBlock } from './blocks.js';
import type { CallState, CallStates } from './call-states.js';
import { addToGroup, groupBy } from './collections.js';
import { expandSteps } from './expand-steps.js';
import type { Invocation } from './invocations.js';
import type { ApprovalOwners } from './join-approvals.js';
import type { LossLedger } from './loss-ledger.js';
import type { NestedCalls } from './place-executions.js';
import type { SpanNode } from './span-tree.js';
import type { Entry, Transcript } from './transcript.js';
import { compareValues } from './unique-spans.js';

export interface Arrangement {
  readonly transcripts: readonly Transcript[];
  readonly states: CallStates;
  readonly approvals: ApprovalOwners;
  /** The call that a tool or hand-off span executes. */
  readonly stateOfNode: ReadonlyMap<SpanNode, CallState>;
  readonly nested: NestedCalls;
  readonly losses: LossLedger;
}

/** Where the parts of all threads go. */
interface Places {
  /** Per thread, in its order. */
  readonly tops: (readonly Block[])[];
  /** What runs below a call. */
  readonly children: Map<CallState, Block[]>;
  /** What runs inside an agent with entries of its own, by time. */
  readonly inside: Map<Invocation, Block[]>;
  /** Blocks after which their invocation says nothing more. */
  readonly lastOfInvocation: Map<Invocation, Block>;
}

/**
 * The entries of a unit in causal order (dialects.md §3.6): threads in transcript order; a sub-agent
 * between its call and that call's result, or after the hand-off; results after the calls of their
 * step; threads without a causal link by their start.
 */
export function arrangeEntries(arrangement: Arrangement): readonly Entry[] {
  const places = placeBlocks(arrangement);
  const ordered: Entry[] = [];
  const tops = places.tops.filter((blocks) => blocks.length > 0);
  noteSideBySide(tops, arrangement.losses);
  const stack: Item[] = mergeTops(tops).reverse();
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (!isBlock(item)) {
      ordered.push(item);
      continue;
    }
    const items = expandSteps(spliceByTime(item, places), arrangement, places.children);
    for (const next of items.toReversed()) stack.push(next);
  }
  return ordered;
}

/** Splits threads by invocation and finds the place of every part. */
function placeBlocks({ transcripts, stateOfNode, nested }: Arrangement): Places {
  const places: Places = {
    tops: [],
    children: new Map(),
    inside: new Map(),
    lastOfInvocation: new Map(),
  };
  const threadOf = new Map<Invocation, Transcript>();
  for (const transcript of transcripts) {
    for (const { invocation } of transcript.entries) threadOf.set(invocation, transcript);
  }
  for (const transcript of transcripts) {
    const tops = new Set<Invocation>();
    for (const [invocation, entries] of groupBy(transcript.entries, (entry) => entry.invocation)) {
      const caller = invocation.anchor && stateOfNode.get(invocation.anchor);
      const parent = parentThatSpeaks(invocation, transcript, threadOf);
      if (caller && caller.transcript !== transcript)
        addToGroup(places.children, caller, blockOf(entries));
      else if (parent !== null) addToGroup(places.inside, parent, blockOf(entries));
      else tops.add(invocation);
    }
    const entries = transcript.entries.filter(({ invocation }) => tops.has(invocation));
    places.tops.push(segmentsOf(entries, places.lastOfInvocation));
  }
  for (const { inside, entry } of nested) {
    const state = stateOfNode.get(inside);
    if (state !== undefined) addToGroup(places.children, state, blockOf([entry]));
  }
  return places;
}

/** An agent around this one, not separated by a tool, with entries in another thread. */
function parentThatSpeaks(
  { anchor, parent }: Invocation,
  transcript: Transcript,
  threadOf: ReadonlyMap<Invocation, Transcript>,
): Invocation | null {
  if (anchor !== null || parent === null || parent.kind === 'trace') return null;
  const thread = threadOf.get(parent);
  return thread !== undefined && thread !== transcript ? parent : null;
}

/** Runs of one invocation. */
function segmentsOf(
  entries: readonly Entry[],
  lastOfInvocation: Map<Invocation, Block>,
): readonly Block[] {
  const segments: Entry[][] = [];
  for (const entry of entries) {
    const last = segments.at(-1);
    if (last?.[0]?.invocation === entry.invocation) last.push(entry);
    else segments.push([entry]);
  }
  return segments.map((segment) => {
    const block = blockOf(segment);
    const [first] = segment;
    if (first !== undefined) lastOfInvocation.set(first.invocation, block);
    return block;
  });
}

function blockOf(entries: readonly Entry[]): Block {
  const timed = entries.find((entry) => entry.at !== null);
  return {
    start: timed?.source?.start ?? timed?.at ?? 0n,
    id: timed?.spans[0]?.spanId ?? '',
    items: entries,
  };
}

/** The block's items with the agents nested in its agent, each before the first later output. */
function spliceByTime(block: Block, { inside, lastOfInvocation }: Places): readonly Item[] {
  const [first] = block.items;
  if (first === undefined || isBlock(first)) return block.items;
  const { invocation } = first;
  const waiting = inside.get(invocation)?.sort(compareBlocks) ?? [];
  if (waiting.length === 0) return block.items;
  const items: Item[] = [];
  let used = 0;
  for (const item of block.items) {
    const at = isBlock(item) || item.origin !== 'output' ? null : item.at;
    for (let next = waiting[used]; at !== null && next && next.start < at; next = waiting[used]) {
      items.push(next);
      used += 1;
    }
    items.push(item);
  }
  const isLast = (lastOfInvocation.get(invocation) ?? block) === block;
  const rest = waiting.slice(used);
  inside.set(invocation, isLast ? [] : rest);
  return isLast ? [...items, ...rest] : items;
}

/** Between threads of one trace without a causal link only clocks tell the order. */
function noteSideBySide(threads: readonly (readonly Block[])[], losses: LossLedger): void {
  if (threads.length > 1) {
    losses.add(
      'inferred_order',
      'threads side by side stand in the order of their start',
      threads.length,
    );
  }
}

/** Threads side by side: the one whose next part began first goes on. */
function mergeTops(threads: readonly (readonly Block[])[]): Block[] {
  const keyed = threads.flatMap((blocks) => {
    let start = blocks[0]?.start ?? 0n;
    return blocks.map((block, index) => {
      if (block.start > start) start = block.start;
      return { block, start, id: blocks[0]?.id ?? '', index };
    });
  });
  return keyed
    .sort(
      (a, b) => compareValues(a.start, b.start) || compareValues(a.id, b.id) || a.index - b.index,
    )
    .map(({ block }) => block);
}
