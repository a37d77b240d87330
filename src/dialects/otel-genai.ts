import type { Dialect, Fact } from '../model/fact.js';
import type { Span } from '../model/span.js';
import { agentFact, llmFact, type Origin, otherFact } from './facts.js';
import { approvalDecisions } from './otel-decisions.js';
import { readOtelMessages } from './otel-messages.js';
import { readOtelTool } from './otel-tool.js';
import { isArray } from './shape.js';
import { SpanReading } from './span-reading.js';
import { parseStructure } from './values.js';

const dialect = 'otel-genai';

/** What the spans of each operation are; every other operation shows no step by itself. */
const kinds = new Map<string, 'llm' | 'tool' | 'agent' | 'workflow'>([
  ['chat', 'llm'],
  ['generate_content', 'llm'],
  ['text_completion', 'llm'],
  ['execute_tool', 'tool'],
  ['invoke_agent', 'agent'],
  ['invoke_workflow', 'workflow'],
]);

/**
 * OpenTelemetry GenAI semantic conventions (dialects.md §2.1), attributes of 1.37 and later with
 * their older carriers. The operation decides what a span is: a `gen_ai.tool.name` on a chat span is
 * no execution, and `gen_ai.*` context on an HTTP span without an operation is no step.
 */
export const otelGenAi: Dialect = {
  name: dialect,
  detects: (span) => operationOf(span) !== undefined,
  read: readOtelSpan,
};

function readOtelSpan(span: Span): readonly Fact[] {
  const reading = new SpanReading(span);
  const origin: Origin = { dialect, agentName: reading.text('gen_ai.agent.name') };
  return [...readOperation(reading, origin), ...approvalDecisions(reading, origin)];
}

function readOperation(reading: SpanReading, origin: Origin): readonly Fact[] {
  switch (operationOf(reading.span)) {
    case 'llm':
      return [readOtelModelCall(reading, origin)];
    case 'tool':
      return [isMergedTools(reading) ? otherFact(reading, origin) : readOtelTool(reading, origin)];
    case 'agent':
    case 'workflow':
      return [readOtelAgent(reading, origin)];
    default:
      return [otherFact(reading, origin)];
  }
}

/** ADK adds a span that merges the results of parallel tools; each tool has its own span. */
function isMergedTools(reading: SpanReading): boolean {
  return reading.text('gen_ai.tool.name') === '(merged tools)';
}

/** A model call of the convention; other dialects that write its attributes use it too. */
export function readOtelModelCall(reading: SpanReading, origin: Origin): Fact {
  const messages = readOtelMessages(reading);
  return llmFact(reading, origin, {
    ...messages,
    stateful:
      reading.text(
        'gen_ai.request.previous_response.id',
        'gen_ai.request.previous_response_id',
        'gen_ai.openai.request.previous_response_id',
      ) !== undefined,
    compacted: reading.value('gen_ai.conversation.compacted') === true,
    ...otelResponse(reading),
  });
}

/** An agent or workflow run of the convention. */
function readOtelAgent(reading: SpanReading, origin: Origin): Fact {
  const { system, input, output } = readOtelMessages(reading);
  const isWorkflow = reading.text('gen_ai.operation.name') === 'invoke_workflow';
  const name = isWorkflow
    ? (reading.text('gen_ai.workflow.name') ?? origin.agentName)
    : origin.agentName;
  const kind = isWorkflow ? 'workflow' : 'agent';
  const atoms = [...system.atoms, ...input.atoms];
  return agentFact(reading, { ...origin, agentName: name }, kind, atoms, output.atoms);
}

/** Model, response id, usage and finish reason as the convention names them. */
export function otelResponse(reading: SpanReading) {
  return {
    responseId: reading.text('gen_ai.response.id'),
    model: reading.text('gen_ai.response.model', 'gen_ai.request.model'),
    finishReason: finishReason(reading),
    usage: reading.usage(
      ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'],
      ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'],
      ['gen_ai.usage.cost'],
    ),
  };
}

function finishReason(reading: SpanReading): string | undefined {
  const recorded = reading.value('gen_ai.response.finish_reasons');
  const reasons = typeof recorded === 'string' ? (parseStructure(recorded) ?? recorded) : recorded;
  const first = isArray(reasons) ? reasons[0] : reasons;
  return typeof first === 'string' ? first : undefined;
}

function operationOf(span: Span): 'llm' | 'tool' | 'agent' | 'workflow' | 'other' | undefined {
  const name = span.attribute('gen_ai.operation.name');
  if (typeof name === 'string' && name !== '') return kinds.get(name) ?? 'other';
  const mcpMethod = span.attribute('mcp.method.name');
  if (typeof mcpMethod === 'string') return mcpMethod === 'tools/call' ? 'tool' : 'other';
  if (span.attribute('a2a.method.name') !== undefined) return 'other';
  return isUnnamedModelCall(span) ? 'llm' : undefined;
}

/** Messages without an operation: on events they belong to a model call only where a model is named. */
function isUnnamedModelCall(span: Span): boolean {
  if (span.attribute('gen_ai.input.messages') !== undefined) return true;
  if (span.attribute('gen_ai.output.messages') !== undefined) return true;
  const model = span.attribute('gen_ai.request.model') ?? span.attribute('gen_ai.response.model');
  return model !== undefined && span.events().some((event) => messageEvents.has(event.name));
}

const messageEvents = new Set([
  'gen_ai.client.inference.operation.details',
  'gen_ai.choice',
  'gen_ai.content.prompt',
  'gen_ai.content.completion',
]);
