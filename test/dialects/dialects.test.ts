import { describe, expect, it } from 'vitest';
import { conversationIdOf } from '../../src/dialects/conversation.js';
import { dialects } from '../../src/dialects/index.js';
import type { Fact } from '../../src/model/fact.js';
import { recordedSpan, type SpanSketch } from './recorded-span.js';

/** What the first dialect that knows the span reads. */
function factsOf(sketch: SpanSketch): readonly Fact[] {
  const span = recordedSpan(sketch);
  return dialects.find((dialect) => dialect.detects(span))?.read(span) ?? [];
}

type FactOf<K> = Fact extends infer F
  ? F extends { kind: infer Known }
    ? K extends Known
      ? F
      : never
    : never
  : never;

function factOf<K extends Fact['kind']>(kind: K, sketch: SpanSketch): FactOf<K> & Fact {
  const fact = factsOf(sketch).find((one): one is FactOf<K> & Fact => one.kind === kind);
  if (fact === undefined) throw new Error(`no fact of kind ${kind}`);
  return fact;
}

const messages = (role: string, text: string) =>
  JSON.stringify([{ role, parts: [{ type: 'text', content: text }] }]);

describe('a span is read by one dialect only', () => {
  const both = {
    scope: 'gen_ai',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': messages('user', 'Hi'),
      'openinference.span.kind': 'LLM',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Hi',
    },
  };

  it('OpenInference over the AI SDK wins', () => {
    expect(factsOf(both).map((fact) => [fact.kind, fact.dialect])).toEqual([
      ['llm', 'openinference'],
    ]);
  });

  it('an OpenInference kind without a value marks nothing', () => {
    const attributes = { ...both.attributes, 'openinference.span.kind': null };
    expect(factsOf({ ...both, attributes }).map((fact) => fact.dialect)).toEqual(['ai-sdk-7']);
  });

  it('AI SDK spans that Traceloop rewrote keep their dialect and use its messages', () => {
    const fact = factOf('llm', {
      scope: 'ai',
      attributes: {
        'ai.operationId': 'ai.generateText.doGenerate',
        'traceloop.entity.name': 'x',
        'gen_ai.input.messages': messages('user', 'Hi'),
        'gen_ai.output.messages': messages('assistant', 'Hello'),
      },
    });
    expect(fact.dialect).toBe('ai-sdk');
    expect(fact.output).toMatchObject([{ text: 'Hello' }]);
  });

  it('no dialect reads HTTP and database spans, with or without gen_ai context', () => {
    const http = {
      'http.request.method': 'POST',
      'gen_ai.conversation.id': 'c',
      'gen_ai.task.id': 't',
    };
    expect(factsOf({ attributes: http })).toEqual([]);
    expect(factsOf({ attributes: { 'db.system': 'postgresql' } })).toEqual([]);
  });

  it('own telemetry and announcements of spans say nothing', () => {
    const attributes = { 'gen_ai.operation.name': 'chat' };
    expect(factsOf({ scope: 'retrial', attributes })).toEqual([]);
    expect(factsOf({ attributes: { ...attributes, 'logfire.span_type': 'pending_span' } })).toEqual(
      [],
    );
  });
});

describe('the operation decides', () => {
  it('a tool name on a chat span is no execution', () => {
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.tool.name': 'get_order' };
    expect(factsOf({ attributes }).map((fact) => fact.kind)).toEqual(['llm']);
  });

  it('embeddings, retrieval, create_agent and unknown operations show no step', () => {
    for (const operation of ['embeddings', 'retrieval', 'create_agent', 'model_chunk']) {
      const facts = factsOf({ attributes: { 'gen_ai.operation.name': operation } });
      expect(facts.map((fact) => fact.kind)).toEqual(['other']);
    }
  });

  it('evaluation results are never steps', () => {
    const facts = factsOf({
      attributes: { 'gen_ai.operation.name': 'chat' },
      events: [{ name: 'gen_ai.evaluation.result', attributes: { 'gen_ai.evaluation.name': 'x' } }],
    });
    expect(facts.map((fact) => fact.kind)).toEqual(['llm']);
  });

  it('a transfer that passes control is a hand-off, one that returns is a call', () => {
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'ask_billing',
      'gen_ai.transfer.target.name': 'billing',
    };
    const pass = { ...attributes, 'gen_ai.transfer.mode': 'pass_control' };
    expect(factOf('handoff', { attributes: pass })).toMatchObject({ target: 'billing' });
    const back = { ...attributes, 'gen_ai.transfer.mode': 'return_to_caller' };
    expect(factOf('tool', { attributes: back }).tool.name).toBe('ask_billing');
  });

  it('MCP spans are layers of the tool span, by their side of the wire', () => {
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'get_order' };
    expect(factOf('tool', { kind: 3, attributes }).layer).toBe('mcp_client');
    expect(factOf('tool', { kind: 2, attributes }).layer).toBe('mcp_server');
    expect(factOf('tool', { kind: 1, attributes }).layer).toBe('tool');
    expect(factsOf({ attributes: { 'mcp.method.name': 'tools/list' } })[0]?.kind).toBe('other');
  });

  it('a decision about a tool call is an approval', () => {
    const facts = factsOf({
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'pay',
        'gen_ai.tool.call.id': 'c',
      },
      events: [
        {
          name: 'gen_ai.tool.call.decision',
          attributes: { 'gen_ai.tool.call.decision.outcome': 'deny' },
        },
      ],
    });
    expect(facts[1]).toMatchObject({
      kind: 'approval',
      atom: { kind: 'approvalResponse', callId: 'c', name: 'pay', approved: false },
    });
  });

  it('a previous response id means that the input is only what is new', () => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.previous_response.id': 'resp_1',
    };
    expect(factOf('llm', { attributes }).stateful).toBe(true);
  });
});

describe('messages stand in the newest carrier', () => {
  const details = (attributes: Record<string, unknown>) => ({
    name: 'gen_ai.client.inference.operation.details',
    attributes,
  });

  it('several details events are one conversation', () => {
    const fact = factOf('llm', {
      attributes: { 'gen_ai.operation.name': 'chat' },
      events: [
        details({ 'gen_ai.system_instructions': '[{"type":"text","content":"Be kind."}]' }),
        details({ 'gen_ai.input.messages': messages('user', 'Hi') }),
        details({ 'gen_ai.output.messages': messages('assistant', 'Hello') }),
      ],
    });
    expect(fact.input).toMatchObject([{ role: 'system' }, { text: 'Hi' }]);
    expect(fact.output).toMatchObject([{ text: 'Hello' }]);
  });

  it('one event per message, alternatives left out', () => {
    const fact = factOf('llm', {
      attributes: { 'gen_ai.operation.name': 'chat' },
      events: [
        { name: 'gen_ai.user.message', attributes: { content: '[{"text":"Hi"}]' } },
        { name: 'gen_ai.choice', attributes: { index: 0, message: '{"content":"Hello"}' } },
        { name: 'gen_ai.choice', attributes: { index: 1, message: '{"content":"Hey"}' } },
      ],
    });
    expect(fact.input).toMatchObject([{ role: 'user', text: 'Hi' }]);
    expect(fact.output).toMatchObject([{ role: 'assistant', text: 'Hello' }]);
  });

  it('prompt and completion events of the oldest versions', () => {
    const fact = factOf('llm', {
      attributes: { 'gen_ai.operation.name': 'chat' },
      events: [
        {
          name: 'gen_ai.content.prompt',
          attributes: { 'gen_ai.prompt': '[{"role":"user","content":"Hi"}]' },
        },
        {
          name: 'gen_ai.content.completion',
          attributes: { 'gen_ai.completion': '[{"role":"assistant","content":"Hello"}]' },
        },
      ],
    });
    expect([...fact.input, ...fact.output]).toMatchObject([{ text: 'Hi' }, { text: 'Hello' }]);
  });
});

describe('what makes a tool execution fail', () => {
  const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f' };
  const withResult = { ...tool, 'gen_ai.tool.call.result': '{"ok":true}' };
  const exception = (type: string) => ({
    name: 'exception',
    attributes: { 'exception.type': type, 'exception.message': 'boom\n    at f (x.js:1)' },
  });

  it.each<[string, SpanSketch, string]>([
    ['an exception', { attributes: tool, events: [exception('Error')] }, 'error'],
    ['error.type', { attributes: { ...tool, 'error.type': 'tool_error' } }, 'error'],
    ['status ERROR', { attributes: withResult, error: 'boom' }, 'error'],
    [
      'an MCP result with isError',
      {
        attributes: {
          ...tool,
          'gen_ai.tool.call.result': '{"content":[{"type":"text","text":"no"}],"isError":true}',
        },
      },
      'error',
    ],
    ['nothing', { attributes: withResult }, 'ok'],
    [
      'a result text that begins with Error',
      { attributes: { ...tool, 'gen_ai.tool.call.result': 'Error: boom' } },
      'ok',
    ],
    [
      'an exception by which LangGraph hands over',
      { attributes: tool, error: 'x', events: [exception('langgraph.errors.ParentCommand')] },
      'ok',
    ],
  ])('%s', (_, sketch, outcome) => {
    expect(factOf('tool', sketch).tool.outcome).toBe(outcome);
  });

  it('the message of the exception is the error, without its stack', () => {
    const fact = factOf('tool', { attributes: tool, events: [exception('Error')] });
    expect(fact.tool.error).toBe('boom');
  });

  it('status ERROR beside a result is the error of an earlier tool in the AI SDK', () => {
    const sketch = { scope: 'gen_ai', attributes: withResult, error: 'earlier' };
    expect(factOf('tool', sketch).tool.outcome).toBe('ok');
    expect(factOf('tool', { ...sketch, attributes: tool }).tool.outcome).toBe('error');
    const legacy = {
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': 'f',
      'ai.toolCall.result': '1',
    };
    expect(factOf('tool', { scope: 'ai', attributes: legacy, error: 'earlier' }).tool.outcome).toBe(
      'ok',
    );
  });

  it('a refused tool of the AI SDK 7 was rejected, elsewhere the same value is a result', () => {
    const attributes = { ...tool, 'gen_ai.tool.call.result': '{"denied":true,"reason":"no"}' };
    expect(factOf('tool', { scope: 'gen_ai', attributes }).tool).toMatchObject({
      outcome: 'rejected',
    });
    expect(factOf('tool', { attributes }).tool).toMatchObject({
      outcome: 'ok',
      result: { denied: true },
    });
  });

  it('a model call that shows its answer and not its input has lost what it was asked', () => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.output.messages': messages('assistant', 'Hi'),
    };
    const { losses } = factOf('llm', { attributes });
    expect(losses.map((loss) => loss.kind)).toEqual(['history_omitted']);
  });

  it('a model call failed when it is marked so and said nothing', () => {
    const attributes = { 'gen_ai.operation.name': 'chat' };
    expect(factOf('llm', { attributes, error: '500' }).failed).toBe(true);
    const spoke = { ...attributes, 'gen_ai.output.messages': messages('assistant', 'Hi') };
    expect(factOf('llm', { attributes: spoke, error: 'earlier' }).failed).toBe(false);
  });
});

describe('AI SDK', () => {
  const doGenerate = { 'ai.operationId': 'ai.generateText.doGenerate' };

  it('reads the calls of versions 4, 5 and of streams alike', () => {
    for (const call of [
      { toolCallType: 'function', toolCallId: 'c', toolName: 'f', args: '{"id":1}' },
      { toolCallId: 'c', toolName: 'f', input: '{"id":1}' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: { id: 1 } },
    ]) {
      const attributes = { ...doGenerate, 'ai.response.toolCalls': JSON.stringify([call]) };
      expect(factOf('llm', { scope: 'ai', attributes }).output).toEqual([
        { kind: 'call', callId: 'c', name: 'f', args: { id: 1 }, state: 'present' },
      ]);
    }
  });

  it('an object answer is text and value', () => {
    const attributes = { ...doGenerate, 'ai.response.object': '{"refund":true}' };
    expect(factOf('llm', { scope: 'ai', attributes }).output).toEqual([
      {
        kind: 'text',
        role: 'assistant',
        text: '{"refund":true}',
        value: { refund: true },
        state: 'present',
      },
    ]);
  });

  it('a run says what it was asked, in any of the three ways to ask', () => {
    const attributes = { 'ai.operationId': 'ai.generateText' };
    const ask = (prompt: unknown) =>
      factOf('agent', {
        scope: 'ai',
        attributes: { ...attributes, 'ai.prompt': JSON.stringify(prompt) },
      });
    expect(ask({ prompt: 'Hi' }).input).toMatchObject([{ role: 'user', text: 'Hi' }]);
    expect(
      ask({ system: 'Be kind.', messages: [{ role: 'user', content: 'Hi' }] }).input,
    ).toMatchObject([
      { role: 'system', text: 'Be kind.' },
      { role: 'user', text: 'Hi' },
    ]);
  });

  it('embeddings show no step', () => {
    const attributes = { 'ai.operationId': 'ai.embed.doEmbed' };
    expect(factsOf({ scope: 'ai', attributes }).map((fact) => fact.kind)).toEqual(['other']);
  });

  it('version 7 puts the last text of a run behind the calls that led to it', () => {
    const output = [
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: 'Done.' },
          { type: 'tool_call', id: 'c', name: 'f', arguments: {} },
          { type: 'tool_call_response', id: 'c', response: 1 },
        ],
        finish_reason: 'stop',
      },
    ];
    const attributes = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.output.messages': JSON.stringify(output),
    };
    const fact = factOf('agent', { scope: 'gen_ai', attributes });
    expect(fact.output.map((atom) => atom.kind)).toEqual(['call', 'result', 'text']);
  });
});

describe('OpenInference', () => {
  const llm = { 'openinference.span.kind': 'LLM' };

  it('sorts messages by number, not by letter, and bridges holes', () => {
    const attributes: Record<string, unknown> = { ...llm };
    for (const n of [10, 2, 0]) {
      attributes[`llm.input_messages.${n}.message.role`] = 'user';
      attributes[`llm.input_messages.${n}.message.content`] = `text ${n}`;
    }
    const { input } = factOf('llm', { attributes });
    expect(input).toMatchObject([{ text: 'text 0' }, { text: 'text 2' }, { text: 'text 10' }]);
  });

  it('prefers the contents of a message to its content, and shows a call once', () => {
    const message = 'llm.output_messages.0.message';
    const attributes = {
      ...llm,
      [`${message}.role`]: 'assistant',
      [`${message}.content`]: 'the last tool result',
      [`${message}.contents.0.message_content.type`]: 'text',
      [`${message}.contents.0.message_content.text`]: 'Let me look.',
      [`${message}.contents.1.tool_call.id`]: 'c',
      [`${message}.contents.1.tool_call.function.name`]: 'f',
      [`${message}.contents.1.tool_call.function.arguments`]: '{"id":1}',
      [`${message}.tool_calls.0.tool_call.id`]: 'c',
      [`${message}.tool_calls.0.tool_call.function.name`]: 'f',
    };
    expect(factOf('llm', { attributes }).output).toMatchObject([
      { kind: 'text', text: 'Let me look.' },
      { kind: 'call', callId: 'c', args: { id: 1 } },
    ]);
  });

  it('reads a whole Responses object for the tools that the flattened form drops', () => {
    const response = {
      id: 'resp_1',
      object: 'response',
      output: [
        { type: 'mcp_call', id: 'm', name: 'search', arguments: '{}', output: 'found' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Found.' }] },
      ],
    };
    const attributes = {
      ...llm,
      'output.value': JSON.stringify(response),
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'Found.',
    };
    const fact = factOf('llm', { attributes });
    expect(fact.output.map((atom) => atom.kind)).toEqual(['call', 'result', 'text']);
    expect(fact.responseId).toBe('resp_1');
  });

  it('borrows call ids from the raw messages only when they show the same calls', () => {
    const raw = (name: string) => ({
      generations: [
        [
          {
            message: {
              type: 'ai',
              data: { content: '', tool_calls: [{ id: 'c', name, args: {} }] },
            },
          },
        ],
      ],
    });
    const attributes = {
      ...llm,
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'f',
    };
    const with_ = (name: string) =>
      factOf('llm', { attributes: { ...attributes, 'output.value': JSON.stringify(raw(name)) } })
        .output;
    expect(with_('f')).toMatchObject([{ name: 'f', callId: 'c' }]);
    expect(with_('g')).toEqual([{ kind: 'call', name: 'f', args: {}, state: 'present' }]);
  });

  it('chains, and runs that LangChain calls agents by their name, are no content', () => {
    const attributes = { 'openinference.span.kind': 'AGENT', 'input.value': 'Hi' };
    const langChain = { scope: 'openinference.instrumentation.langchain', attributes };
    expect(factsOf(langChain).map((fact) => fact.kind)).toEqual(['other']);
    const chain = { attributes: { ...attributes, 'openinference.span.kind': 'CHAIN' } };
    expect(factsOf(chain).map((fact) => fact.kind)).toEqual(['other']);
  });

  it("an agent's text was said, its JSON is state", () => {
    const agent = (output: string) =>
      factOf('agent', {
        name: 'support',
        attributes: {
          'openinference.span.kind': 'AGENT',
          'input.value': 'Hi',
          'output.value': output,
        },
      });
    expect(agent('Hello')).toMatchObject({ agentName: 'support', output: [{ text: 'Hello' }] });
    expect(agent('{"steps":[]}').output).toEqual([]);
  });

  it('a judge is marked, so that all below it is left out', () => {
    const attributes = { 'openinference.span.kind': 'EVALUATOR' };
    expect(factsOf({ attributes })).toMatchObject([{ kind: 'other', judges: true }]);
  });

  it("takes LangChain's wrappers off arguments and results", () => {
    const attributes = {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'weather',
      'input.value': `{"input": "{'city': 'Paris'}"}`,
      'output.value': JSON.stringify({
        output: { type: 'tool', data: { content: 'sunny', tool_call_id: 'c', status: 'error' } },
      }),
    };
    const fact = factOf('tool', { scope: 'openinference.instrumentation.langchain', attributes });
    expect(fact.tool).toMatchObject({
      callId: 'c',
      args: { city: 'Paris' },
      result: 'sunny',
      outcome: 'error',
    });
  });

  it('masked values are hidden, not content', () => {
    const attributes = {
      'openinference.span.kind': 'TOOL',
      'input.value': '__REDACTED__',
      'output.value': '__REDACTED__',
    };
    const { tool, losses } = factOf('tool', { name: 'f', attributes });
    expect(tool).toEqual({
      name: 'f',
      argsState: 'redacted',
      resultState: 'redacted',
      outcome: 'ok',
    });
    expect(losses.map((loss) => loss.kind)).toEqual(['value_redacted', 'value_redacted']);
  });

  it('a span named after a hand-off is one', () => {
    const attributes = { 'openinference.span.kind': 'TOOL' };
    expect(factOf('handoff', { name: 'handoff to billing', attributes }).target).toBe('billing');
  });
});

describe('OpenLLMetry', () => {
  it('reads indexed prompts and the first completion that is no thinking', () => {
    const fact = factOf('llm', {
      attributes: {
        'llm.request.type': 'chat',
        'gen_ai.prompt.0.role': 'user',
        'gen_ai.prompt.0.content': 'Hi',
        'gen_ai.prompt.1.role': 'assistant',
        'gen_ai.prompt.1.content': 'null',
        'gen_ai.prompt.2.role': 'tool',
        'gen_ai.prompt.2.content': '{"ok":true}',
        'gen_ai.completion.0.role': 'thinking',
        'gen_ai.completion.0.content': 'hm',
        'gen_ai.completion.1.role': 'assistant',
        'gen_ai.completion.1.content': 'Hello',
        'gen_ai.completion.2.role': 'assistant',
        'gen_ai.completion.2.content': 'Hey',
      },
    });
    expect(fact.input).toMatchObject([{ text: 'Hi' }, { kind: 'result', result: { ok: true } }]);
    expect(fact.output).toMatchObject([{ text: 'Hello' }]);
  });

  it('a finish reason alone is no content', () => {
    const attributes = {
      'llm.request.type': 'chat',
      'gen_ai.completion.0.finish_reason': 'tool_calls',
    };
    expect(factOf('llm', { attributes })).toMatchObject({
      contentCaptured: false,
      calledTools: true,
    });
  });

  it.each<[string, unknown]>([
    ['decorators', { args: [], kwargs: { id: 'A-1' } }],
    ['one positional argument', { args: [{ id: 'A-1' }], kwargs: {} }],
    ['one argument as JSON text', { args: ['{"id":"A-1"}'] }],
    [
      'LangChain',
      { input_str: "{'id': 'A-1'}", tags: [], metadata: {}, inputs: { id: 'A-1' }, kwargs: {} },
    ],
    ['LangChain without inputs', { input_str: "{'id': 'A-1'}", tags: [] }],
    ['nothing', { id: 'A-1' }],
  ])('takes arguments out of the wrapper of %s', (_, input) => {
    const attributes = {
      'traceloop.span.kind': 'tool',
      'traceloop.entity.name': 'get_order',
      'traceloop.entity.input': JSON.stringify(input),
    };
    expect(factOf('tool', { attributes }).tool.args).toEqual({ id: 'A-1' });
  });

  it('learns the name of a tool from its result where the span has only a class', () => {
    const message = {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'ToolMessage'],
      kwargs: { content: '1', name: 'get_order', tool_call_id: 'c', status: 'success' },
    };
    const attributes = {
      'traceloop.span.kind': 'task',
      'gen_ai.operation.name': 'execute_tool',
      'traceloop.entity.name': 'DynamicStructuredTool',
    };
    const named = { ...attributes, 'traceloop.entity.output': JSON.stringify(message) };
    expect(factOf('tool', { attributes: named }).tool).toMatchObject({
      name: 'get_order',
      callId: 'c',
    });
    const { losses } = factOf('tool', { attributes });
    expect(losses.map((loss) => loss.kind)).toEqual(['tool_name_missing']);
  });

  it('workflow and task spans repeat state', () => {
    const attributes = {
      'traceloop.span.kind': 'task',
      'traceloop.entity.output': messages('assistant', 'Hello'),
    };
    expect(factsOf({ attributes }).map((fact) => fact.kind)).toEqual(['other']);
  });

  it('a hand-off span names the receiving agent', () => {
    const attributes = { 'traceloop.span.kind': 'handoff' };
    expect(factOf('handoff', { name: 'triage → billing.handoff', attributes }).target).toBe(
      'billing',
    );
  });

  it('opens an input list written as the text of one message', () => {
    const list = JSON.stringify([
      { role: 'user', content: 'Hi' },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    ]);
    const attributes = {
      'traceloop.workflow.name': 'w',
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': messages('user', list),
    };
    expect(factOf('llm', { attributes }).input.map((atom) => atom.kind)).toEqual(['text', 'call']);
  });
});

describe('values that the SDK cut at its length limit', () => {
  it('are truncated when the span proves the limit', () => {
    const attributes = {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.prompt.messages': '[{"role":"user","content":"I would like a refund for my ord',
      'ai.response.text': 'Your refund RF-2041 of 42.50 EUR for order A-1001 is on its',
    };
    expect(attributes['ai.response.text']).toHaveLength(attributes['ai.prompt.messages'].length);
    const fact = factOf('llm', { scope: 'ai', attributes });
    expect(fact.output).toMatchObject([{ state: 'truncated' }]);
    expect(fact.input).toMatchObject([{ role: 'user', state: 'truncated' }]);
    expect(fact.losses.map((loss) => loss.kind)).toEqual([
      'messages_unreadable',
      'value_truncated',
    ]);
  });

  it('are not guessed from a length alone', () => {
    const attributes = {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.prompt.messages': '[{"role":"user","content":"Hi"}]',
      'ai.response.text': 'x'.repeat(256),
    };
    expect(factOf('llm', { scope: 'ai', attributes }).losses).toEqual([]);
  });
});

describe('the conversation of a span', () => {
  const idOf = (attributes: Record<string, unknown>) =>
    conversationIdOf(recordedSpan({ attributes }));

  it('is the first key of trust', () => {
    expect(idOf({ 'session.id': 's', 'gen_ai.conversation.id': 'c' })).toBe('c');
    expect(idOf({ 'traceloop.association.properties.session_id': 's' })).toBe('s');
    expect(idOf({ metadata: '{"thread_id":"t"}' })).toBe('t');
    expect(idOf({ 'session.id': 7 })).toBe('7');
  });

  it('is never a placeholder or the trace itself', () => {
    expect(idOf({ 'gen_ai.conversation.id': 'default', 'session.id': 's' })).toBe('s');
    expect(idOf({ 'gen_ai.conversation.id': '11'.repeat(16) })).toBeUndefined();
    expect(idOf({})).toBeUndefined();
  });
});

describe('a span of an agent in a vocabulary that is not read yet', () => {
  it.each([
    ['call_llm', { 'gcp.vertex.agent.llm_request': '{}' }, 'Google ADK'],
    ['generation', { 'langfuse.observation.type': 'generation' }, 'Langfuse'],
    ['claude_code.llm_request', {}, 'Claude Code'],
  ])('%s %j says that anything could have happened there', (name, attributes, vendor) => {
    expect(factOf('other', { name, attributes }).losses).toEqual([
      { kind: 'dialect_unread', count: 1, detail: `spans of ${vendor} cannot be read yet` },
    ]);
  });

  it('is not seen in a plain span, nor where another row reads the span', () => {
    expect(factsOf({ name: 'GET /', attributes: { 'http.route': '/' } })).toEqual([]);
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': messages('user', 'Hi'),
      'mastra.span.type': 'model_generation',
    };
    expect(factOf('llm', { attributes }).dialect).toBe('otel-genai');
  });
});
