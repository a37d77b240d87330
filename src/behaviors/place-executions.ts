import { adoptResults } from './adopt-results.js';
import type { Threads } from './build-transcripts.js';
import type { CallState, CallStates } from './call-states.js';
import { groupBy } from './collections.js';
import { createCall, createResult, stepsOfCreated } from './created-calls.js';
import type { Execution } from './executions.js';
import type { ModelCall } from './model-calls.js';
import { placeCreated } from './place-created.js';
import type { SpanNode } from './span-tree.js';
import type { Entry, StepCounter } from './transcript.js';
import { compareValues } from './unique-spans.js';

/** Calls made by the code of a tool, with the span of that tool. */
export type NestedCalls = readonly { readonly inside: SpanNode; readonly entry: Entry }[];

/** Makes calls of executions that no model call requested, and results that no history shows. */
export function placeExecutions(
  created: readonly Execution[],
  threads: Threads,
  states: CallStates,
  steps: StepCounter,
): NestedCalls {
  const stepOfCall = new Map<ModelCall, number>();
  for (const { entries } of threads.transcripts) {
    for (const { source, origin, step } of entries) {
      if (source !== null && origin === 'output') stepOfCall.set(source, step);
    }
  }
  const stepOf = (call: ModelCall) => {
    const step = stepOfCall.get(call) ?? steps.next();
    stepOfCall.set(call, step);
    return step;
  };
  const stepOfCreated = stepsOfCreated(created, threads.calls, stepOf, steps);
  const nested: { inside: SpanNode; entry: Entry }[] = [];
  const loose: Entry[] = [];
  const createdStates: CallState[] = [];
  for (const execution of created) {
    const { inside } = execution;
    const step = inside === null ? (stepOfCreated.get(execution) ?? steps.next()) : steps.next();
    const entry = createCall(execution, step);
    const transcript = threads.transcriptOf(execution.invocation.threadKey);
    const state = states.add(entry, transcript, execution.start);
    state.execution = execution;
    state.handoffTarget = execution.handoffTarget ?? null;
    createdStates.push(state);
    if (inside === null) loose.push(entry);
    else nested.push({ inside, entry });
  }
  adoptResults(createdStates, states);
  for (const state of states.all()) {
    const result = missingResult(state, steps);
    if (result === null) continue;
    states.noteResult(state, result);
    if (result.invocation.traceId === state.entry.invocation.traceId) state.ownResult = result;
    else loose.push(result);
  }
  placeEntries(loose, threads, (entry) => states.of(entry)?.historyResult ?? null);
  return nested;
}

function missingResult(state: CallState, steps: StepCounter): Entry | null {
  const { execution, historyResult } = state;
  const isOver = execution?.outcome === 'ok' || execution?.outcome === 'error';
  if (!isOver || historyResult !== null) return null;
  return createResult(execution, steps.next());
}

/** Puts entries that no model call showed into their threads. */
export function placeEntries(
  entries: readonly Entry[],
  threads: Threads,
  before: (entry: Entry) => Entry | null = () => null,
): void {
  const byThread = groupBy(entries, ({ invocation }) => threads.transcriptOf(invocation.threadKey));
  for (const [transcript, group] of byThread) {
    const ordered = group.sort((a, b) => compareValues(a.at ?? 0n, b.at ?? 0n));
    placeCreated(
      transcript,
      ordered.map((entry) => ({ entry, before: before(entry) })),
    );
  }
}
