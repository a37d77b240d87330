import type { ApprovalFact } from '../model/fact.js';
import type { CallState, CallStates } from './call-states.js';
import { compareApprovals } from './compare-forms.js';
import { type ApprovalAtom, Form, isApproval } from './form.js';
import type { Invocation } from './invocations.js';
import { joinSpanRefs, spanRef } from './span-ref.js';
import type { SpanNode } from './span-tree.js';
import type { Entry, StepCounter, Transcript } from './transcript.js';

export interface RecordedApproval {
  readonly fact: ApprovalFact;
  readonly node: SpanNode;
  readonly invocation: Invocation;
}

/** Approval entries with the call that each one is about. */
export type ApprovalOwners = ReadonlyMap<Entry, CallState>;

export interface JoinedApprovals {
  readonly owners: ApprovalOwners;
  /** Approvals of no known call. */
  readonly unattached: readonly Entry[];
}

/**
 * Ties requests for approval and decisions to their calls: by call id, by the approval id of the
 * request, else the latest open call of that name. A span and a message part may record one and the
 * same approval.
 */
export function joinApprovals(
  transcripts: readonly Transcript[],
  recorded: readonly RecordedApproval[],
  states: CallStates,
  steps: StepCounter,
): JoinedApprovals {
  const owners = new Map<Entry, CallState>();
  const byApprovalId = new Map<string, CallState>();
  const seen: Entry[] = [];
  const attach = (entry: Entry, atom: ApprovalAtom, open: readonly CallState[]) => {
    const state = findCall(atom, states, byApprovalId, open);
    seen.push(entry);
    if (state === undefined) return undefined;
    owners.set(entry, state);
    if (atom.approvalId !== undefined) byApprovalId.set(atom.approvalId, state);
    if (atom.kind === 'approvalResponse') {
      state.hasDecision = true;
      state.isRejected = !atom.approved;
    }
    return state;
  };
  for (const transcript of transcripts) {
    const open: CallState[] = [];
    for (const entry of transcript.entries) {
      const state = states.of(entry);
      if (state !== undefined) open.push(state);
      if (isApproval(entry.form)) attach(entry, entry.form.atom, open);
    }
  }
  const unattached: Entry[] = [];
  const all = states.all();
  for (const approval of recorded) {
    const { atom } = approval.fact;
    const known = seen.find(
      (entry) => isApproval(entry.form) && isOneApproval(entry.form.atom, atom),
    );
    if (known !== undefined) {
      known.spans = joinSpanRefs(known.spans, [spanRef(approval.node.span)]);
      continue;
    }
    const entry = entryOfApproval(approval, steps.next());
    const state = attach(entry, atom, all);
    if (state === undefined) unattached.push(entry);
    else state.approvals.push(entry);
  }
  return { owners, unattached };
}

function isOneApproval(a: ApprovalAtom, b: ApprovalAtom): boolean {
  return a.kind === b.kind && compareApprovals(a, b) === 3;
}

function findCall(
  atom: ApprovalAtom,
  states: CallStates,
  byApprovalId: ReadonlyMap<string, CallState>,
  open: readonly CallState[],
): CallState | undefined {
  const byCall = atom.callId === undefined ? undefined : states.withId(atom.callId).at(-1);
  if (byCall !== undefined) return byCall;
  const byRequest = atom.approvalId === undefined ? undefined : byApprovalId.get(atom.approvalId);
  if (byRequest !== undefined) return byRequest;
  const isNamed = ({ entry }: CallState) =>
    atom.name === undefined || (entry.form.is('call') && entry.form.atom.name === atom.name);
  return open.findLast((state) => !state.hasDecision && isNamed(state));
}

function entryOfApproval({ fact, node, invocation }: RecordedApproval, step: number): Entry {
  const { span } = node;
  return {
    form: new Form(fact.atom),
    origin: 'event',
    spans: [spanRef(span)],
    at: fact.atom.kind === 'approvalRequest' ? span.startUnixNano : span.endUnixNano,
    step,
    agent: fact.agentName ?? invocation.name ?? undefined,
    invocation,
    source: null,
    isCompaction: false,
    isEcho: false,
    inferred: undefined,
  };
}
