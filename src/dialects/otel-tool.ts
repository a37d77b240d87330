import type { Fact, ToolFact } from '../model/fact.js';
import type { JsonValue } from '../util/json.js';
import { base, type Origin, type ToolParts, toolExecution, toolFact } from './facts.js';
import { readResult } from './messages/results.js';
import type { SpanReading } from './span-reading.js';
import { readArguments } from './values.js';

const serverKind = 2;
const clientKind = 3;

/**
 * A tool execution of the convention, `execute_tool` or an MCP `tools/call`. With the transfer mode
 * `pass_control` it is a hand-off.
 */
export function readOtelTool(
  reading: SpanReading,
  origin: Origin,
  options: { readonly statusLies?: boolean } = {},
): Fact {
  const name = toolName(reading);
  if (name === undefined) reading.losses.add('tool_name_missing', reading.span.name);
  const { args, result } = recordedValues(reading);
  const parts: ToolParts = {
    name: name ?? reading.span.name,
    callId: reading.text('gen_ai.tool.call.id', 'gen_ai.tool.call_id'),
    args: readArguments(args, reading, `arguments of ${name ?? 'a tool'}`),
    result: readResult(result, reading, `result of ${name ?? 'a tool'}`),
    layer: layerOf(reading),
    statusLies: options.statusLies ?? false,
  };
  const target = reading.text('gen_ai.transfer.target.name');
  if (target !== undefined && reading.text('gen_ai.transfer.mode') === 'pass_control') {
    const tool = toolExecution(reading, parts);
    return { ...base(reading, origin), kind: 'handoff', target, tool };
  }
  return toolFact(reading, origin, parts);
}

/** `gen_ai.tool.name`, else what the span name says after its operation: `execute_tool get_order`. */
function toolName(reading: SpanReading): string | undefined {
  const named = reading.text('gen_ai.tool.name');
  if (named !== undefined) return named;
  return /^(?:execute_tool|tools\/call) (\S.*)$/.exec(reading.span.name)?.[1];
}

/** Attributes first; else the two events in which older emitters tell what went in and came out. */
function recordedValues(reading: SpanReading): { args?: JsonValue; result?: JsonValue } {
  const args = reading.value('gen_ai.tool.call.arguments');
  const result = reading.value('gen_ai.tool.call.result', 'anthropic.tool_result.content');
  if (args !== undefined || result !== undefined) return definedValues(args, result);
  const events = reading.span.events();
  const input = events.find((event) => event.name === 'gen_ai.tool.message');
  const output = events.find((event) => event.name === 'gen_ai.choice');
  return definedValues(input?.attribute('content'), output?.attribute('message'));
}

function definedValues(args: JsonValue | undefined, result: JsonValue | undefined) {
  return { ...(args === undefined ? {} : { args }), ...(result === undefined ? {} : { result }) };
}

/** MCP spans nest in the tool span of their call; an INTERNAL span with MCP attributes is the tool span. */
function layerOf(reading: SpanReading): ToolFact['layer'] {
  if (reading.text('mcp.method.name') === undefined) return 'tool';
  if (reading.span.kind === serverKind) return 'mcp_server';
  return reading.span.kind === clientKind ? 'mcp_client' : 'tool';
}
