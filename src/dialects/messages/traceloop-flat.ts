import type { AttributeSource } from '../../model/span.js';
import type { JsonArray, JsonObject, JsonValue } from '../../util/json.js';
import { compact, field, isArray, isObject, stringField } from '../shape.js';
import { parseStructure } from '../values.js';
import { at, type FlatNode, itemsOf, readTree } from './flat.js';

/**
 * S10, the indexed prompts and completions of older OpenLLMetry, as chat messages:
 * `gen_ai.prompt.N.*`. `undefined` when there are none.
 */
export function unflattenTraceloop(
  source: AttributeSource,
  prefix: string,
): readonly JsonObject[] | undefined {
  const messages = itemsOf(readTree(source, prefix)).map(toMessage).filter(hasSubstance);
  return messages.length === 0 ? undefined : messages;
}

function toMessage(item: FlatNode): JsonObject {
  const calls = itemsOf(at(item, 'tool_calls')).map(toCall);
  const single = at(item, 'function_call');
  return compact({
    role: at(item, 'role')?.value,
    name: at(item, 'name')?.value,
    content: contentOf(at(item, 'content')?.value),
    tool_calls: calls.length > 0 ? calls : undefined,
    function_call: single === undefined ? undefined : toCall(single),
    tool_call_id: at(item, 'tool_call_id')?.value,
  });
}

/** A completion entry that holds only a finish reason was recorded with content capture off. */
function hasSubstance(message: JsonObject): boolean {
  return (
    field(message, 'content') !== undefined ||
    field(message, 'tool_calls') !== undefined ||
    field(message, 'function_call') !== undefined
  );
}

/** Content is text or JSON text of blocks; an assistant without text is written as the word null. */
function contentOf(content: JsonValue | undefined): JsonValue | undefined {
  if (content === 'null') return null;
  if (typeof content !== 'string') return content;
  const parsed = parseStructure(content);
  return isArray(parsed) && areBlocks(parsed) ? parsed : content;
}

function areBlocks(list: JsonArray): boolean {
  return (
    list.length > 0 &&
    list.every((block) => isObject(block) && stringField(block, 'type') !== undefined)
  );
}

function toCall(call: FlatNode): JsonObject {
  return compact({
    id: at(call, 'id')?.value,
    name: at(call, 'name')?.value ?? at(call, 'function', 'name')?.value,
    arguments: at(call, 'arguments')?.value ?? at(call, 'function', 'arguments')?.value,
  });
}
