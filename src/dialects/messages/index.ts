import type { Atom, AtomRole } from '../../model/fact.js';
import type { JsonArray, JsonObject, JsonValue } from '../../util/json.js';
import { isRedacted } from '../placeholders.js';
import { field, firstField, isArray, isObject, stringField } from '../shape.js';
import { parseStructure, type ReadContext, readPrefix } from '../values.js';
import { linkApprovals } from './approvals.js';
import { isOfType, type MessageContext, noticeAtom, roleOf, textAtoms } from './atoms.js';
import { readContent } from './blocks.js';
import { readChatMessage } from './chat-message.js';
import { markCut } from './cut-messages.js';
import { langChainCalls, langChainMessageOf } from './langchain.js';
import { readResponsesItem } from './openai-responses.js';
import { isMessage, unwrap } from './wrappers.js';

/** Messages in any shape, as atoms. `captured` is false when nothing was recorded or all was hidden. */
export interface ReadMessages {
  readonly atoms: readonly Atom[];
  readonly captured: boolean;
  /** The list breaks off: later messages may be missing. */
  readonly isCut?: true;
}

const nothing: ReadMessages = { atoms: [], captured: false };

/**
 * Reads messages by their shape, whatever attribute held them (dialects.md §1): JSON text, a
 * structured value, plain text, JSON that was cut. `role` is whose words a message without a role
 * is; `what` names the place in losses.
 */
export function readMessages(
  raw: JsonValue | undefined,
  role: AtomRole,
  context: ReadContext,
  what: string,
): ReadMessages {
  if (raw === undefined || raw === null || raw === '') return nothing;
  if (typeof raw !== 'string') return captured(readValue(raw, role, context, 0));
  if (isRedacted(raw)) {
    context.losses.add('value_redacted', what);
    return nothing;
  }
  const parsed = parseStructure(raw);
  if (parsed !== undefined) return captured(readValue(parsed, role, context, 0));
  const prefix = readPrefix(raw);
  if (prefix !== undefined) {
    // A cut list hides its later messages; cut instructions hide no step.
    context.losses.add(
      role === 'system' ? 'value_truncated' : 'messages_unreadable',
      `${what} are cut`,
    );
    const atoms = markCut(readValue(prefix, role, context, 0));
    // Nothing but instructions before the cut: what was said is as good as not recorded.
    return { atoms, captured: atoms.some((atom) => !isInstruction(atom)), isCut: true };
  }
  if (/^\s*\[\s*\{/.test(raw)) {
    context.losses.add('messages_unreadable', `${what} are not JSON`);
    return nothing;
  }
  return captured(textAtoms(raw, { ...context, role }));
}

/**
 * Choice 0 of an output: alternatives that the model offered beside it are not what was said. Where
 * the number of choices is not told, several ended messages are choices, unless a later one calls
 * tools: some emitters write one answer as several messages, and a call must not vanish.
 */
export function firstChoice(
  messages: JsonValue | undefined,
  choiceCount: number,
): JsonValue | undefined {
  const list = typeof messages === 'string' ? parseStructure(messages) : messages;
  if (!isArray(list) || list.length < 2) return messages;
  const areEnded = list.every(
    (message) => isObject(message) && stringField(message, 'finish_reason') !== undefined,
  );
  const areChoices = choiceCount > 1 || (areEnded && !list.slice(1).some(showsCall));
  return areChoices ? list.slice(0, 1) : list;
}

function showsCall(message: JsonValue): boolean {
  if (!isObject(message)) return false;
  const parts = field(message, 'parts') ?? field(message, 'content');
  const isCall = (part: JsonValue) => isOfType(part, 'tool_call', 'tool_use', 'tool-call');
  return (isArray(parts) && parts.some(isCall)) || isArray(field(message, 'tool_calls'));
}

const deepestWrapper = 4;

function readValue(
  value: JsonValue,
  role: AtomRole,
  context: ReadContext,
  depth: number,
): readonly Atom[] {
  if (isArray(value)) return readList(value, role, context, depth);
  if (!isObject(value)) return textAtoms(value, { ...context, role });
  const inner = depth < deepestWrapper ? unwrap(value) : undefined;
  if (inner !== undefined) return readValue(inner, role, context, depth + 1);
  return readMessage(value, role, context);
}

function readList(
  list: JsonArray,
  role: AtomRole,
  context: ReadContext,
  depth: number,
): readonly Atom[] {
  const [first, second] = list;
  if (isArray(first) && depth < deepestWrapper) {
    return isTuple(first)
      ? list.flatMap((item) => (isArray(item) ? readTuple(item, role, context) : []))
      : readValue(first, role, context, depth + 1);
  }
  if (isTuple(list) && typeof second === 'string' && roleOf(first, 'external') !== 'external') {
    return readTuple(list, role, context);
  }
  const isBareContent = list.length > 0 && list.every(isContentBlock);
  if (isBareContent) return readContent(list, { ...context, role });
  return linkApprovals(list.flatMap((item) => readItem(item, role, context)));
}

function readItem(item: JsonValue, role: AtomRole, context: ReadContext): readonly Atom[] {
  if (isObject(item)) return readMessage(item, role, context);
  return textAtoms(item, { ...context, role });
}

function readMessage(message: JsonObject, role: AtomRole, context: ReadContext): readonly Atom[] {
  const parts = field(message, 'parts');
  if (isArray(parts)) return readParts(message, parts, role, context);
  const langChain = langChainMessageOf(message);
  if (langChain !== undefined) {
    const calls = langChainCalls(langChain.fields);
    return readChatMessage(
      { ...langChain.fields, role: langChain.role, tool_calls: calls },
      role,
      context,
    );
  }
  const item = readResponsesItem(message, context);
  if (item !== undefined) return item;
  if (isMessage(message)) return readChatMessage(message, role, context);
  return [noticeAtom(stringField(message, 'type') ?? 'unknown', message)];
}

/** S1 and S5: a role and parts. A text part of role tool is the result itself. */
function readParts(
  message: JsonObject,
  parts: JsonArray,
  fallback: AtomRole,
  context: ReadContext,
): readonly Atom[] {
  const role = roleOf(field(message, 'role'), fallback);
  const own: MessageContext = { ...context, role };
  const texts = parts.map((part) => (isObject(part) ? firstField(part, 'content', 'text') : part));
  const isBareResult =
    role === 'tool' && parts.every((part) => !isObject(part) || field(part, 'type') === 'text');
  if (isBareResult) return readChatMessage({ ...message, content: texts.join('') }, role, context);
  return readContent(parts, own);
}

function readTuple(tuple: JsonArray, fallback: AtomRole, context: ReadContext): readonly Atom[] {
  const [role, content] = tuple;
  return readChatMessage({ role: role ?? null, content: content ?? null }, fallback, context);
}

function isContentBlock(item: JsonValue): boolean {
  return (
    isObject(item) &&
    field(item, 'role') === undefined &&
    langChainMessageOf(item) === undefined &&
    [
      'text',
      'output_text',
      'input_text',
      'tool_use',
      'tool-call',
      'tool_result',
      'tool_call',
      'tool_call_response',
    ].includes(stringField(item, 'type') ?? '')
  );
}

function isTuple(value: JsonArray): boolean {
  return value.length === 2 && typeof value[0] === 'string' && !isArray(value[1]);
}

function isInstruction(atom: Atom): boolean {
  return atom.kind === 'text' && atom.role === 'system';
}

function captured(atoms: readonly Atom[]): ReadMessages {
  return { atoms, captured: true };
}
