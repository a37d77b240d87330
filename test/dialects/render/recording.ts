import { dialects } from '../../../src/dialects/index.js';
import type { ToolExecution } from '../../../src/model/fact.js';
import type { Recording } from '../../support/facts.js';
import type { PlannedSpan } from '../../support/simulator/recording-plan.js';
import { type Attributes, recordedSpans, type SpanSketch } from '../recorded-span.js';

/** The planned spans of each kind. */
export type PlannedModelCall = Extract<PlannedSpan, { kind: 'llm' }>;

/** How one instrumentation writes spans down. */
export interface Vocabulary {
  readonly name: string;
  /** False where it has no way to say that an input is only what is new. */
  readonly tellsDelta: boolean;
  modelCall(call: PlannedModelCall): SpanSketch;
  tool(tool: ToolExecution): SpanSketch;
  agent(name: string): SpanSketch;
}

/** The plan in the attributes of a vocabulary, as OTLP bytes, to be read by the real dialects. */
export function renderRecording(plan: readonly PlannedSpan[], vocabulary: Vocabulary): Recording {
  const spans = recordedSpans(
    plan.map((span) => ({
      ...sketchOf(span, vocabulary),
      trace: span.trace,
      id: idOf(span.id),
      ...(span.parent === null ? {} : { parent: idOf(span.parent) }),
      startMs: span.start,
      endMs: span.end,
    })),
  );
  return { spans, dialects };
}

function sketchOf(span: PlannedSpan, vocabulary: Vocabulary): SpanSketch {
  switch (span.kind) {
    case 'parent':
      return { name: 'POST /chat', attributes: { 'http.request.method': 'POST' } };
    case 'agent':
      return vocabulary.agent('shop');
    case 'tool':
      return vocabulary.tool(span.tool);
    case 'llm':
      return span.failed ? failed(vocabulary.modelCall(span)) : vocabulary.modelCall(span);
  }
}

function failed(sketch: SpanSketch): SpanSketch {
  return { ...sketch, error: 'overloaded', events: [exceptionEvent('overloaded')] };
}

/** The marks of a tool that threw: status, exception event, no result. */
export function threw(tool: ToolExecution, attributes: Attributes): Omit<SpanSketch, 'name'> {
  const message = typeof tool.result === 'string' ? tool.result : JSON.stringify(tool.result);
  return { attributes, error: message, events: [exceptionEvent(message)] };
}

function exceptionEvent(message: string) {
  const attributes = { 'exception.type': 'Error', 'exception.message': message };
  return { name: 'exception', attributes };
}

function idOf(id: number): string {
  return id.toString(16).padStart(16, '0');
}

/** The attributes that have a value. */
export function defined(attributes: Readonly<Record<string, unknown>>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
