import { describe, expect, it } from 'vitest';
import { LossLog } from '../../src/dialects/losses.js';
import { firstChoice, readMessages } from '../../src/dialects/messages/index.js';
import type { AtomRole } from '../../src/model/fact.js';

/** Reads `raw` as recorded and returns plain atoms and the kinds of losses. */
function read(raw: unknown, role: AtomRole = 'user') {
  const losses = new LossLog();
  const context = { losses, isLimitLength: () => false };
  const value = raw as Parameters<typeof readMessages>[0];
  const { atoms, captured } = readMessages(value, role, context, 'messages');
  return {
    atoms: atoms.map((atom) => JSON.parse(JSON.stringify(atom)) as Record<string, unknown>),
    captured,
    losses: losses.list().map((loss) => loss.kind),
  };
}

const said = (role: string, text: string) => ({ kind: 'text', role, text, state: 'present' });
const called = (callId: string, name: string, args: unknown) => ({
  kind: 'call',
  callId,
  name,
  args,
  state: 'present',
});
const answered = (callId: string, result: unknown, more = {}) => ({
  kind: 'result',
  callId,
  result,
  isError: false,
  state: 'present',
  ...more,
});

/** One refund step in the words of each message shape; all must read as the same three atoms. */
const sameConversation: Record<string, unknown> = {
  'S1, OTel parts': [
    { role: 'user', parts: [{ type: 'text', content: 'Refund A-1' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: 'they want money' },
        { type: 'tool_call', id: 'call_1', name: 'get_order', arguments: { id: 'A-1' } },
      ],
    },
    {
      role: 'tool',
      parts: [{ type: 'tool_call_response', id: 'call_1', response: { total: 42.5 } }],
    },
  ],
  'S1 with result instead of response (Pydantic AI)': [
    { role: 'user', parts: [{ type: 'text', content: 'Refund A-1' }] },
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'call_1', name: 'get_order', arguments: '{"id":"A-1"}' }],
    },
    {
      role: 'user',
      parts: [{ type: 'tool_call_response', id: 'call_1', result: { total: 42.5 } }],
    },
  ],
  'S2, OpenAI chat': [
    { role: 'user', content: 'Refund A-1' },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'they want money',
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'get_order', arguments: '{"id":"A-1"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '{"total":42.5}' },
  ],
  'S3, Responses items': [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Refund A-1' }] },
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'they want money' }] },
    {
      type: 'function_call',
      id: 'fc_9',
      call_id: 'call_1',
      name: 'get_order',
      arguments: '{"id":"A-1"}',
    },
    { type: 'function_call_output', call_id: 'call_1', output: '{"total":42.5}' },
  ],
  'S4, Anthropic blocks with the result in a user message': [
    { role: 'user', content: 'Refund A-1' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'they want money' },
        { type: 'tool_use', id: 'call_1', name: 'get_order', input: { id: 'A-1' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_1',
          content: [{ type: 'text', text: '{"total":42.5}' }],
        },
      ],
    },
  ],
  'S5, Gemini contents': [
    { role: 'user', parts: [{ text: 'Refund A-1' }] },
    {
      role: 'model',
      parts: [
        { text: 'they want money', thought: true },
        { functionCall: { id: 'call_1', name: 'get_order', args: { id: 'A-1' } } },
      ],
    },
    { role: 'user', parts: [{ function_response: { id: 'call_1', response: { total: 42.5 } } }] },
  ],
  'S6, Bedrock blocks': [
    { role: 'user', content: [{ text: 'Refund A-1' }] },
    {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'they want money' } } },
        { toolUse: { toolUseId: 'call_1', name: 'get_order', input: { id: 'A-1' } } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          toolResult: {
            toolUseId: 'call_1',
            status: 'success',
            content: [{ json: { total: 42.5 } }],
          },
        },
      ],
    },
  ],
  'S7, AI SDK 4 messages': [
    { role: 'user', content: [{ type: 'text', text: 'Refund A-1' }] },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'call_1', toolName: 'get_order', args: { id: 'A-1' } },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'call_1', result: { total: 42.5 } }],
    },
  ],
  'S7, AI SDK 5 messages': [
    { role: 'user', content: [{ type: 'text', text: 'Refund A-1' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'they want money' },
        { type: 'tool-call', toolCallId: 'call_1', toolName: 'get_order', input: '{"id":"A-1"}' },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_1',
          output: { type: 'json', value: { total: 42.5 } },
        },
      ],
    },
  ],
  'S8, LangChain constructors': [
    [
      {
        lc: 1,
        type: 'constructor',
        id: ['langchain_core', 'messages', 'HumanMessage'],
        kwargs: { content: 'Refund A-1' },
      },
      {
        lc: 1,
        type: 'constructor',
        id: ['langchain_core', 'messages', 'AIMessage'],
        kwargs: {
          content: '',
          tool_calls: [{ id: 'call_1', name: 'get_order', args: { id: 'A-1' } }],
          additional_kwargs: {
            tool_calls: [{ id: 'call_1', function: { name: 'get_order', arguments: '{}' } }],
          },
        },
      },
      {
        lc: 1,
        type: 'constructor',
        id: ['langchain_core', 'messages', 'ToolMessage'],
        kwargs: { content: '{"total":42.5}', tool_call_id: 'call_1', status: 'success' },
      },
    ],
  ],
  'S8, LangChain type and data': [
    { type: 'human', data: { content: 'Refund A-1' } },
    {
      type: 'ai',
      data: { content: [], tool_calls: [{ id: 'call_1', name: 'get_order', args: { id: 'A-1' } }] },
    },
    { type: 'tool', data: { content: '{"total":42.5}', tool_call_id: 'call_1' } },
  ],
};

describe('messages are read by their shape', () => {
  for (const [shape, messages] of Object.entries(sameConversation)) {
    it(`${shape}: text, call and result`, () => {
      const { atoms, losses } = read(JSON.stringify(messages));
      expect(atoms).toEqual([
        said('user', 'Refund A-1'),
        called('call_1', 'get_order', { id: 'A-1' }),
        answered('call_1', { total: 42.5 }),
      ]);
      expect(losses).toEqual([]);
    });
  }

  it('reads a structured value as its JSON text', () => {
    const messages = sameConversation['S1, OTel parts'];
    expect(read(messages)).toEqual(read(JSON.stringify(messages)));
  });

  it('takes plain text for the words of whoever speaks there', () => {
    expect(read('Where is my order?').atoms).toEqual([said('user', 'Where is my order?')]);
    expect(read('On its way.', 'assistant').atoms).toEqual([said('assistant', 'On its way.')]);
  });

  it('opens the objects around messages', () => {
    const message = { role: 'assistant', content: 'Done.' };
    for (const wrapped of [
      { messages: [message] },
      { messages: [[message]] },
      { choices: [{ index: 0, message }] },
      { object: 'response', output: [{ type: 'message', ...message }] },
      { generations: [[{ text: 'Done.', message }]] },
    ]) {
      expect(read(wrapped, 'assistant').atoms).toEqual([said('assistant', 'Done.')]);
    }
  });

  it('reads role and content pairs', () => {
    expect(
      read([
        ['human', 'Hi'],
        ['ai', 'Hello'],
      ]).atoms,
    ).toEqual([said('user', 'Hi'), said('assistant', 'Hello')]);
  });

  it('joins the parts of one text, as the AI SDK does in its outputs', () => {
    const parts = [
      { type: 'text', text: 'Your refund ' },
      { type: 'text', text: 'is done.' },
    ];
    expect(read([{ role: 'assistant', content: parts }]).atoms).toEqual([
      said('assistant', 'Your refund is done.'),
    ]);
  });

  it('shows a call once when a message lists it beside its content', () => {
    const { atoms } = read([
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_order', input: { id: 'A-1' } }],
        tool_calls: [{ id: 'toolu_1', name: 'get_order', args: { id: 'A-1' } }],
      },
    ]);
    expect(atoms).toEqual([called('toolu_1', 'get_order', { id: 'A-1' })]);
  });

  it('gives system texts the role system, developers included', () => {
    expect(read([{ role: 'developer', content: 'Be kind.' }]).atoms).toEqual([
      said('system', 'Be kind.'),
    ]);
  });

  it('notices parts of unknown type instead of dropping them', () => {
    const part = { type: 'hologram', beam: 3 };
    expect(read([{ role: 'user', content: [part] }]).atoms).toEqual([
      { kind: 'notice', type: 'hologram', content: part, state: 'present' },
    ]);
  });
});

describe('arguments', () => {
  const call = (args: unknown) =>
    read([{ role: 'assistant', tool_calls: [{ id: 'c', name: 'f', arguments: args }] }]);

  it('are opened when JSON text holds JSON text', () => {
    expect(call('"{\\"id\\":7}"').atoms).toEqual([called('c', 'f', { id: 7 })]);
  });

  it('may be a Python dict', () => {
    expect(call(`{'id': "it's", 'n': None, 'ok': True, 'l': (1, 2.5)}`).atoms).toEqual([
      called('c', 'f', { id: "it's", n: null, ok: true, l: [1, 2.5] }),
    ]);
  });

  it('that look like Python and are none stay text', () => {
    expect(call("{'id': get_id()}").losses).toEqual(['value_unparsable']);
  });

  it('are taken out of {"_raw": …}', () => {
    expect(call({ _raw: '{"id":7}' }).atoms).toEqual([called('c', 'f', { id: 7 })]);
  });

  it('are {} when absent or empty', () => {
    expect(call(undefined).atoms).toEqual([called('c', 'f', {})]);
    expect(call('').atoms).toEqual([called('c', 'f', {})]);
  });

  it('that are no JSON are kept as text with a loss', () => {
    const { atoms, losses } = call('please refund');
    expect(atoms).toEqual([called('c', 'f', 'please refund')]);
    expect(losses).toEqual(['value_unparsable']);
  });

  it('keep integers that a double cannot hold', () => {
    const context = { losses: new LossLog(), isLimitLength: () => false };
    const raw =
      '[{"role":"assistant","tool_calls":[{"id":"c","name":"f","arguments":{"n":9007199254740993}}]}]';
    const [atom] = readMessages(raw, 'assistant', context, 'messages').atoms;
    expect(atom).toMatchObject({ args: { n: 9007199254740993n } });
  });

  it('do not touch prototypes', () => {
    const { atoms } = call('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(atoms).toHaveLength(1);
  });
});

describe('results', () => {
  const result = (content: unknown) => read([{ role: 'tool', tool_call_id: 'c', content }]).atoms;

  it('of an MCP server are freed of their envelope, and isError is their outcome', () => {
    const envelope = { content: [{ type: 'text', text: 'no such order' }], isError: true };
    expect(result(JSON.stringify(envelope))).toEqual([
      answered('c', 'no such order', { isError: true }),
    ]);
    const structured = { content: [{ type: 'text', text: '{}' }], structuredContent: { id: 1 } };
    expect(result(structured)).toEqual([answered('c', { id: 1 })]);
  });

  it('of the AI SDK are errors where their type says so', () => {
    expect(result({ type: 'error-text', value: 'timeout' })).toEqual([
      answered('c', 'timeout', { isError: true }),
    ]);
  });

  it('that begin with "Error" are no errors by that', () => {
    expect(result('Error: timeout')).toEqual([answered('c', 'Error: timeout')]);
  });

  it('of a refused execution are the refusal', () => {
    expect(result({ type: 'execution-denied', reason: 'too much' })).toEqual([
      { kind: 'approvalResponse', callId: 'c', approved: false, by: 'human', reason: 'too much' },
    ]);
  });

  it('that are a number as text stay text', () => {
    expect(result('42')).toEqual([answered('c', '42')]);
  });

  it('in a message of any role are results, because the part decides', () => {
    const part = { type: 'tool_call_response', id: 'c', response: 'ok' };
    for (const role of ['user', 'assistant', 'tool', '']) {
      expect(read([{ role, parts: [part] }]).atoms).toEqual([answered('c', 'ok')]);
    }
  });

  it('written as a bare text of role tool are results without an id', () => {
    const atoms = read([{ role: 'tool', parts: [{ type: 'text', content: '{"ok":true}' }] }]).atoms;
    expect(atoms).toEqual([
      { kind: 'result', result: { ok: true }, isError: false, state: 'present' },
    ]);
  });
});

describe('tools that the provider ran', () => {
  it('are a call and its result', () => {
    const item = {
      type: 'mcp_call',
      id: 'mcp_1',
      name: 'search',
      server_label: 'docs',
      arguments: '{"q":"refund"}',
      output: 'found',
    };
    expect(read([item], 'assistant').atoms).toEqual([
      called('mcp_1', 'search', { q: 'refund' }),
      answered('mcp_1', 'found', { name: 'search' }),
    ]);
  });

  it('without a recorded result still answered once completed', () => {
    const item = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { query: 'x' },
    };
    expect(read([item], 'assistant').atoms).toEqual([
      called('ws_1', 'web_search', { action: { query: 'x' } }),
      { kind: 'result', callId: 'ws_1', name: 'web_search', isError: false, state: 'absent' },
    ]);
  });
});

describe('approvals', () => {
  it('of the AI SDK know their call', () => {
    const { atoms } = read([
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'c', toolName: 'pay', input: { eur: 5 } },
          { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: 'a', approved: true, reason: 'ok' },
        ],
      },
    ]);
    expect(atoms.slice(1)).toEqual([
      { kind: 'approvalRequest', callId: 'c', name: 'pay', args: { eur: 5 }, approvalId: 'a' },
      {
        kind: 'approvalResponse',
        callId: 'c',
        name: 'pay',
        approvalId: 'a',
        approved: true,
        by: 'human',
        reason: 'ok',
      },
    ]);
  });

  it('that lost their fields belong to the open calls in order', () => {
    const { atoms } = read([
      {
        role: 'assistant',
        parts: [
          { type: 'tool_call', id: 'c1', name: 'pay', arguments: {} },
          { type: 'tool_call', id: 'c2', name: 'ship', arguments: {} },
          { type: 'tool-approval-request' },
          { type: 'tool-approval-request' },
        ],
      },
    ]);
    expect(atoms.slice(2)).toMatchObject([
      { kind: 'approvalRequest', callId: 'c1', name: 'pay' },
      { kind: 'approvalRequest', callId: 'c2', name: 'ship' },
    ]);
  });

  it('without an answer are only noticed', () => {
    const { atoms } = read([{ role: 'tool', parts: [{ type: 'tool-approval-response' }] }]);
    expect(atoms).toMatchObject([{ kind: 'notice', type: 'tool-approval-response' }]);
  });
});

describe('what is not whole', () => {
  const whole = JSON.stringify([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'I can help with that.' },
  ]);

  it('a cut list keeps what was read, marks its last piece and tells that messages may be missing', () => {
    const { atoms, losses } = read(whole.slice(0, -12));
    expect(atoms[0]).toEqual(said('user', 'Hello'));
    expect(atoms[1]).toMatchObject({ kind: 'text', role: 'assistant', state: 'truncated' });
    expect(losses).toEqual(['messages_unreadable']);
  });

  it('a call or result whose name or id the cut may go through is left out', () => {
    const call = '[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"get_ord';
    expect(read(call)).toEqual({ atoms: [], captured: false, losses: ['messages_unreadable'] });
    const result = '[{"role":"tool","parts":[{"type":"tool_call_response","id":"call_o';
    expect(read(result).atoms).toEqual([]);
    const args =
      '[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"a":1,"b';
    expect(read(args).atoms).toMatchObject([{ name: 'f', args: { a: 1 }, state: 'truncated' }]);
  });

  it('cut instructions hide no step', () => {
    const { losses } = read('[{"type":"text","content":"You are the ref', 'system');
    expect(losses).toEqual(['value_truncated']);
  });

  it('a list that is no JSON is a loss and not a text', () => {
    expect(read('[{role: user}]')).toEqual({
      atoms: [],
      captured: false,
      losses: ['messages_unreadable'],
    });
  });

  it('a text that says it was cut is truncated', () => {
    const { atoms, losses } = read([{ role: 'user', content: 'My order… [TRUNCATED 900 chars]' }]);
    expect(atoms).toMatchObject([{ state: 'truncated' }]);
    expect(losses).toEqual(['value_truncated']);
  });

  it('three dots are prose', () => {
    expect(read([{ role: 'user', content: 'Well...' }]).atoms).toEqual([said('user', 'Well...')]);
  });

  it('placeholders are hidden values', () => {
    expect(read('__REDACTED__')).toEqual({
      atoms: [],
      captured: false,
      losses: ['value_redacted'],
    });
    const { atoms } = read([{ role: 'user', content: '<REDACTED>' }]);
    expect(atoms).toMatchObject([{ kind: 'text', state: 'redacted' }]);
  });

  it('nothing at all is not captured', () => {
    expect(read(undefined)).toEqual({ atoms: [], captured: false, losses: [] });
  });
});

describe('choices', () => {
  const choice = (text: string) => ({
    role: 'assistant',
    parts: [{ type: 'text', content: text }],
    finish_reason: 'stop',
  });

  it('after the first are alternatives that nobody said', () => {
    expect(firstChoice([choice('a'), choice('b')], 1)).toEqual([choice('a')]);
  });

  it('are one answer when a later one calls a tool, unless the number of choices is told', () => {
    const calling = { ...choice('b'), parts: [{ type: 'tool_call', id: 'c', name: 'f' }] };
    expect(firstChoice([choice('a'), calling], 1)).toEqual([choice('a'), calling]);
    expect(firstChoice([choice('a'), calling], 2)).toEqual([choice('a')]);
  });

  it('are all one answer when only the last message ends it', () => {
    const { finish_reason: _, ...open } = choice('a');
    expect(firstChoice([open, choice('b')], 1)).toEqual([open, choice('b')]);
  });
});
