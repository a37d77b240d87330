import type { Atom, Dialect, Fact, HandoffFact } from '../model/fact.js';
import type { Span } from '../model/span.js';
import { agentFact, base, llmFact, type Origin, otherFact, toolFact } from './facts.js';
import { type ReadMessages, readMessages } from './messages/index.js';
import { unflattenTraceloop } from './messages/traceloop-flat.js';
import { entityTexts, readEntityTool } from './openllmetry-entity.js';
import { unwrapResponsesInput } from './openllmetry-responses.js';
import { otelResponse } from './otel-genai.js';
import { readOtelMessages } from './otel-messages.js';
import { field, isObject } from './shape.js';
import { SpanReading } from './span-reading.js';

const dialect = 'openllmetry';
const marks = [
  'traceloop.span.kind',
  'traceloop.workflow.name',
  'traceloop.entity.name',
  'gen_ai.prompt.0.role',
  'gen_ai.prompt.0.content',
  'gen_ai.completion.0.role',
  'gen_ai.completion.0.content',
  'gen_ai.completion.0.finish_reason',
  'llm.prompts.0.content',
];

/**
 * OpenLLMetry / Traceloop, old and new (dialects.md §2.3): indexed prompts or messages of the OTel
 * convention, with the inputs and outputs of decorated functions in `traceloop.entity.*`. Workflow and
 * task spans repeat the state of a graph and are no content.
 */
export const openLlmetry: Dialect = {
  name: dialect,
  detects: (span) => marks.some((key) => span.attribute(key) !== undefined),
  read(span) {
    const reading = new SpanReading(span);
    const origin: Origin = { dialect, agentName: reading.text('gen_ai.agent.name') };
    return [readSpan(reading, origin)];
  },
};

function readSpan(reading: SpanReading, origin: Origin): Fact {
  const kind = reading.text('traceloop.span.kind');
  const operation = reading.text('gen_ai.operation.name');
  if (kind === 'handoff' || operation === 'handoff') return readHandoff(reading, origin);
  if (kind === 'tool' || operation === 'execute_tool') {
    return toolFact(reading, origin, readEntityTool(reading));
  }
  if (kind === 'agent') return readAgent(reading, origin);
  if (kind !== undefined) return otherFact(reading, origin);
  return isModelCall(reading) ? readModelCall(reading, origin) : otherFact(reading, origin);
}

const modelRequests = new Set([
  'chat',
  'completion',
  'text_completion',
  'generate_content',
  'responses',
]);

function isModelCall(reading: SpanReading): boolean {
  const type = reading.text('llm.request.type', 'gen_ai.operation.name');
  return type === undefined ? hasMessages(reading.span) : modelRequests.has(type);
}

function hasMessages(span: Span): boolean {
  return (
    marks.slice(3).some((key) => span.attribute(key) !== undefined) ||
    span.attribute('gen_ai.input.messages') !== undefined ||
    span.attribute('gen_ai.output.messages') !== undefined
  );
}

function readModelCall(reading: SpanReading, origin: Origin): Fact {
  const otel = otelResponse(reading);
  return llmFact(reading, origin, {
    ...readConversation(reading),
    ...otel,
    finishReason: otel.finishReason ?? reading.text('gen_ai.completion.0.finish_reason'),
  });
}

function readConversation(reading: SpanReading) {
  const prompts = readIndexed(reading, 'gen_ai.prompt') ?? readIndexed(reading, 'llm.prompts');
  const completion = readFirstCompletion(reading);
  if (prompts !== undefined || completion !== undefined) {
    return { system: nothing, input: prompts ?? nothing, output: completion ?? nothing };
  }
  const { system, input, output } = unwrapResponsesInput(readOtelMessages(reading), reading);
  if (reading.span.scope.name !== '@traceloop/instrumentation-anthropic') {
    return { system, input, output };
  }
  return { system, input: withoutEmptyArguments(input), output: withoutEmptyArguments(output) };
}

const nothing: ReadMessages = { atoms: [], captured: false };

/** The JavaScript Anthropic instrumentation writes `{}` for the arguments of every streamed call. */
function withoutEmptyArguments(messages: ReadMessages): ReadMessages {
  const atoms = messages.atoms.map((atom): Atom => {
    if (atom.kind !== 'call' || !isObject(atom.args) || Object.keys(atom.args).length > 0)
      return atom;
    const { args: _, ...call } = atom;
    return { ...call, state: 'absent' };
  });
  return { ...messages, atoms };
}

function readIndexed(reading: SpanReading, prefix: string): ReadMessages | undefined {
  const messages = unflattenTraceloop(reading.span, prefix);
  return messages && readMessages([...messages], 'user', reading, prefix);
}

/** Completions are alternatives; thinking is written as one more. The first that speaks counts. */
function readFirstCompletion(reading: SpanReading): ReadMessages | undefined {
  for (const prefix of ['gen_ai.completion', 'llm.completions']) {
    const messages = unflattenTraceloop(reading.span, prefix);
    const first = messages?.find((message) => field(message, 'role') !== 'thinking');
    if (first !== undefined) return readMessages([first], 'assistant', reading, prefix);
  }
  return undefined;
}

function readAgent(reading: SpanReading, origin: Origin): Fact {
  const agentName = origin.agentName ?? reading.text('traceloop.entity.name');
  const said = entityTexts(reading, 'input', 'user');
  const answered = entityTexts(reading, 'output', 'assistant');
  return agentFact(reading, { ...origin, agentName }, 'agent', said, answered);
}

function readHandoff(reading: SpanReading, origin: Origin): HandoffFact {
  const named = /→\s*(.+?)\.handoff$/.exec(reading.span.name)?.[1];
  const target = reading.text('gen_ai.handoff.to_agent') ?? named ?? reading.span.name;
  return { ...base(reading, origin), kind: 'handoff', target };
}
