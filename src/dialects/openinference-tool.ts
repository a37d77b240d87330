import type { JsonValue } from '../util/json.js';
import type { ToolParts } from './facts.js';
import { type ReadResult, readResult } from './messages/results.js';
import { isRedacted } from './placeholders.js';
import { field, isArray, isObject } from './shape.js';
import type { SpanReading } from './span-reading.js';
import { looksCut, parseStructure, type Reading, readArguments } from './values.js';

/**
 * A TOOL span: `input.value` are the arguments, `output.value` is the result. `tool.parameters` is
 * used only without an input: some instrumentations put the schema there.
 *
 * Status ERROR is an error, except on spans that the AI SDK 7 wrote: its OpenInference processor
 * hands the error of one tool on to every later span.
 */
export function readOpenInferenceTool(reading: SpanReading): ToolParts {
  const name = reading.text('tool.name', 'gen_ai.tool.name') ?? reading.span.name;
  const output = reading.value('output.value', 'gen_ai.tool.call.result');
  return {
    name,
    callId: reading.text('tool.id', 'tool_call.id', 'gen_ai.tool.call.id', 'ai.toolCall.id'),
    args: readToolInput(reading, name),
    result: readToolOutput(output, reading, `result of ${name}`),
    statusLies: ['gen_ai', 'ai'].includes(reading.span.scope.name),
  };
}

function readToolInput(reading: SpanReading, name: string): Reading {
  const what = `arguments of ${name}`;
  const raw = reading.value('input.value', 'gen_ai.tool.call.arguments');
  if (raw === undefined) return readArguments(reading.value('tool.parameters'), reading, what);
  const input = unwrapInput(raw);
  return isBareValue(input, reading) ? { state: 'absent' } : readArguments(input, reading, what);
}

/**
 * LangChain writes the only argument of a tool without its name, as plain text. Arguments without
 * names are no arguments; the model call that asked for the tool shows them whole.
 */
function isBareValue(input: JsonValue, reading: SpanReading): boolean {
  if (typeof input !== 'string' || isRedacted(input)) return false;
  return reading.span.scope.name.includes('langchain') && !/^\s*\{/.test(input);
}

/** LangChain passes `{"input": "<arguments as text>"}`. */
function unwrapInput(raw: JsonValue): JsonValue {
  const value = typeof raw === 'string' ? parseStructure(raw) : raw;
  const inner = singleField(value, 'input');
  return typeof inner === 'string' && /^\s*\{/.test(inner) ? inner : raw;
}

/** LangChain's instrumentations record `{"output": <what the tool returned>}`. */
function readToolOutput(
  raw: JsonValue | undefined,
  reading: SpanReading,
  what: string,
): ReadResult {
  if (!reading.span.scope.name.includes('langchain')) return readResult(raw, reading, what);
  const value = typeof raw === 'string' ? parseStructure(raw) : raw;
  const isCutWrapper = value === undefined && typeof raw === 'string' && /^\{"output":/.test(raw);
  if (isCutWrapper && looksCut(raw)) {
    reading.losses.add('value_truncated', what);
    return { state: 'truncated', isError: false };
  }
  return readResult(singleField(value, 'output') ?? raw, reading, what);
}

function singleField(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (!isObject(value) || isArray(value) || Object.keys(value).length !== 1) return undefined;
  return field(value, key);
}
