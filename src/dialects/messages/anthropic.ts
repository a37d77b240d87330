import { field, stringField } from '../shape.js';
import { type BlockReader, callAtoms, resultAtoms } from './atoms.js';

const result: BlockReader = (block, message) =>
  resultAtoms(
    {
      callId: stringField(block, 'tool_use_id'),
      raw: field(block, 'content'),
      failed: field(block, 'is_error') === true,
    },
    message,
  );

/** S4, Anthropic content blocks. Results stand in messages of role user. */
export const anthropicBlocks: Readonly<Record<string, BlockReader>> = {
  tool_use: callAtoms,
  server_tool_use: callAtoms,
  mcp_tool_use: callAtoms,
  tool_result: result,
  mcp_tool_result: result,
  web_search_tool_result: result,
  web_fetch_tool_result: result,
  code_execution_tool_result: result,
  bash_code_execution_tool_result: result,
  text_editor_code_execution_tool_result: result,
  redacted_thinking: () => [],
};
