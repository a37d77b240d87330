import type { Threads } from './build-transcripts.js';
import type { CallState, CallStates } from './call-states.js';
import { addToGroup, groupBy } from './collections.js';
import type { LossLedger } from './loss-ledger.js';
import type { SpanNode } from './span-tree.js';
import type { Transcript } from './transcript.js';

/** The call that each tool or hand-off span executes. */
export function nodesOfStates(states: CallStates): ReadonlyMap<SpanNode, CallState> {
  return new Map(
    states
      .all()
      .flatMap((state) => (state.execution?.nodes ?? []).map((node) => [node, state] as const)),
  );
}

/** Calls after which their thread had another answer in the same trace: they were answered. */
export function findContinued(
  transcripts: readonly Transcript[],
  states: CallStates,
): ReadonlySet<CallState> {
  const continued = new Set<CallState>();
  for (const { entries } of transcripts) {
    const later = new Map<string, Set<number>>();
    for (const entry of entries.toReversed()) {
      const { traceId } = entry.invocation;
      const state = states.of(entry);
      const answers = later.get(traceId);
      const hasOther = answers !== undefined && (answers.size > 1 || !answers.has(entry.step));
      if (state !== undefined && hasOther) continued.add(state);
      if (entry.origin !== 'output') continue;
      if (answers === undefined) later.set(traceId, new Set([entry.step]));
      else if (answers.size < 2) answers.add(entry.step);
    }
  }
  return continued;
}

/** Model steps with more than one call. */
export function findParallelSteps(states: CallStates): ReadonlySet<number> {
  const groups = new Map<number, CallState[]>();
  for (const state of states.all()) addToGroup(groups, state.entry.step, state);
  return new Set([...groups].filter(([, group]) => group.length > 1).map(([step]) => step));
}

/** Model calls that say they called tools, of which nothing in the unit shows which. */
export function noteUnseenCalls(states: CallStates, threads: Threads, losses: LossLedger): void {
  const times = groupBy(states.all(), (state) => state.transcript);
  for (const [threadKey, thread] of groupBy(threads.calls, (call) => call.invocation.threadKey)) {
    const seen = times.get(threads.transcriptOf(threadKey)) ?? [];
    for (const [index, call] of thread.entries()) {
      if (call.fact.calledTools !== true || call.output.some((form) => form.is('call'))) continue;
      const next = thread[index + 1]?.start;
      const isSeen = seen.some(({ at }) => at >= call.start && (next === undefined || at < next));
      if (!isSeen) losses.add('calls_not_recorded', call.fact.span.name);
    }
  }
}
