import type {
  ApprovalRequestAtom,
  Atom,
  AtomRole,
  CallAtom,
  NoticeAtom,
  ResultAtom,
  TextAtom,
} from '../../model/fact.js';
import type { JsonObject, JsonValue } from '../../util/json.js';
import { compact, firstField, isObject, objectField, stringField } from '../shape.js';
import { type ReadContext, readArguments, readPlainText } from '../values.js';
import { readResult } from './results.js';

/** What a message says about all of its parts. */
export interface MessageContext extends ReadContext {
  readonly role: AtomRole;
}

/** Reads one part of a message; `[]` for a part that is no Behavior (reasoning). */
export type BlockReader = (block: JsonObject, message: MessageContext) => readonly Atom[];

const roles = new Map<string, AtomRole>([
  ['user', 'user'],
  ['human', 'user'],
  ['customer', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['external', 'external'],
]);

/** The role a recorded role name stands for; `fallback` when it is missing or unknown. */
export function roleOf(name: JsonValue | undefined, fallback: AtomRole): AtomRole {
  return typeof name === 'string' ? (roles.get(name.toLowerCase()) ?? fallback) : fallback;
}

/** A text atom, or none for empty text. */
export function textAtoms(text: JsonValue | undefined, message: MessageContext): TextAtom[] {
  if (typeof text !== 'string' || text === '') return [];
  const { value, state } = readPlainText(text, message, `text of role ${message.role}`);
  return [{ kind: 'text', role: message.role, text: value, state }];
}

/**
 * A call from any of the usual objects: `{id, name, arguments}`, `{id, function: {name, arguments}}`,
 * `{toolCallId, toolName, input}`, `{id, name, args}`. Absent arguments are `{}`. A call cut before
 * its name is no call; the cut itself is already a loss.
 */
export function callAtoms(call: JsonObject, context: ReadContext): CallAtom[] {
  const target = objectField(call, 'function') ?? call;
  const name = stringField(target, 'name', 'toolName', 'tool_name');
  if (name === undefined) return [];
  const raw = firstField(target, 'arguments', 'args', 'input') ?? '';
  const { value, state } = readArguments(raw, context, `arguments of ${name}`);
  const callId = stringField(call, 'id', 'call_id', 'toolCallId', 'tool_call_id', 'ref');
  return [compact({ kind: 'call', callId, name, args: value, state } as const)];
}

/** A result; `failed` where the part itself says so. A refused execution is a rejection instead. */
export function resultAtoms(
  result: {
    readonly callId?: string | undefined;
    readonly name?: string | undefined;
    readonly raw: JsonValue | undefined;
    readonly failed?: boolean;
  },
  context: ReadContext,
): Atom[] {
  const read = readResult(result.raw, context, `result of ${result.name ?? 'a tool'}`);
  const callId = result.callId ?? read.callId;
  const name = result.name ?? read.name;
  if (read.denied !== undefined) {
    const { reason } = read.denied;
    return [
      compact({
        kind: 'approvalResponse',
        callId,
        name,
        approved: false,
        by: 'human',
        reason,
      } as const),
    ];
  }
  const atom: ResultAtom = compact({
    kind: 'result',
    callId,
    name,
    result: read.value,
    isError: result.failed === true || read.isError,
    state: read.state,
  } as const);
  return [atom];
}

export function noticeAtom(type: string, content: JsonValue): NoticeAtom {
  return { kind: 'notice', type, content, state: 'present' };
}

export function approvalRequest(request: JsonObject, call: JsonObject): ApprovalRequestAtom {
  return compact({
    kind: 'approvalRequest',
    callId: stringField(call, 'toolCallId', 'call_id', 'id'),
    name: stringField(call, 'toolName', 'name'),
    args: firstField(call, 'input', 'arguments', 'args'),
    approvalId: stringField(request, 'approvalId', 'approval_id', 'id'),
  } as const);
}

/** A person's answer; a part that lost its fields on the way is only noticed. */
export function approvalResponse(part: JsonObject): Atom {
  const approved = firstField(part, 'approved', 'approve');
  if (typeof approved !== 'boolean')
    return noticeAtom(stringField(part, 'type') ?? 'approval', part);
  const call = objectField(part, 'function_call') ?? {};
  return compact({
    kind: 'approvalResponse',
    callId: stringField(call, 'call_id', 'id') ?? stringField(part, 'toolCallId'),
    name: stringField(call, 'name'),
    approvalId: stringField(part, 'approval_id', 'approvalId', 'approval_request_id', 'id'),
    approved,
    by: 'human',
    reason: stringField(part, 'reason'),
  } as const);
}

/** True when `value` is an object with this `type`. */
export function isOfType(value: JsonValue | undefined, ...types: string[]): value is JsonObject {
  return isObject(value) && types.includes(stringField(value, 'type') ?? '');
}
