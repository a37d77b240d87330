import type { Atom } from '../../model/fact.js';
import type { JsonObject, JsonValue } from '../../util/json.js';
import { isArray, isObject, stringField } from '../shape.js';
import { anthropicBlocks } from './anthropic.js';
import { type BlockReader, type MessageContext, noticeAtom, textAtoms } from './atoms.js';
import { bedrockBlocks, readBedrockBlock } from './bedrock.js';
import { readGeminiPart } from './gemini.js';
import { modelMessageParts } from './model-message.js';
import { openAiBlocks } from './openai-chat.js';
import { otelParts } from './otel-parts.js';

/** Every typed part of every message shape. The type alone decides how a part is read, never the role. */
const readers = new Map<string, BlockReader>(
  [otelParts, openAiBlocks, anthropicBlocks, modelMessageParts, bedrockBlocks].flatMap((table) =>
    Object.entries(table),
  ),
);

/** Reads the content of a message: text, one part or a list of parts. */
export function readContent(
  content: JsonValue | undefined,
  message: MessageContext,
): readonly Atom[] {
  if (isArray(content)) return joinTexts(content.flatMap((block) => readBlock(block, message)));
  if (isObject(content)) return readBlock(content, message);
  return textAtoms(content, message);
}

function readBlock(block: JsonValue, message: MessageContext): readonly Atom[] {
  if (!isObject(block)) return textAtoms(block, message);
  const type = stringField(block, 'type');
  if (type === undefined) return readUntyped(block, message);
  const reader = readers.get(type);
  return reader === undefined ? [noticeAtom(type, block)] : reader(block, message);
}

function readUntyped(block: JsonObject, message: MessageContext): readonly Atom[] {
  const [key] = Object.keys(block);
  return (
    readBedrockBlock(block, message) ??
    readGeminiPart(block, message) ??
    (key === undefined ? [] : [noticeAtom(key, block)])
  );
}

/**
 * Joins neighbouring texts of one message: providers cut one text into several parts, and the AI SDK
 * writes them as one in its outputs.
 */
function joinTexts(atoms: readonly Atom[]): readonly Atom[] {
  const joined: Atom[] = [];
  for (const atom of atoms) {
    const last = joined.at(-1);
    if (atom.kind === 'text' && last?.kind === 'text' && last.state === 'present') {
      joined[joined.length - 1] = { ...last, text: last.text + atom.text, state: atom.state };
    } else {
      joined.push(atom);
    }
  }
  return joined;
}
