import type { Atom, Dialect, Fact } from '../model/fact.js';
import type { Span } from '../model/span.js';
import { callsFirst } from './ai-sdk.js';
import { agentFact, base, llmFact, type Origin, otherFact, toolExecution } from './facts.js';
import { type ReadMessages, readMessages } from './messages/index.js';
import { readOpenInferenceMessages } from './openinference-messages.js';
import { readOpenInferenceTool } from './openinference-tool.js';
import { otelResponse } from './otel-genai.js';
import { SpanReading } from './span-reading.js';
import { parseStructure } from './values.js';

const dialect = 'openinference';

/**
 * OpenInference (dialects.md §2.2). `openinference.span.kind` decides what a span is. CHAIN spans
 * repeat the state of a graph and are no content; so are the spans that the Python LangChain
 * instrumentation calls AGENT because "agent" occurs in a run's name.
 */
export const openInference: Dialect = {
  name: dialect,
  detects: (span) => kindOf(span) !== undefined,
  read(span) {
    const reading = new SpanReading(span);
    const origin: Origin = { dialect, agentName: reading.text('agent.name', 'gen_ai.agent.name') };
    switch (kindOf(span)) {
      case 'LLM':
        return [readModelCall(reading, origin)];
      case 'TOOL':
        return [readTool(reading, origin)];
      case 'AGENT':
        return [readAgent(reading, origin)];
      case 'EVALUATOR':
        return [{ ...otherFact(reading, origin), judges: true }];
      default:
        return [otherFact(reading, origin)];
    }
  },
};

/** Text only: some processors leave an empty value on spans that are not theirs. */
function kindOf(span: Span): string | undefined {
  const kind = span.attribute('openinference.span.kind');
  return typeof kind === 'string' && kind !== '' ? kind.toUpperCase() : undefined;
}

function readModelCall(reading: SpanReading, origin: Origin): Fact {
  const otel = otelResponse(reading);
  return llmFact(reading, origin, {
    ...readOpenInferenceMessages(reading),
    stateful: isStateful(reading),
    responseId: otel.responseId ?? responseIdOf(reading.text('output.value')),
    model: reading.text('llm.model_name') ?? otel.model,
    finishReason: reading.text('llm.finish_reason') ?? otel.finishReason,
    usage:
      reading.usage(
        ['llm.token_count.prompt'],
        ['llm.token_count.completion'],
        ['llm.cost.total'],
      ) ?? otel.usage,
  });
}

/** A hand-off of the OpenAI Agents SDK is written as a tool named `handoff to X`. */
function readTool(reading: SpanReading, origin: Origin): Fact {
  const tool = readOpenInferenceTool(reading);
  const target = /^handoff to (\S.*)$/i.exec(reading.span.name)?.[1];
  if (target !== undefined) {
    return {
      ...base(reading, origin),
      kind: 'handoff',
      target,
      tool: toolExecution(reading, tool),
    };
  }
  const execution = toolExecution(reading, tool);
  return { ...base(reading, origin), kind: 'tool', tool: execution, layer: 'tool' };
}

function readAgent(reading: SpanReading, origin: Origin): Fact {
  const isLangChain = reading.span.scope.name.includes('langchain');
  if (isLangChain && origin.agentName === undefined) return otherFact(reading, origin);
  const { input, output } = readOpenInferenceMessages(reading);
  const agentName = origin.agentName ?? reading.text('graph.node.id') ?? reading.span.name;
  const answered = said(output, reading, 'output.value', 'assistant');
  // The processor that rewrites spans of the AI SDK keeps the run's last text before its calls.
  const isAiSdk = ['ai', 'gen_ai'].includes(reading.span.scope.name);
  return agentFact(
    reading,
    { ...origin, agentName },
    'agent',
    said(input, reading, 'input.value', 'user'),
    isAiSdk ? callsFirst(answered) : answered,
  );
}

/** An agent's own text; a JSON value there is state of the program, not something that was said. */
function said(
  messages: ReadMessages,
  reading: SpanReading,
  key: string,
  role: 'user' | 'assistant',
): readonly Atom[] {
  if (messages.captured) return messages.atoms;
  const text = reading.text(key);
  if (text === undefined || parseStructure(text) !== undefined) return [];
  return readMessages(text, role, reading, key).atoms;
}

/** The provider's id at the start of the raw response: it tells that two spans record one call. */
function responseIdOf(output: string | undefined): string | undefined {
  return output === undefined ? undefined : /^\{"id":\s?"([^"\\]{1,128})"/.exec(output)?.[1];
}

function isStateful(reading: SpanReading): boolean {
  const input = reading.text('input.value') ?? '';
  return /"previous_response_id":\s?"[^"]/.test(input);
}
