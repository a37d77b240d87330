import type { Atom } from '../../model/fact.js';
import type { JsonObject, JsonValue } from '../../util/json.js';
import { compact, field, firstField, stringField } from '../shape.js';
import type { ReadContext } from '../values.js';
import { approvalRequest, approvalResponse, callAtoms, noticeAtom, resultAtoms } from './atoms.js';

/** Reads one item of the Responses API that is not a message. */
type ItemReader = (item: JsonObject, context: ReadContext) => readonly Atom[];

const output: ItemReader = (item, context) =>
  resultAtoms({ callId: stringField(item, 'call_id'), raw: field(item, 'output') }, context);

/** A tool that the provider ran: the call and, once completed, its result where it is told. */
const hostedCall: ItemReader = (item, context) => {
  const type = stringField(item, 'type') ?? '';
  const name = stringField(item, 'name') ?? type.replace(/_call$/, '');
  const callId = stringField(item, 'call_id', 'id');
  const args = firstField(item, 'arguments') ?? hostedArguments(item);
  const calls = callAtoms(compact({ id: callId, name, arguments: args }), context);
  const raw = firstField(item, 'output', 'outputs', 'results', 'result', 'error');
  const status = stringField(item, 'status');
  if (raw === undefined && status !== 'completed' && status !== 'failed') return calls;
  const failed = status === 'failed' || firstField(item, 'error') !== undefined;
  return [...calls, ...resultAtoms({ callId, name, raw, failed }, context)];
};

const ownKeys = new Set(['id', 'type', 'status', 'call_id', 'name', 'server_label']);
const resultKeys = new Set(['output', 'outputs', 'results', 'result', 'error', 'arguments']);

function hostedArguments(item: JsonObject): JsonObject {
  const args: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of Object.entries(item)) {
    if (!ownKeys.has(key) && !resultKeys.has(key)) args[key] = value;
  }
  return args;
}

/** S3, items of the OpenAI Responses API by type. Messages are read as chat messages. */
const items = new Map<string, ItemReader>([
  ['function_call', (item, context) => callAtoms({ ...item, id: callIdOf(item) }, context)],
  ['custom_tool_call', (item, context) => callAtoms({ ...item, id: callIdOf(item) }, context)],
  ['function_call_output', output],
  ['custom_tool_call_output', output],
  ['computer_call_output', output],
  ['local_shell_call_output', output],
  ['shell_call_output', output],
  ['reasoning', () => []],
  ['item_reference', () => []],
  ['mcp_list_tools', () => []],
  ['mcp_call', hostedCall],
  ['web_search_call', hostedCall],
  ['file_search_call', hostedCall],
  ['code_interpreter_call', hostedCall],
  ['image_generation_call', hostedCall],
  ['computer_call', hostedCall],
  ['local_shell_call', hostedCall],
  ['shell_call', hostedCall],
  ['mcp_approval_request', (item) => [approvalRequest(item, item)]],
  ['mcp_approval_response', (item) => [approvalResponse(item)]],
  ['compaction', (item) => [noticeAtom('compaction', item)]],
]);

/** Reads an item; `undefined` when it is none of the Responses API. */
export function readResponsesItem(
  item: JsonObject,
  context: ReadContext,
): readonly Atom[] | undefined {
  return items.get(stringField(item, 'type') ?? '')?.(item, context);
}

/** True for a whole response object, the form in which instrumentations keep the raw output. */
export function isResponseObject(value: JsonObject): boolean {
  return field(value, 'object') === 'response' && Array.isArray(field(value, 'output'));
}

function callIdOf(item: JsonObject): string {
  return stringField(item, 'call_id', 'id') ?? '';
}
