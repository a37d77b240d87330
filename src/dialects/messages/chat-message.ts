import type { Atom, AtomRole, CallAtom } from '../../model/fact.js';
import type { JsonObject, JsonValue } from '../../util/json.js';
import { field, isArray, isObject, objectField, stringField } from '../shape.js';
import type { ReadContext } from '../values.js';
import { callAtoms, isOfType, resultAtoms, roleOf } from './atoms.js';
import { readContent } from './blocks.js';

const resultTypes = ['tool-result', 'tool_result', 'tool_call_response', 'tool-approval-response'];

/**
 * S2, a chat message `{role, content, tool_calls?, tool_call_id?}`; its content may be parts of S4, S6
 * or S7. A message of role tool, or one that names the call it answers, is a result.
 */
export function readChatMessage(
  message: JsonObject,
  fallback: AtomRole,
  context: ReadContext,
): readonly Atom[] {
  const role = roleOf(field(message, 'role'), fallback);
  const content = field(message, 'content');
  const answers = stringField(message, 'tool_call_id', 'toolCallId');
  if (isResultMessage(role, content, answers)) {
    return resultAtoms(
      {
        callId: answers,
        name: stringField(message, 'name'),
        raw: content === null ? undefined : content,
        failed: stringField(message, 'status') === 'error' || field(message, 'is_error') === true,
      },
      context,
    );
  }
  const atoms = readContent(content, { ...context, role });
  const refusal = content === null || content === undefined ? field(message, 'refusal') : undefined;
  const refused = readContent(refusal, { ...context, role });
  return [...atoms, ...refused, ...listedCalls(message, atoms, context)];
}

function isResultMessage(
  role: AtomRole,
  content: JsonValue | undefined,
  answers: string | undefined,
): boolean {
  if (isArray(content) && content.some((part) => isResultPart(part))) return false;
  return role === 'tool' || (answers !== undefined && role !== 'assistant');
}

function isResultPart(part: JsonValue): boolean {
  return (
    isOfType(part, ...resultTypes) ||
    (isObject(part) && objectField(part, 'toolResult') !== undefined)
  );
}

/** The calls listed beside the content, without those the content already showed. */
function listedCalls(
  message: JsonObject,
  shown: readonly Atom[],
  context: ReadContext,
): readonly CallAtom[] {
  const listed = field(message, 'tool_calls');
  const legacy = objectField(message, 'function_call');
  const calls = isArray(listed) ? listed : legacy === undefined ? [] : [legacy];
  const read = calls.flatMap((call) => (isObject(call) ? callAtoms(call, context) : []));
  const known = shown.filter((atom) => atom.kind === 'call');
  return read.filter((call) => !known.some((other) => isSameCall(call, other)));
}

function isSameCall(a: CallAtom, b: CallAtom): boolean {
  if (a.callId !== undefined && b.callId !== undefined) return a.callId === b.callId;
  return a.name === b.name;
}
