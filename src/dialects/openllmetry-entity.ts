import type { AtomRole, TextAtom } from '../model/fact.js';
import type { JsonValue } from '../util/json.js';
import type { ToolParts } from './facts.js';
import { type ReadResult, readResult } from './messages/results.js';
import { field, hasOnlyKeys, isArray, isObject, stringField } from './shape.js';
import type { SpanReading } from './span-reading.js';
import { parseStructure, readArguments, readPlainText, readPrefix } from './values.js';

/** Classes of LangChain that some versions write where the tool's name should be. */
const toolClasses = new Set(['DynamicStructuredTool', 'DynamicTool', 'StructuredTool', 'Tool']);

/**
 * A tool span: arguments and result stand in wrappers, those of the decorators
 * (`{"args": […], "kwargs": {…}}`) or LangChain's (`{"inputs", "input_str", …}`, `{"output", …}`).
 * Without a name of its own the serialized result may tell it; else its class stands in and the name
 * counts as lost.
 */
export function readEntityTool(reading: SpanReading): ToolParts {
  const args = reading.value('gen_ai.tool.call.arguments', 'traceloop.entity.input');
  const output = reading.value('gen_ai.tool.call.result', 'traceloop.entity.output');
  const result = readResult(unwrapOutput(output), reading, `result of ${reading.span.name}`);
  const name = toolName(reading, result);
  return {
    name,
    callId: reading.text('gen_ai.tool.call.id'),
    args: readArguments(unwrapInput(args), reading, `arguments of ${name}`),
    result,
  };
}

function toolName(reading: SpanReading, result: ReadResult): string {
  const own = reading.text('gen_ai.tool.name', 'traceloop.entity.name');
  const inSpanName = reading.span.name.replace(/^execute_tool |\.tool$/g, '');
  const name = own ?? inSpanName;
  if (!toolClasses.has(name)) return name;
  if (result.name !== undefined) return result.name;
  reading.losses.add('tool_name_missing', reading.span.name);
  return name;
}

/** What an agent function was given or gave back, where it is text; structured values are state. */
export function entityTexts(
  reading: SpanReading,
  side: 'input' | 'output',
  role: AtomRole,
): readonly TextAtom[] {
  const what = `traceloop.entity.${side}`;
  const raw = reading.text(what);
  if (raw === undefined) return [];
  // A list around it, so that JSON text of a string is read like any other, cut or not.
  const whole = parseStructure(`[${raw}]`);
  const prefix = whole ?? readPrefix(`[${raw}`);
  const value = isArray(prefix) ? prefix[0] : undefined;
  const text = typeof value === 'string' ? value : (spokenText(value, side) ?? plainText(raw));
  if (text === undefined || text === '') return [];
  const isCut = whole === undefined && prefix !== undefined && raw.endsWith(text);
  if (isCut) reading.losses.add('value_truncated', what);
  const state = isCut ? 'truncated' : readPlainText(text, reading, what).state;
  return [{ kind: 'text', role, text, state }];
}

/** The first argument of a decorated function. */
function spokenText(value: JsonValue | undefined, side: 'input' | 'output'): string | undefined {
  if (!isObject(value) || side === 'output') return undefined;
  const args = field(value, 'args');
  return isArray(args) && typeof args[0] === 'string' ? args[0] : undefined;
}

function plainText(raw: string): string | undefined {
  return /^\s*[[{]/.test(raw) ? undefined : raw;
}

function unwrapInput(raw: JsonValue | undefined): JsonValue | undefined {
  const value = typeof raw === 'string' ? parseStructure(raw) : raw;
  if (!isObject(value)) return raw;
  const inputs = field(value, 'inputs');
  if (isObject(inputs)) return inputs;
  const text = stringField(value, 'input_str');
  if (text !== undefined) return text;
  const args = field(value, 'args');
  const kwargs = field(value, 'kwargs');
  if (!hasOnlyKeys(value, 'args', 'kwargs') || !isArray(args)) return raw;
  if (isObject(kwargs) && Object.keys(kwargs).length > 0) return kwargs;
  return args.length === 1 ? args[0] : args.length === 0 ? (kwargs ?? {}) : args;
}

function unwrapOutput(raw: JsonValue | undefined): JsonValue | undefined {
  const value = typeof raw === 'string' ? parseStructure(raw) : raw;
  if (!isObject(value) || !hasOnlyKeys(value, 'output', 'kwargs')) return raw;
  return field(value, 'output') ?? raw;
}
