import type { Completeness } from '../../model/evidence.js';
import type { JsonArray, JsonObject, JsonValue } from '../../util/json.js';
import { compact, field, hasOnlyKeys, isArray, isObject, stringField } from '../shape.js';
import { type ReadContext, readPayload } from '../values.js';
import { toolMessageOf } from './langchain.js';

/** A tool result freed of the envelope its framework put around it. */
export interface ReadResult {
  readonly value?: JsonValue;
  /** The envelope as recorded, when one was removed. */
  readonly raw?: JsonValue;
  readonly state: Completeness;
  readonly isError: boolean;
  /** The tool was not run because a person or policy refused it. */
  readonly denied?: { readonly reason?: string };
  /** Where the envelope names the call. */
  readonly callId?: string;
  readonly name?: string;
}

const deepestEnvelope = 4;

/**
 * Reads a tool result in any of the recorded forms: plain, JSON text, AI SDK `{type, value}`, a
 * serialized LangChain ToolMessage, an MCP envelope, a list of text blocks.
 */
export function readResult(
  raw: JsonValue | undefined,
  context: ReadContext,
  what: string,
): ReadResult {
  return open(raw, context, what, 0);
}

function open(
  raw: JsonValue | undefined,
  context: ReadContext,
  what: string,
  depth: number,
): ReadResult {
  const { value, state } = readPayload(raw, context, what);
  const plain: ReadResult = compact({ value, state, isError: false });
  if (depth >= deepestEnvelope || state !== 'present' || value === undefined) return plain;
  const envelope = refusal(value, context) ?? envelopeOf(value);
  if (envelope === undefined) return plain;
  if (envelope.denied !== undefined)
    return { state, isError: false, denied: envelope.denied, raw: value };
  const inner = open(envelope.content, context, what, depth + 1);
  return compact({
    value: inner.value,
    raw: value,
    state: inner.state,
    isError: envelope.isError || inner.isError,
    denied: inner.denied,
    callId: envelope.callId ?? inner.callId,
    name: envelope.name ?? inner.name,
  });
}

interface Envelope {
  readonly content: JsonValue | undefined;
  readonly isError: boolean;
  readonly denied?: { readonly reason?: string };
  readonly callId?: string | undefined;
  readonly name?: string | undefined;
}

function envelopeOf(value: JsonValue): Envelope | undefined {
  if (isArray(value)) return textBlocks(value);
  if (!isObject(value)) return undefined;
  return toolMessage(value) ?? aiSdkOutput(value) ?? mcpEnvelope(value);
}

function toolMessage(value: JsonObject): Envelope | undefined {
  const message = toolMessageOf(value);
  if (message === undefined) return undefined;
  return {
    content: field(message, 'content'),
    isError: stringField(message, 'status') === 'error',
    callId: stringField(message, 'tool_call_id'),
    name: stringField(message, 'name'),
  };
}

/** AI SDK 5 and later: `{type: 'text' | 'json' | 'error-text' | 'error-json' | …, value}`. */
function aiSdkOutput(value: JsonObject): Envelope | undefined {
  if (!hasOnlyKeys(value, 'type', 'value', 'reason', 'providerOptions')) return undefined;
  const content = field(value, 'value');
  switch (field(value, 'type')) {
    case 'text':
    case 'json':
    case 'content':
      return content === undefined ? undefined : { content, isError: false };
    case 'error-text':
    case 'error-json':
      return content === undefined ? undefined : { content, isError: true };
    case 'execution-denied':
      return { content, isError: false, denied: denial(value) };
    default:
      return undefined;
  }
}

/** MCP `CallToolResult`: structured content first, else its text blocks. */
function mcpEnvelope(value: JsonObject): Envelope | undefined {
  const content = field(value, 'content');
  if (!isArray(content) || content.length === 0) return undefined;
  if (!content.every((block) => isObject(block) && stringField(block, 'type') !== undefined)) {
    return undefined;
  }
  if (!hasOnlyKeys(value, 'content', 'isError', 'structuredContent', '_meta', 'meta')) {
    return undefined;
  }
  const isError = field(value, 'isError') === true;
  return { content: field(value, 'structuredContent') ?? content, isError };
}

/** A list of nothing but text (or Bedrock json) blocks is their text. */
function textBlocks(blocks: JsonArray): Envelope | undefined {
  const [first] = blocks;
  if (blocks.length === 1 && isObject(first) && hasOnlyKeys(first, 'json')) {
    return { content: field(first, 'json'), isError: false };
  }
  const texts = blocks.map(blockText);
  return blocks.length > 0 && texts.every((text) => text !== undefined)
    ? { content: texts.join(''), isError: false }
    : undefined;
}

function blockText(block: JsonValue): string | undefined {
  if (!isObject(block)) return undefined;
  const type = field(block, 'type');
  if (type === undefined ? !hasOnlyKeys(block, 'text') : !isTextType(type)) return undefined;
  const text = field(block, 'text');
  return typeof text === 'string' ? text : undefined;
}

function isTextType(type: JsonValue): boolean {
  return type === 'text' || type === 'output_text' || type === 'input_text';
}

/** How the AI SDK 7 writes down an execution that was refused, in dialects that say so. */
function refusal(value: JsonValue, context: ReadContext): Envelope | undefined {
  if (context.deniedResults !== true || !isObject(value)) return undefined;
  const isRefusal = field(value, 'denied') === true && hasOnlyKeys(value, 'denied', 'reason');
  return isRefusal ? { content: undefined, isError: false, denied: denial(value) } : undefined;
}

function denial(value: JsonObject): { readonly reason?: string } {
  return compact({ reason: stringField(value, 'reason') });
}
