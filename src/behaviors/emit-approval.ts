import type { ApprovalRequestAtom, ApprovalResponseAtom } from '../model/fact.js';
import type { JsonValue } from '../util/json.js';
import type { CallState } from './call-states.js';
import { toolNameOf } from './emit-call.js';
import { baseBehavior, type EmitContext, type Emitted } from './emit-context.js';
import type { Entry } from './transcript.js';

/** `system asks human` for a decision, or `human approves/rejects` the tool. */
export function emitApproval(
  entry: Entry,
  atom: ApprovalRequestAtom | ApprovalResponseAtom,
  at: bigint,
  context: EmitContext,
): Emitted {
  const state = context.approvals.get(entry);
  const tool = atom.name ?? (state === undefined ? undefined : toolNameOf(state));
  const callId = atom.callId ?? state?.entry.form.ids[0];
  const ids = callId === undefined ? {} : { callId };
  if (atom.kind === 'approvalRequest') {
    const asked = requestOf(atom, tool, callId, state);
    return {
      ...baseBehavior(
        entry,
        at,
        { actor: 'system', action: 'asks' },
        { act: 'classified', with: 'present' },
      ),
      ...ids,
      target: 'human',
      with: asked,
    };
  }
  const decision = baseBehavior(
    entry,
    at,
    { actor: atom.by, action: atom.approved ? 'approves' : 'rejects' },
    { act: 'classified', content: atom.reason === undefined ? 'absent' : 'present' },
  );
  return {
    ...decision,
    ...ids,
    ...(tool === undefined || tool === '' ? {} : { target: context.nameOf(tool), tool }),
    ...(atom.reason === undefined ? {} : { content: atom.reason }),
  };
}

/** A refused execution without a recorded decision: somebody rejected it. */
export function emitDenial(state: CallState, at: bigint, context: EmitContext): Emitted {
  const tool = toolNameOf(state);
  const reason = state.execution?.result ?? state.execution?.error;
  const [callId] = state.entry.form.ids;
  return {
    ...baseBehavior(
      { ...state.entry, spans: state.execution?.spans ?? state.entry.spans },
      state.execution?.end ?? at,
      { actor: 'human', action: 'rejects' },
      {
        act: 'classified',
        content: reason === undefined ? 'absent' : 'present',
        inferred: 'the tool was refused; no span shows who decided',
      },
    ),
    ...(callId === undefined ? {} : { callId }),
    ...(tool === '' ? {} : { target: context.nameOf(tool), tool }),
    ...(reason === undefined ? {} : { content: reason }),
  };
}

function requestOf(
  atom: ApprovalRequestAtom,
  tool: string | undefined,
  callId: string | undefined,
  state: CallState | undefined,
): JsonValue {
  const form = state?.entry.form;
  const args = atom.args ?? (form?.is('call') ? form.atom.args : undefined);
  const request: { [key: string]: JsonValue } = Object.create(null);
  if (tool !== undefined) request.tool = tool;
  if (args !== undefined) request.args = args;
  if (callId !== undefined) request.callId = callId;
  return request;
}
