import type { CallState } from './call-states.js';
import type { Invocation } from './invocations.js';
import type { SpanNode } from './span-tree.js';
import type { Transcript } from './transcript.js';

/** Invocations that work for a caller, with the call that started them. */
export type Delegations = ReadonlyMap<Invocation, CallState>;

/**
 * Finds for every invocation the delegating call: of the sub-agent that it is or is nested in. One that
 * continues its caller's own thread talks to the user and is left out.
 */
export function findDelegations(
  transcripts: readonly Transcript[],
  stateOfNode: ReadonlyMap<SpanNode, CallState>,
): Delegations {
  const found = new Map<Invocation, CallState>();
  const settled = new Set<Invocation>();
  for (const transcript of transcripts) {
    for (const { invocation } of transcript.entries) {
      const path: Invocation[] = [];
      let at: Invocation | null = invocation;
      let caller: CallState | undefined;
      while (at !== null && !settled.has(at)) {
        settled.add(at);
        path.push(at);
        caller = at.anchor ? stateOfNode.get(at.anchor) : undefined;
        at = at.anchor === null ? at.parent : null;
      }
      caller ??= at === null ? undefined : found.get(at);
      if (caller === undefined || caller.transcript === transcript) continue;
      for (const inner of path) found.set(inner, caller);
    }
  }
  return found;
}
