import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  execution,
  llm,
  type RecordedSpan,
  result,
  user,
} from '../support/facts.js';
import { describeLosses, describe as lines, rebuildSpans } from '../support/rebuild.js';

const agent = (name: string) => ({ kind: 'agent', agentName: name }) as const;
const tool = (name: string, args: object, value: string, callId?: string) =>
  ({
    kind: 'tool',
    tool: execution(name, args as never, value, callId === undefined ? {} : { callId }),
  }) as const;

describe('sub-agents', () => {
  const delegating: readonly RecordedSpan[] = [
    { spanId: '1', start: 0, end: 500, fact: agent('desk') },
    {
      spanId: '2',
      parentSpanId: '1',
      start: 10,
      end: 20,
      fact: llm([user('Refund 7')], [call('billing', { task: 'refund order 7' }, 'call_1')]),
    },
    {
      spanId: '3',
      parentSpanId: '1',
      start: 30,
      end: 300,
      fact: tool('billing', { task: 'refund order 7' }, 'done', 'call_1'),
    },
    { spanId: '4', parentSpanId: '3', start: 40, end: 290, fact: agent('billing-agent') },
    {
      spanId: '5',
      parentSpanId: '4',
      start: 50,
      end: 60,
      fact: llm([user('refund order 7')], [call('create_refund', { order: 7 }, 'call_9')]),
    },
    {
      spanId: '6',
      parentSpanId: '4',
      start: 70,
      end: 80,
      fact: tool('create_refund', { order: 7 }, 'RF-1', 'call_9'),
    },
    {
      spanId: '7',
      parentSpanId: '4',
      start: 90,
      end: 100,
      fact: llm(
        [
          user('refund order 7'),
          call('create_refund', { order: 7 }, 'call_9'),
          result('create_refund', 'RF-1', 'call_9'),
        ],
        [assistant('refunded as RF-1')],
      ),
    },
    {
      spanId: '8',
      parentSpanId: '1',
      start: 310,
      end: 320,
      fact: llm(
        [
          user('Refund 7'),
          call('billing', { task: 'refund order 7' }, 'call_1'),
          result('billing', 'done', 'call_1'),
        ],
        [assistant('All done')],
      ),
    },
  ];

  it('stand between the call that started them and its result, with their name', () => {
    const unit = rebuildSpans(delegating);
    expect(lines(unit)).toEqual([
      'user says "Refund 7"',
      'assistant calls billing with {"task":"refund order 7"}',
      'assistant calls create_refund with {"order":7}',
      'tool responds create_refund "RF-1"',
      'assistant responds "refunded as RF-1"',
      'tool responds billing "done"',
      'assistant responds "All done"',
    ]);
    expect(unit.behaviors.map(({ agent: name }) => name)).toEqual([
      undefined,
      'desk',
      'billing-agent',
      'billing-agent',
      'billing-agent',
      'desk',
      'desk',
    ]);
    expect(unit.losses).toEqual([]);
  });

  it('are told by their caller what the delegating call does not carry', () => {
    const unit = rebuildSpans(
      delegating
        .map((span) =>
          span.spanId === '5'
            ? { ...span, fact: llm([user('Someone waits for money')], [assistant('ok')]) }
            : span,
        )
        .filter(({ spanId }) => !['6', '7'].includes(spanId)),
    );
    expect(lines(unit).slice(1, 4)).toEqual([
      'assistant calls billing with {"task":"refund order 7"}',
      'assistant says "Someone waits for money"',
      'assistant responds "ok"',
    ]);
    expect(unit.behaviors[2]?.agent).toBe('desk');
  });

  it('that run side by side stand one after the other behind their calls', () => {
    const at = (spanId: string, parentSpanId: string, start: number, end: number) => ({
      spanId,
      parentSpanId,
      start,
      end,
    });
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 500, fact: agent('desk') },
      {
        ...at('2', '1', 10, 20),
        fact: llm(
          [user('a')],
          [call('x', { q: 'one' }, 'call_1'), call('y', { q: 'two' }, 'call_2')],
        ),
      },
      { ...at('3', '1', 30, 200), fact: tool('x', { q: 'one' }, 'X', 'call_1') },
      { ...at('4', '1', 31, 150), fact: tool('y', { q: 'two' }, 'Y', 'call_2') },
      { ...at('5', '3', 60, 190), fact: agent('x-agent') },
      { ...at('6', '4', 40, 140), fact: agent('y-agent') },
      { ...at('7', '5', 70, 80), fact: llm([user('one')], [assistant('x says')]) },
      { ...at('8', '6', 50, 120), fact: llm([user('two')], [assistant('y says')]) },
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls x with {"q":"one"}',
      'assistant calls y with {"q":"two"}',
      'assistant responds "y says"',
      'assistant responds "x says"',
      'tool responds y "Y"',
      'tool responds x "X"',
    ]);
  });

  it('may be a model call directly below a tool', () => {
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 500 },
      {
        spanId: '2',
        parentSpanId: '1',
        start: 10,
        end: 20,
        fact: llm([user('a')], [call('summarize', { text: 'long' }, 'call_1')]),
      },
      {
        spanId: '3',
        parentSpanId: '1',
        start: 30,
        end: 90,
        fact: tool('summarize', { text: 'long' }, 'short', 'call_1'),
      },
      {
        spanId: '4',
        parentSpanId: '3',
        start: 40,
        end: 80,
        fact: llm([user('Summarize: long')], [assistant('short')]),
      },
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls summarize with {"text":"long"}',
      'assistant responds "short"',
      'tool responds summarize "short"',
    ]);
  });

  it('that remember say nothing twice when they are called again', () => {
    const at = (spanId: string, parentSpanId: string, start: number, end: number) => ({
      spanId,
      parentSpanId,
      start,
      end,
    });
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 500 },
      { ...at('2', '1', 10, 20), fact: llm([user('a')], [call('helper', { q: 'one' }, 'call_1')]) },
      { ...at('3', '1', 30, 90), fact: tool('helper', { q: 'one' }, 'first', 'call_1') },
      { ...at('4', '3', 40, 80), fact: agent('helper') },
      { ...at('5', '4', 50, 60), fact: llm([user('one')], [assistant('first')]) },
      {
        ...at('6', '1', 110, 120),
        fact: llm(
          [user('a'), call('helper', { q: 'one' }, 'call_1'), result('helper', 'first', 'call_1')],
          [call('helper', { q: 'two' }, 'call_2')],
        ),
      },
      { ...at('7', '1', 130, 190), fact: tool('helper', { q: 'two' }, 'second', 'call_2') },
      { ...at('8', '7', 140, 180), fact: agent('helper') },
      {
        ...at('9', '8', 150, 160),
        fact: llm([user('one'), assistant('first'), user('two')], [assistant('second')]),
      },
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls helper with {"q":"one"}',
      'assistant responds "first"',
      'tool responds helper "first"',
      'assistant calls helper with {"q":"two"}',
      'assistant responds "second"',
      'tool responds helper "second"',
    ]);
  });

  it('share a message history across the turns of a conversation only at the top', () => {
    const turn = (
      traceId: string,
      start: number,
      history: readonly ReturnType<typeof user>[],
      answer: string,
    ): RecordedSpan[] => [
      { traceId, spanId: `${traceId}1`, start, end: start + 90, fact: agent('desk') },
      {
        traceId,
        spanId: `${traceId}2`,
        parentSpanId: `${traceId}1`,
        start: start + 10,
        end: start + 20,
        fact: llm(history, [assistant(answer)]),
      },
    ];
    const unit = rebuildSpans([
      ...turn('1', 0, [user('a')], 'b'),
      ...turn('2', 1000, [user('a'), assistant('b'), user('c')], 'd'),
    ]);
    expect(unit.behaviors.map(({ content }) => content)).toEqual(['a', 'b', 'c', 'd']);
    expect(unit.traceIds).toHaveLength(2);
  });
});

describe('several agents', () => {
  it('continue one conversation when the next one gets the whole history', () => {
    const history = [
      user('My card was charged twice'),
      call('transfer_to_billing', {}, 'call_1'),
      result('transfer_to_billing', '{"assistant":"billing"}', 'call_1'),
    ];
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 500 },
      { spanId: '2', parentSpanId: '1', start: 1, end: 100, fact: agent('triage') },
      {
        spanId: '3',
        parentSpanId: '2',
        start: 10,
        end: 20,
        fact: llm(history.slice(0, 1), history.slice(1, 2)),
      },
      {
        spanId: '4',
        parentSpanId: '2',
        start: 30,
        end: 31,
        fact: { kind: 'handoff', target: 'Billing' },
      },
      { spanId: '5', parentSpanId: '1', start: 110, end: 200, fact: agent('Billing') },
      {
        spanId: '6',
        parentSpanId: '5',
        start: 120,
        end: 130,
        fact: llm(history, [assistant('Which card?')]),
      },
    ]);
    expect(lines(unit)).toEqual([
      'user says "My card was charged twice"',
      'assistant hands_off Billing with {}',
      'assistant responds "Which card?"',
    ]);
    expect(unit.behaviors[1]).toMatchObject({
      tool: 'transfer_to_billing',
      outcome: 'ok',
      agent: 'triage',
    });
    expect(unit.behaviors[1]?.evidence.raw).toEqual({ assistant: 'billing' });
    expect(unit.behaviors[2]?.agent).toBe('Billing');
  });

  it('given one question are asked it once', () => {
    const ask = (spanId: string, name: string, start: number, answer: string): RecordedSpan[] => [
      { spanId, parentSpanId: '1', start, end: start + 90, fact: agent(name) },
      {
        spanId: `${spanId}1`,
        parentSpanId: spanId,
        start: start + 1,
        end: start + 9,
        fact: llm([user('Plan it')], [assistant(answer)]),
      },
    ];
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 900 },
      ...ask('2', 'planner', 10, 'a plan'),
      ...ask('3', 'critic', 200, 'a doubt'),
    ]);
    expect(unit.behaviors.map(({ content }) => content)).toEqual(['Plan it', 'a plan', 'a doubt']);
  });

  it('recorded twice under one name are one', () => {
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 500, fact: agent('desk') },
      { spanId: '2', parentSpanId: '1', start: 1, end: 499, fact: agent('desk') },
      {
        spanId: '3',
        parentSpanId: '2',
        start: 10,
        end: 20,
        fact: llm([user('a')], [assistant('b')]),
      },
      {
        spanId: '4',
        parentSpanId: '1',
        start: 30,
        end: 40,
        fact: llm([user('a'), assistant('b'), user('c')], [assistant('d')]),
      },
    ]);
    expect(unit.behaviors.map(({ content }) => content)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('agent spans', () => {
  const spoken = { ...agent('desk'), input: [user('a')], output: [assistant('b')] };

  it('say nothing again that model calls show', () => {
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 90, fact: spoken },
      {
        spanId: '2',
        parentSpanId: '1',
        start: 10,
        end: 20,
        fact: llm([user('a')], [assistant('b')]),
      },
    ]);
    expect(unit.behaviors.map(({ content }) => content)).toEqual(['a', 'b']);
  });

  it('speak where the model calls recorded no messages', () => {
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 90, fact: spoken },
      {
        spanId: '2',
        parentSpanId: '1',
        start: 10,
        end: 20,
        fact: llm([], [], { contentCaptured: false }),
      },
      { spanId: '3', parentSpanId: '1', start: 30, end: 40, fact: tool('x', {}, 'X') },
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls x with {}',
      'tool responds x "X"',
      'assistant responds "b"',
    ]);
    expect(unit.behaviors[0]?.evidence.inferred).toBe('messages of the agent span');
  });

  it('repeat a word in the next turn as a word said again', () => {
    const unit = rebuildSpans([
      { traceId: '1', spanId: '1', start: 0, end: 90, fact: spoken },
      { traceId: '2', spanId: '2', start: 100, end: 190, fact: spoken },
    ]);
    expect(unit.behaviors.map(({ content }) => content)).toEqual(['a', 'b', 'a', 'b']);
  });

  it('add the final answer that the last model call does not show', () => {
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 90, fact: spoken },
      {
        spanId: '2',
        parentSpanId: '1',
        start: 10,
        end: 20,
        fact: llm([user('a')], [call('x', {}, 'call_1')]),
      },
      { spanId: '3', parentSpanId: '1', start: 30, end: 40, fact: tool('x', {}, 'X', 'call_1') },
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls x with {}',
      'tool responds x "X"',
      'assistant responds "b"',
    ]);
  });
});

describe('hand-offs', () => {
  const handOff = (name: string, args: object, options?: Parameters<typeof rebuildSpans>[1]) =>
    rebuildSpans([{ spanId: '2', fact: llm([], [call(name, args as never, 'call_1')]) }], options)
      .behaviors[0];

  it('take their receiver from the name, then from an argument, then the tool', () => {
    expect(handOff('transfer_to_human', {})).toMatchObject({
      action: 'hands_off',
      target: 'human',
    });
    expect(handOff('transfer_to_agent', { agent_name: 'billing' })).toMatchObject({
      target: 'billing',
    });
    expect(handOff('Delegate work to coworker', { coworker: 'writer' })).toMatchObject({
      target: 'writer',
    });
    expect(handOff('handoff to sales', {})).toMatchObject({
      target: 'sales',
      tool: 'handoff to sales',
    });
    expect(handOff('transfer_to_agent', {})).toMatchObject({ target: 'transfer_to_agent' });
    expect(handOff('transfer_to_', {})).toMatchObject({ action: 'calls' });
  });

  it('are named by the configuration alone where it says so', () => {
    expect(handOff('transfer_to_human', {}, { handoffTools: ['escalate'] })).toMatchObject({
      action: 'calls',
    });
    expect(handOff('escalate', { to: 'tier 2' }, { handoffTools: ['escalate'] })).toMatchObject({
      target: 'tier 2',
    });
  });

  it("take the document's name for receiver or tool", () => {
    const byReceiver = new Map([['Support', ['human']]]);
    const byTool = new Map([['Support', ['transfer_to_human']]]);
    expect(handOff('transfer_to_human', {}, { aliases: byReceiver })).toMatchObject({
      target: 'Support',
      tool: 'transfer_to_human',
    });
    expect(handOff('transfer_to_human', {}, { aliases: byTool })).toMatchObject({
      target: 'Support',
    });
  });

  it('that a framework ignored are failed calls', () => {
    const seen = [
      user('a'),
      call('transfer_to_x', {}, 'call_1'),
      call('transfer_to_y', {}, 'call_2'),
      result('transfer_to_x', '{"assistant":"x"}', 'call_1'),
      result('transfer_to_y', 'Multiple handoffs detected, ignoring this one.', 'call_2', true),
    ];
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 90 },
      {
        spanId: '2',
        parentSpanId: '1',
        start: 10,
        end: 20,
        fact: llm(seen.slice(0, 1), seen.slice(1, 3)),
      },
      { spanId: '3', parentSpanId: '1', start: 30, end: 40, fact: llm(seen, [assistant('b')]) },
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant hands_off x with {}',
      'assistant calls transfer_to_y with {}',
      'tool responds transfer_to_y "Multiple handoffs detected, ignoring this one."',
      'assistant responds "b"',
    ]);
    expect(unit.behaviors[2]?.outcome).toBe('error');
  });

  it('put what the receiver did behind the hand-off where it ran below it', () => {
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 500, fact: agent('root') },
      {
        spanId: '2',
        parentSpanId: '1',
        start: 10,
        end: 20,
        fact: llm([user('a')], [call('transfer_to_agent', { agent_name: 'shop' }, 'call_1')]),
      },
      {
        spanId: '3',
        parentSpanId: '1',
        start: 30,
        end: 200,
        fact: tool('transfer_to_agent', { agent_name: 'shop' }, 'null', 'call_1'),
      },
      { spanId: '4', parentSpanId: '3', start: 40, end: 190, fact: agent('shop') },
      {
        spanId: '5',
        parentSpanId: '4',
        start: 50,
        end: 60,
        fact: llm(
          [user('a'), call('transfer_to_agent', { agent_name: 'shop' }, 'call_1')],
          [assistant('hello from shop')],
        ),
      },
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant hands_off shop with {"agent_name":"shop"}',
      'assistant responds "hello from shop"',
    ]);
  });

  it('are shown where only a span records them', () => {
    const unit = rebuildSpans([{ spanId: '2', fact: { kind: 'handoff', target: 'billing' } }]);
    expect(lines(unit)).toEqual(['assistant hands_off billing']);
  });
});

describe('approvals', () => {
  const asking = { kind: 'approvalRequest', callId: 'call_1', approvalId: 'ap_1' } as const;
  const answer = (approved: boolean) =>
    ({
      kind: 'approvalResponse',
      approvalId: 'ap_1',
      approved,
      by: 'human',
      reason: 'seen',
    }) as const;
  const first = [user('a'), call('refund', { n: 1 }, 'call_1'), asking] as const;

  it('stand between a call and its result that came in a later trace', () => {
    const unit = rebuildSpans([
      { traceId: '1', spanId: '1', start: 0, fact: llm(first.slice(0, 1), first.slice(1)) },
      { traceId: '2', spanId: '2', start: 1000, end: 1100 },
      {
        traceId: '2',
        spanId: '3',
        parentSpanId: '2',
        start: 1010,
        end: 1020,
        fact: tool('refund', { n: 1 }, 'RF-1', 'call_1'),
      },
      {
        traceId: '2',
        spanId: '4',
        parentSpanId: '2',
        start: 1030,
        end: 1040,
        fact: llm([...first, answer(true), result('refund', 'RF-1', 'call_1')], [assistant('b')]),
      },
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls refund with {"n":1}',
      'system asks human with {"args":{"n":1},"callId":"call_1","tool":"refund"}',
      'human approves refund "seen"',
      'tool responds refund "RF-1"',
      'assistant responds "b"',
    ]);
    expect(unit.behaviors[1]?.outcome).toBe('ok');
    expect(unit.losses).toEqual([]);
  });

  it('that refuse leave a rejected call and no result', () => {
    const unit = rebuildSpans([
      { traceId: '1', spanId: '1', start: 0, fact: llm(first.slice(0, 1), first.slice(1)) },
      {
        traceId: '2',
        spanId: '2',
        start: 1000,
        fact: llm(
          [...first, answer(false), result('refund', 'denied', 'call_1')],
          [assistant('b')],
        ),
      },
    ]);
    expect(lines(unit).slice(3)).toEqual(['human rejects refund "seen"', 'assistant responds "b"']);
    expect(unit.behaviors[1]?.outcome).toBe('rejected');
  });

  it('recorded by spans and by messages are one', () => {
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 900 },
      {
        spanId: '2',
        parentSpanId: '1',
        start: 10,
        end: 20,
        fact: llm(first.slice(0, 1), first.slice(1)),
      },
      {
        spanId: '3',
        parentSpanId: '1',
        start: 30,
        end: 80,
        fact: { kind: 'approval', atom: asking },
      },
      {
        spanId: '4',
        parentSpanId: '1',
        start: 40,
        end: 80,
        fact: { kind: 'approval', atom: answer(true) },
      },
      {
        spanId: '5',
        parentSpanId: '1',
        start: 90,
        end: 100,
        fact: tool('refund', { n: 1 }, 'RF-1', 'call_1'),
      },
    ]);
    expect(lines(unit).slice(1)).toEqual([
      'assistant calls refund with {"n":1}',
      'system asks human with {"args":{"n":1},"callId":"call_1","tool":"refund"}',
      'human approves refund "seen"',
      'tool responds refund "RF-1"',
    ]);
  });

  it('are concluded from a refused execution', () => {
    const refused = execution('refund', { n: 1 }, 'not today', {
      callId: 'call_1',
      outcome: 'rejected',
    });
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 900 },
      { spanId: '2', parentSpanId: '1', start: 10, end: 20, fact: llm([user('a')], [first[1]]) },
      { spanId: '3', parentSpanId: '1', start: 30, end: 80, fact: { kind: 'tool', tool: refused } },
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls refund with {"n":1}',
      'human rejects refund "not today"',
    ]);
    expect(unit.behaviors[2]?.evidence.inferred).toBeDefined();
  });
});

describe('judges in the trace', () => {
  it('and everything below them are no part of the conversation', () => {
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 500, fact: agent('desk') },
      {
        spanId: '2',
        parentSpanId: '1',
        start: 10,
        end: 20,
        fact: llm([user('a')], [assistant('b')]),
      },
      { spanId: '3', parentSpanId: '1', start: 30, end: 90, fact: { kind: 'other', judges: true } },
      {
        spanId: '4',
        parentSpanId: '3',
        start: 40,
        end: 50,
        fact: llm([user('Is it kind?')], [assistant('yes')]),
      },
    ]);
    expect(lines(unit)).toEqual(['user says "a"', 'assistant responds "b"']);
    expect(describeLosses(unit)).toEqual([]);
  });
});
