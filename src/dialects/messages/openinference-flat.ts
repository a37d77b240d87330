import type { AttributeSource } from '../../model/span.js';
import type { JsonObject, JsonValue } from '../../util/json.js';
import { compact } from '../shape.js';
import { at, type FlatNode, itemsOf, readTree } from './flat.js';

/**
 * S9, the flattened messages of OpenInference, as chat messages: `llm.input_messages.N.message.*`.
 * `undefined` when there are none.
 */
export function unflattenOpenInference(
  source: AttributeSource,
  prefix: string,
): readonly JsonObject[] | undefined {
  const messages = itemsOf(readTree(source, prefix)).flatMap((item) => {
    const message = at(item, 'message');
    return message === undefined ? [] : [toMessage(message)];
  });
  return messages.length === 0 ? undefined : messages;
}

function toMessage(message: FlatNode): JsonObject {
  const contents = itemsOf(at(message, 'contents')).flatMap(toBlock);
  const calls = itemsOf(at(message, 'tool_calls')).map((call) => toCall(at(call, 'tool_call')));
  const legacy = at(message, 'function_call_name')?.value;
  const answers = at(message, 'tool_call_id')?.value;
  const role = at(message, 'role')?.value;
  return compact({
    role,
    name: at(message, 'name')?.value,
    // Both may hold the same text; of an answer to a call, `content` is the answer itself.
    content: contentOf(message, contents, answers !== undefined && role !== 'assistant'),
    tool_calls: calls.length > 0 ? calls : undefined,
    function_call:
      legacy === undefined
        ? undefined
        : compact({ name: legacy, arguments: at(message, 'function_call_arguments_json')?.value }),
    tool_call_id: answers,
  });
}

function contentOf(
  message: FlatNode,
  contents: readonly JsonObject[],
  isAnswer: boolean,
): JsonValue | undefined {
  const content = at(message, 'content')?.value;
  if (contents.length === 0 || (isAnswer && content !== undefined)) return content;
  return contents;
}

/** `contents.M`: text, an image, or a call beside its text in the order the model wrote them. */
function toBlock(item: FlatNode): readonly JsonObject[] {
  const content = at(item, 'message_content');
  const call = at(item, 'tool_call');
  if (call !== undefined) return [{ type: 'tool_use', ...toCall(call) }];
  const type = at(content, 'type')?.value ?? 'text';
  const text = at(content, 'text')?.value;
  if (typeof text === 'string') return [{ type, text }];
  const image = at(content, 'image', 'image', 'url')?.value;
  return image === undefined ? [] : [{ type: 'image', url: image }];
}

function toCall(call: FlatNode | undefined): JsonObject {
  return compact({
    id: at(call, 'id')?.value,
    name: at(call, 'function', 'name')?.value,
    arguments: at(call, 'function', 'arguments')?.value,
  });
}
