import type { ToolExecution } from '../../../src/model/fact.js';
import type { SpanSketch } from '../recorded-span.js';
import { answerOf, type Message, toMessages, wordsOf } from './messages.js';
import { otelMessages, otelOutput } from './otel-genai.js';
import { defined, threw, type Vocabulary } from './recording.js';

const shared = {
  tellsDelta: false,
  tool: renderTool,
  agent: (agent: string): SpanSketch => ({
    name: `${agent}.agent`,
    scope: 'traceloop.tracer',
    attributes: { 'traceloop.span.kind': 'agent', 'traceloop.entity.name': agent },
  }),
};

/** OpenLLMetry now: messages of the OTel convention, tools of its decorators. */
export const openLlmetryVocabulary: Vocabulary = {
  ...shared,
  name: 'openllmetry',
  modelCall: ({ input, output, scope }) => ({
    name: 'chat scripted-1',
    scope: scope === 'sdk' ? '@traceloop/instrumentation-openai' : scope,
    attributes: defined({
      'traceloop.workflow.name': 'shop',
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': JSON.stringify(otelMessages(input)),
      'gen_ai.output.messages':
        output.length === 0 ? undefined : JSON.stringify(otelOutput(output)),
    }),
  }),
};

/** OpenLLMetry of old: indexed prompts and completions (S10). */
export const indexedVocabulary: Vocabulary = {
  ...shared,
  name: 'openllmetry, indexed',
  modelCall({ input, output, scope }) {
    const completions = toMessages(output);
    const merged = completions.map((message) => fieldsOf(message)).reduce(mergeFields, {});
    return {
      name: 'openai.chat',
      scope: scope === 'sdk' ? 'opentelemetry.instrumentation.openai.v1' : scope,
      attributes: {
        'llm.request.type': 'chat',
        'traceloop.workflow.name': 'shop',
        ...Object.assign(
          {},
          ...toMessages(input).map((message, n) => index('gen_ai.prompt', n, fieldsOf(message))),
        ),
        ...index('gen_ai.completion', 0, { ...merged, finish_reason: 'stop' }),
      },
    };
  },
};

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(message: Message): Fields {
  if (message.role === 'tool') {
    const { callId } = message.result;
    return { role: 'tool', content: answerOf(message.result), tool_call_id: callId };
  }
  const said = {
    role: message.role,
    content: message.text === null ? undefined : wordsOf(message.text),
  };
  if (message.role === 'user') return said;
  const calls = message.calls.map(({ callId, name, args }, n) =>
    index('tool_calls', n, { id: callId, name, arguments: JSON.stringify(args) }),
  );
  return Object.assign({}, said, ...calls);
}

function mergeFields(all: Fields, one: Fields): Fields {
  return { ...all, ...defined(one) };
}

function index(prefix: string, n: number, fields: Fields): Fields {
  return defined(
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [`${prefix}.${n}.${key}`, value]),
    ),
  );
}

function renderTool(tool: ToolExecution): SpanSketch {
  const attributes = {
    'traceloop.span.kind': 'tool',
    'traceloop.entity.name': tool.name,
    'traceloop.entity.input': JSON.stringify({ args: [], kwargs: tool.args }),
  };
  const span = { name: `${tool.name}.tool`, scope: 'traceloop.tracer' };
  if (tool.outcome === 'error') return { ...span, ...threw(tool, attributes) };
  const output = JSON.stringify(tool.result);
  return { ...span, attributes: { ...attributes, 'traceloop.entity.output': output } };
}
