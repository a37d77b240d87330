import type { Atom, Dialect, Fact, TextAtom } from '../model/fact.js';
import type { Span } from '../model/span.js';
import type { JsonValue } from '../util/json.js';
import { agentFact, llmFact, type Origin, otherFact, toolFact } from './facts.js';
import { type ReadMessages, readMessages } from './messages/index.js';
import { readResult } from './messages/results.js';
import { otelResponse } from './otel-genai.js';
import { readOtelMessages } from './otel-messages.js';
import { field, isArray, isObject } from './shape.js';
import { SpanReading } from './span-reading.js';
import { parseStructure, readArguments, readPlainText, readPrefix } from './values.js';

const dialect = 'ai-sdk';
const modelCall = /\.do(?:Generate|Stream)$/;
const run = /^ai\.(?:generate|stream)(?:Text|Object)$/;

/**
 * Vercel AI SDK 3.3 to 6, and 7 with its legacy telemetry: spans `ai.*` (dialects.md §2.4).
 *
 * `ai.operationId` names the operation; span names get suffixes. A root span repeats its model calls,
 * so its messages count only where those show none. A tool that threw has an exception and no result;
 * status ERROR beside a result is the error of an earlier tool that a span processor handed on.
 */
export const aiSdk: Dialect = {
  name: dialect,
  detects: (span) => operationOf(span) !== undefined,
  read(span) {
    const reading = new SpanReading(span);
    const origin: Origin = { dialect, agentName: reading.text('ai.telemetry.functionId') };
    const operation = operationOf(span) ?? '';
    if (operation === 'ai.toolCall') return [readTool(reading, origin)];
    if (modelCall.test(operation) && !operation.startsWith('ai.embed')) {
      return [readModelCall(reading, origin)];
    }
    return [run.test(operation) ? readRun(reading, origin) : otherFact(reading, origin)];
  },
};

function operationOf(span: Span): string | undefined {
  const id = span.attribute('ai.operationId');
  if (typeof id === 'string') return id;
  const isOwn = span.scope.name === 'ai' && span.name.startsWith('ai.');
  return isOwn ? span.name.split(' ', 1)[0] : undefined;
}

function readModelCall(reading: SpanReading, origin: Origin): Fact {
  const otel = otelResponse(reading);
  const messages = readOwnMessages(reading, readPrompt(reading));
  return llmFact(reading, origin, {
    // The Traceloop SDK rewrites these spans: its messages are the convention's.
    ...(messages.input.captured || messages.output.captured ? messages : readOtelMessages(reading)),
    responseId: reading.text('ai.response.id', 'gen_ai.response.id'),
    model: reading.text('ai.response.model', 'ai.model.id') ?? otel.model,
    finishReason: reading.text('ai.response.finishReason', 'ai.finishReason') ?? otel.finishReason,
    usage: reading.usage(
      ['ai.usage.inputTokens', 'ai.usage.promptTokens', 'gen_ai.usage.input_tokens'],
      ['ai.usage.outputTokens', 'ai.usage.completionTokens', 'gen_ai.usage.output_tokens'],
      [],
    ),
  });
}

function readPrompt(reading: SpanReading): ReadMessages {
  const messages = reading.value('ai.prompt.messages');
  if (messages !== undefined) return readMessages(messages, 'user', reading, 'ai.prompt.messages');
  return readMessages(promptOf(reading), 'user', reading, 'ai.prompt');
}

/** `ai.prompt` holds what the caller passed: a system text, messages or a prompt. */
function promptOf(reading: SpanReading): JsonValue | undefined {
  const raw = reading.value('ai.prompt');
  const prompt = typeof raw === 'string' ? (parseStructure(raw) ?? cutPrompt(raw, reading)) : raw;
  if (!isObject(prompt)) return prompt;
  const system = field(prompt, 'system');
  const messages = field(prompt, 'messages') ?? field(prompt, 'prompt');
  const said = isArray(messages) ? messages : [{ role: 'user', content: messages ?? null }];
  const instructions = typeof system === 'string' ? [{ role: 'system', content: system }] : [];
  return [...instructions, ...said];
}

function cutPrompt(raw: string, reading: SpanReading): JsonValue {
  const prefix = readPrefix(raw);
  if (prefix !== undefined) reading.losses.add('messages_unreadable', 'ai.prompt is cut');
  return prefix ?? raw;
}

function readOwnMessages(reading: SpanReading, input: ReadMessages) {
  const calls = reading.value('ai.response.toolCalls', 'ai.result.toolCalls');
  const listed = typeof calls === 'string' ? (parseStructure(calls) ?? calls) : calls;
  const called = readCalls(listed, reading);
  const said = readAnswer(reading);
  return {
    input,
    output: { atoms: [...said, ...called.atoms], captured: said.length > 0 || called.captured },
  };
}

function readCalls(calls: JsonValue | undefined, reading: SpanReading): ReadMessages {
  if (!isArray(calls)) return readMessages(calls, 'assistant', reading, 'ai.response.toolCalls');
  const message = [{ role: 'assistant', content: null, tool_calls: calls }];
  return readMessages(message, 'assistant', reading, 'ai.response.toolCalls');
}

/** The answer as text, or as the object that was asked for. */
function readAnswer(reading: SpanReading): readonly TextAtom[] {
  const text = reading.text('ai.response.text', 'ai.result.text');
  const object = reading.text('ai.response.object', 'ai.result.object');
  const said = text ?? object;
  if (said === undefined) return [];
  const { value, state } = readPlainText(said, reading, 'ai.response.text');
  const atom: TextAtom = { kind: 'text', role: 'assistant', text: value, state };
  const parsed = text === undefined ? parseStructure(value) : undefined;
  return [parsed === undefined ? atom : { ...atom, value: parsed }];
}

function readRun(reading: SpanReading, origin: Origin): Fact {
  const { input, output } = readOwnMessages(reading, readPrompt(reading));
  return agentFact(reading, origin, 'agent', input.atoms, callsFirst(output.atoms));
}

/** A run's output lists its last text before the calls that led to it. */
export function callsFirst(atoms: readonly Atom[]): readonly Atom[] {
  const texts = atoms.filter((atom) => atom.kind === 'text');
  return [...atoms.filter((atom) => atom.kind !== 'text'), ...texts];
}

function readTool(reading: SpanReading, origin: Origin): Fact {
  const name = reading.text('ai.toolCall.name');
  if (name === undefined) reading.losses.add('tool_name_missing', reading.span.name);
  const args = reading.value('ai.toolCall.args', 'ai.toolCall.input');
  const result = reading.value('ai.toolCall.result', 'ai.toolCall.output');
  return toolFact(reading, origin, {
    name: name ?? reading.span.name,
    callId: reading.text('ai.toolCall.id'),
    args: readArguments(args, reading, `arguments of ${name ?? 'a tool'}`),
    result: readResult(result, reading, `result of ${name ?? 'a tool'}`),
    statusLies: true,
  });
}
