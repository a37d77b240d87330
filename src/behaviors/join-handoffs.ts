import type { CallState, CallStates } from './call-states.js';
import { toolNameOf } from './emit-call.js';
import type { Execution } from './executions.js';
import { handoffTarget, matchHandoffTool } from './handoff-rules.js';
import { joinSpanRefs } from './span-ref.js';
import type { Transcript } from './transcript.js';

/**
 * Gives every hand-off span the call that asked for it: by id, by tool name, by receiver, else the
 * latest hand-off call without a span. Returns those that no call asked for.
 */
export function joinHandoffs(
  handoffs: readonly Execution[],
  states: CallStates,
  threadsOf: (execution: Execution) => readonly Transcript[],
  patterns: readonly string[],
): readonly Execution[] {
  return handoffs.filter((handoff) => {
    const threads = threadsOf(handoff);
    const open = states
      .all()
      .filter((state) => state.handoffTarget === null && threads.includes(state.transcript));
    const state =
      open.find(({ entry }) => handoff.id !== undefined && entry.form.ids.includes(handoff.id)) ??
      open.find((candidate) => handoff.name !== '' && toolNameOf(candidate) === handoff.name) ??
      open.find((candidate) => namesReceiver(candidate, handoff, patterns)) ??
      open.findLast((candidate) => matchHandoffTool(toolNameOf(candidate), patterns) !== null);
    if (state === undefined) return true;
    state.handoffTarget = handoff.handoffTarget ?? null;
    const known = state.execution;
    state.execution =
      known === null
        ? handoff
        : {
            ...known,
            nodes: [...known.nodes, ...handoff.nodes],
            spans: joinSpanRefs(known.spans, handoff.spans),
          };
    return false;
  });
}

function namesReceiver(state: CallState, handoff: Execution, patterns: readonly string[]): boolean {
  const name = toolNameOf(state);
  const matched = matchHandoffTool(name, patterns);
  if (matched === null) return false;
  const { form } = state.entry;
  const args = form.is('call') ? form.atom.args : undefined;
  return (
    plainName(handoffTarget(null, matched, args, name)) === plainName(handoff.handoffTarget ?? '')
  );
}

/** `Billing Agent`, `billing_agent` and `billing-agent` are one receiver. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
