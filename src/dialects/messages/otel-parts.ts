import { firstField, objectField, stringField } from '../shape.js';
import {
  approvalRequest,
  approvalResponse,
  type BlockReader,
  callAtoms,
  noticeAtom,
  resultAtoms,
  textAtoms,
} from './atoms.js';

/** S1, parts of the OTel GenAI convention 1.37 and later: `{type, content | name | response …}`. */
export const otelParts: Readonly<Record<string, BlockReader>> = {
  text: (part, message) => textAtoms(firstField(part, 'content', 'text'), message),
  reasoning: () => [],
  thinking: () => [],
  tool_call: (part, message) => callAtoms(part, message),
  tool_call_response: (part, message) =>
    resultAtoms(
      {
        callId: stringField(part, 'id'),
        name: stringField(part, 'name'),
        raw: firstField(part, 'response', 'result', 'content'),
      },
      message,
    ),
  // Executed by the model provider: name and arguments may stand in a nested object of that name.
  server_tool_call: (part, message) => {
    const call = objectField(part, 'server_tool_call') ?? {};
    return callAtoms(
      { ...call, ...part, arguments: firstField(part, 'arguments') ?? call },
      message,
    );
  },
  server_tool_call_response: (part, message) =>
    resultAtoms(
      {
        callId: stringField(part, 'id'),
        name: stringField(part, 'name'),
        raw: firstField(part, 'server_tool_call_response', 'response', 'result'),
      },
      message,
    ),
  compaction: (part) => [noticeAtom('compaction', firstField(part, 'content') ?? null)],
  // AI SDK 7 and Microsoft Agent Framework.
  tool_approval_response: (part) => [approvalResponse(part)],
  function_approval_response: (part) => [approvalResponse(part)],
  function_approval_request: (part) => [
    approvalRequest(part, objectField(part, 'function_call') ?? {}),
  ],
};
