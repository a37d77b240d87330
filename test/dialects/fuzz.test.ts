import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dialects } from '../../src/dialects/index.js';
import { recordedSpan } from './recorded-span.js';

/** Marks by which spans are recognized, with every kind of span that a dialect tells apart. */
const marks: readonly Readonly<Record<string, unknown>>[] = [
  ...['LLM', 'TOOL', 'AGENT', 'CHAIN', 'GUARDRAIL'].map((kind) => ({
    'openinference.span.kind': kind,
  })),
  ...['ai.generateText', 'ai.generateText.doGenerate', 'ai.toolCall'].map((id) => ({
    'ai.operationId': id,
  })),
  ...['tool', 'agent', 'handoff', 'task'].map((kind) => ({ 'traceloop.span.kind': kind })),
  { 'llm.request.type': 'chat', 'gen_ai.prompt.0.role': 'user' },
  ...['chat', 'execute_tool', 'invoke_agent', 'plan'].map((name) => ({
    'gen_ai.operation.name': name,
  })),
  { 'mcp.method.name': 'tools/call' },
];

const contentKeys = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.tool.name',
  'gen_ai.response.finish_reasons',
  'ai.prompt',
  'ai.prompt.messages',
  'ai.response.toolCalls',
  'ai.response.object',
  'ai.toolCall.name',
  'ai.toolCall.result',
  'input.value',
  'output.value',
  'metadata',
  'llm.input_messages.0.message.content',
  'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments',
  'traceloop.entity.input',
  'traceloop.entity.output',
  'gen_ai.prompt.0.content',
  'gen_ai.completion.0.tool_calls.0.arguments',
];

/** Words that mean something to a reader of messages, where any value may stand. */
const words = [
  'role',
  'content',
  'parts',
  'type',
  'text',
  'tool_call',
  'tool_calls',
  'tool_use',
  'tool_result',
  'function_call',
  'messages',
  'output',
  'generations',
  'kwargs',
  'constructor',
  'lc',
  'id',
  'name',
  'arguments',
  'assistant',
  'tool',
  'args',
  '__proto__',
];

const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...words),
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 5 }),
  ),
}));

/** A recorded value: structured, JSON text of it, JSON text that breaks off, plain text. */
const recorded = fc.oneof(
  json,
  json.map((value) => JSON.stringify(value)),
  fc.tuple(json, fc.double({ min: 0, max: 1, noNaN: true })).map(([value, part]) => {
    const text = JSON.stringify(value);
    return text.slice(0, Math.ceil(text.length * part));
  }),
  fc.string(),
);

it('no dialect throws on any value of its attributes', () => {
  const attributes = fc.tuple(
    fc.constantFrom(...marks),
    fc.dictionary(fc.constantFrom(...contentKeys), recorded, { maxKeys: 6 }),
  );
  const scope = fc.constantFrom('test', 'gen_ai', 'openinference.instrumentation.langchain');
  fc.assert(
    fc.property(attributes, scope, ([mark, content], name) => {
      const span = recordedSpan({ scope: name, attributes: { ...content, ...mark } });
      const dialect = dialects.find((one) => one.detects(span));
      expect(dialect).toBeDefined();
      const facts = dialect?.read(span) ?? [];
      expect(facts.length).toBeGreaterThan(0);
    }),
    { numRuns: 2000 },
  );
});
