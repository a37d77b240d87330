import type { ApprovalRequestAtom, Atom, CallAtom } from '../../model/fact.js';
import { compact } from '../shape.js';

/**
 * Ties approvals to their calls. A request may have lost its fields (AI SDK 7 keeps only its type):
 * when every request of the list lacks a call id, the i-th one belongs to the i-th call without a
 * result. A response knows its request by approval id.
 */
export function linkApprovals(atoms: readonly Atom[]): readonly Atom[] {
  const requests = atoms.filter((atom) => atom.kind === 'approvalRequest');
  if (requests.length === 0) return atoms;
  const calls = requests.every((request) => request.callId === undefined) ? openCalls(atoms) : [];
  const linked = new Map<ApprovalRequestAtom, ApprovalRequestAtom>();
  for (const [index, request] of requests.entries()) {
    const call = calls.length === requests.length ? calls[index] : callOf(request, atoms);
    linked.set(request, call === undefined ? request : withCall(request, call));
  }
  const byApprovalId = new Map(
    [...linked.values()].map((request) => [request.approvalId, request]),
  );
  return atoms.map((atom) => {
    if (atom.kind === 'approvalRequest') return linked.get(atom) ?? atom;
    if (atom.kind !== 'approvalResponse' || atom.callId !== undefined) return atom;
    const request = atom.approvalId === undefined ? undefined : byApprovalId.get(atom.approvalId);
    return compact({ ...atom, callId: request?.callId, name: atom.name ?? request?.name });
  });
}

function openCalls(atoms: readonly Atom[]): readonly CallAtom[] {
  const answered = new Set(atoms.flatMap((atom) => (atom.kind === 'result' ? [atom.callId] : [])));
  return atoms.filter(
    (atom): atom is CallAtom =>
      atom.kind === 'call' && (atom.callId === undefined || !answered.has(atom.callId)),
  );
}

function callOf(request: ApprovalRequestAtom, atoms: readonly Atom[]): CallAtom | undefined {
  if (request.callId === undefined) return undefined;
  return atoms.find(
    (atom): atom is CallAtom => atom.kind === 'call' && atom.callId === request.callId,
  );
}

function withCall(request: ApprovalRequestAtom, call: CallAtom): ApprovalRequestAtom {
  return compact({
    ...request,
    callId: request.callId ?? call.callId,
    name: request.name ?? call.name,
    args: request.args ?? call.args,
  });
}
