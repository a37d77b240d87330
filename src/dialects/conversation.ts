import type { Span } from '../model/span.js';
import { isObject, stringField } from './shape.js';
import { parseStructure } from './values.js';

/**
 * Where instrumentations keep the key of the conversation, in the order of trust (dialects.md §3.2).
 * `metadata` is OpenInference's JSON text.
 */
const attributes = [
  'gen_ai.conversation.id',
  'session.id',
  'langfuse.session.id',
  'langsmith.metadata.session_id',
  'langsmith.metadata.thread_id',
  'traceloop.association.properties.session_id',
  'traceloop.association.properties.thread_id',
  'traceloop.association.properties.chat_id',
  'ai.telemetry.metadata.sessionId',
  'ai.telemetry.metadata.threadId',
  'ai.telemetry.metadata.chatId',
  'ai.settings.context.sessionId',
  'ai.settings.context.threadId',
  'ai.settings.context.chatId',
  'metadata.sessionId',
  'metadata.threadId',
  'mastra.metadata.threadId',
  'mastra.metadata.sessionId',
  'conversation.id',
  'lmnr.association.properties.session_id',
  'scope.agentic.session',
  'gcp.vertex.agent.session_id',
  'gen_ai.thread.id',
];
const metadataKeys = ['session_id', 'conversation_id', 'thread_id'];
const placeholders = new Set(['', 'default', 'null', 'undefined', 'none']);

/** The conversation a span says it belongs to; placeholders and its own trace id do not count. */
export function conversationIdOf(span: Span): string | undefined {
  for (const key of attributes) {
    const id = keyOf(span.attribute(key), span);
    if (id !== undefined) return id;
  }
  return keyOf(fromMetadata(span), span) ?? keyOf(span.resource.attribute('session.id'), span);
}

function keyOf(value: unknown, span: Span): string | undefined {
  const id = typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;
  if (typeof id !== 'string' || placeholders.has(id.trim().toLowerCase())) return undefined;
  return id === span.traceId ? undefined : id;
}

function fromMetadata(span: Span): string | undefined {
  const text = span.attribute('metadata');
  if (typeof text !== 'string') return undefined;
  const metadata = parseStructure(text);
  return isObject(metadata) ? stringField(metadata, ...metadataKeys) : undefined;
}
