import type { JsonArray, JsonObject, JsonValue } from '../../util/json.js';
import { field, isArray, isObject, objectField, stringField } from '../shape.js';

/**
 * S8, LangChain messages. Three ways of writing one down lead to one plain object: the serialized
 * constructor `{lc, id: […, 'AIMessage'], kwargs}`, `{type: 'ai', data: {…}}` and `{type: 'ai', content}`.
 */
export interface LangChainMessage {
  readonly role: string;
  readonly fields: JsonObject;
}

const rolesByClass = new Map([
  ['HumanMessage', 'user'],
  ['HumanMessageChunk', 'user'],
  ['AIMessage', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['SystemMessage', 'system'],
  ['ToolMessage', 'tool'],
  ['FunctionMessage', 'tool'],
]);

const rolesByType = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['system', 'system'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** The message in plain form; `undefined` when the value is none of LangChain's. */
export function langChainMessageOf(value: JsonValue): LangChainMessage | undefined {
  if (!isObject(value)) return undefined;
  const kwargs = objectField(value, 'kwargs');
  if (kwargs !== undefined && field(value, 'type') === 'constructor') {
    const role = rolesByClass.get(className(field(value, 'id')));
    return role === undefined ? undefined : { role, fields: kwargs };
  }
  const role = rolesByType.get(stringField(value, 'type') ?? '');
  if (role === undefined) return undefined;
  const data = objectField(value, 'data');
  if (data !== undefined) return { role, fields: data };
  return field(value, 'content') === undefined ? undefined : { role, fields: value };
}

/** The fields of a serialized tool message. */
export function toolMessageOf(value: JsonValue): JsonObject | undefined {
  const message = langChainMessageOf(value);
  return message?.role === 'tool' ? message.fields : undefined;
}

/** The calls of an AI message: its own list, the ones that did not parse, or the provider's. */
export function langChainCalls(fields: JsonObject): JsonArray {
  const own = listOf(field(fields, 'tool_calls'));
  const invalid = listOf(field(fields, 'invalid_tool_calls'));
  if (own.length + invalid.length > 0) return [...own, ...invalid];
  const additional = objectField(fields, 'additional_kwargs');
  return additional === undefined ? [] : listOf(field(additional, 'tool_calls'));
}

/** `generations[0][0].message` of a LangChain model result; its `text` where there is no message. */
export function generatedMessage(value: JsonObject): JsonValue | undefined {
  const generations = field(value, 'generations');
  const prompt = isArray(generations) ? generations[0] : undefined;
  const choice = isArray(prompt) ? prompt[0] : prompt;
  if (!isObject(choice)) return undefined;
  return field(choice, 'message') ?? field(choice, 'text');
}

function className(id: JsonValue | undefined): string {
  const last = isArray(id) ? id.at(-1) : undefined;
  return typeof last === 'string' ? last : '';
}

function listOf(value: JsonValue | undefined): JsonArray {
  return isArray(value) ? value : [];
}
