import type { Atom } from '../../model/fact.js';
import type { JsonObject } from '../../util/json.js';
import { field, objectField, stringField } from '../shape.js';
import { type BlockReader, callAtoms, type MessageContext, resultAtoms } from './atoms.js';

/**
 * S6, blocks of Bedrock Converse and Strands: `{toolUse: {…}}`, or with the same fields beside a
 * `type`. Results stand in messages of role user.
 */
export const bedrockBlocks: Readonly<Record<string, BlockReader>> = {
  toolUse: (call, message) => callAtoms({ ...call, id: field(call, 'toolUseId') ?? null }, message),
  toolResult: (result, message) =>
    resultAtoms(
      {
        callId: stringField(result, 'toolUseId'),
        raw: field(result, 'content'),
        failed: field(result, 'status') === 'error',
      },
      message,
    ),
  reasoningContent: () => [],
};

/** A block that is named by its only key; `undefined` if it is none of Bedrock's. */
export function readBedrockBlock(
  block: JsonObject,
  message: MessageContext,
): readonly Atom[] | undefined {
  for (const [key, read] of Object.entries(bedrockBlocks)) {
    const inner = objectField(block, key);
    if (inner !== undefined) return read(inner, message);
  }
  return undefined;
}
