import { field, firstField, stringField } from '../shape.js';
import {
  approvalRequest,
  approvalResponse,
  type BlockReader,
  callAtoms,
  noticeAtom,
  resultAtoms,
} from './atoms.js';

const result: BlockReader = (part, message) =>
  resultAtoms(
    {
      callId: stringField(part, 'toolCallId'),
      name: stringField(part, 'toolName'),
      raw: firstField(part, 'output', 'result', 'error'),
      failed: field(part, 'isError') === true || field(part, 'type') === 'tool-error',
    },
    message,
  );

/** S7, parts of AI SDK model messages: version 4 writes `args` and `result`, later ones `input` and `output`. */
export const modelMessageParts: Readonly<Record<string, BlockReader>> = {
  'tool-call': callAtoms,
  'tool-result': result,
  'tool-error': result,
  'redacted-reasoning': () => [],
  'reasoning-file': () => [],
  'tool-approval-request': (part) => [approvalRequest(part, part)],
  'tool-approval-response': (part) => [approvalResponse(part)],
  source: (part) => [noticeAtom('source', part)],
};
