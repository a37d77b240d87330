import type { CallState, CallStates } from './call-states.js';
import { toolNameOf } from './emit-call.js';
import { type HandoffName, matchHandoffTool } from './handoff-rules.js';

/** A framework's answer to all but one of several hand-offs in one step. */
const ignoredHandoff = /^Multiple handoffs detected/;

/** Calls that hand the conversation to someone else (semantics A3). Failed ones are ordinary calls. */
export function findHandoffs(
  states: CallStates,
  patterns: readonly string[],
): ReadonlyMap<CallState, HandoffName | null> {
  const handoffs = new Map<CallState, HandoffName | null>();
  for (const state of states.all()) {
    const matched = matchHandoffTool(toolNameOf(state), patterns);
    const isHandoff = matched !== null || state.handoffTarget !== null;
    if (isHandoff && !hasFailed(state)) handoffs.set(state, matched);
  }
  return handoffs;
}

function hasFailed({ historyResult, execution, handoffTarget }: CallState): boolean {
  const result = historyResult?.form;
  if (result?.is('result')) {
    return result.atom.isError || ignoredHandoff.test(result.plain.text);
  }
  return execution?.outcome === 'error' && handoffTarget === null;
}
