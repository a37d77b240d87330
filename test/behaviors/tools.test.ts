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

const root = { spanId: '1', start: 0, end: 1000 };
const below = { parentSpanId: '1' };

function tool(
  spanId: string,
  start: number,
  made: ReturnType<typeof execution>,
  more: Partial<RecordedSpan> = {},
) {
  return {
    ...below,
    spanId,
    start,
    end: start + 10,
    fact: { kind: 'tool', tool: made },
    ...more,
  } as RecordedSpan;
}

const asked = llm([user('a')], [call('get_order', { id: 1 }, 'call_1')]);

describe('calls and their executions', () => {
  it('joins a tool span to its call by id, whatever the clocks say', () => {
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 50, end: 60, fact: asked },
      tool('3', 40, execution('get_order', { id: 1 }, { status: 'paid' }, { callId: 'call_1' })),
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls get_order with {"id":1}',
      'tool responds get_order {"status":"paid"}',
    ]);
    expect(unit.behaviors.map(({ outcome }) => outcome)).toEqual([undefined, 'ok', 'ok']);
    expect(unit.behaviors.map(({ callId }) => callId)).toEqual([undefined, 'call_1', 'call_1']);
    expect(unit.behaviors[2]?.evidence.origin).toBe('tool');
  });

  it('is pending when nothing executed the call', () => {
    const unit = rebuildSpans([{ spanId: '2', fact: asked }]);
    expect(lines(unit)).toEqual(['user says "a"', 'assistant calls get_order with {"id":1}']);
    expect(unit.behaviors[1]?.outcome).toBe('pending');
    expect(unit.complete).toBe(true);
  });

  it('reports a result that must exist and was not recorded', () => {
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 10, end: 20, fact: asked },
      {
        ...below,
        spanId: '3',
        start: 30,
        end: 40,
        fact: llm([user('a')], [assistant('it is paid')]),
      },
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls get_order with {"id":1}',
      'assistant responds "it is paid"',
    ]);
    expect(unit.behaviors[1]?.outcome).toBeUndefined();
    expect(describeLosses(unit)).toEqual(['history_omitted 1']);
  });

  it('keeps a call with hidden arguments', () => {
    const hidden = {
      kind: 'call',
      name: 'get_order',
      callId: 'call_1',
      state: 'redacted',
    } as const;
    const unit = rebuildSpans([{ spanId: '2', fact: llm([user('a')], [hidden]) }]);
    expect(lines(unit)[1]).toBe('assistant calls get_order');
    expect(unit.behaviors[1]?.evidence.with).toBe('redacted');
  });

  it('takes arguments from the execution where the message hides them', () => {
    const hidden = { kind: 'call', name: 'get_order', callId: 'call_1', state: 'absent' } as const;
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 10, end: 20, fact: llm([user('a')], [hidden]) },
      tool('3', 30, execution('get_order', { id: 1 }, 'paid', { callId: 'call_1' })),
    ]);
    expect(lines(unit)[1]).toBe('assistant calls get_order with {"id":1}');
  });

  it('responds with the error of a failed tool', () => {
    const failed = execution('get_order', { id: 1 }, '', { callId: 'call_1', outcome: 'error' });
    const { result: _, ...made } = failed;
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 10, end: 20, fact: asked },
      tool('3', 30, { ...made, resultState: 'absent', error: 'no such order' }),
    ]);
    expect(lines(unit)[2]).toBe('tool responds get_order "no such order"');
    expect(unit.behaviors[2]?.outcome).toBe('error');
  });

  it('does not read an error out of the words of a result', () => {
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 10, end: 20, fact: asked },
      tool('3', 30, execution('get_order', { id: 1 }, 'Error: none', { callId: 'call_1' })),
    ]);
    expect(unit.behaviors[2]?.outcome).toBe('ok');
  });

  it('responds without content when a finished tool span recorded no output', () => {
    const { result: _, ...made } = execution('get_order', { id: 1 }, '', { resultState: 'absent' });
    const unit = rebuildSpans([tool('3', 30, made, { parentSpanId: null })]);
    expect(lines(unit)).toEqual([
      'assistant calls get_order with {"id":1}',
      'tool responds get_order',
    ]);
    expect(unit.behaviors[1]?.evidence.content).toBe('absent');
  });

  it('prefers what the model saw where history and span disagree, and keeps the other', () => {
    const seen = [
      user('a'),
      call('get_order', { id: 1 }, 'call_1'),
      result('get_order', 'masked', 'call_1'),
    ];
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 10, end: 20, fact: asked },
      tool('3', 30, execution('get_order', { id: 1 }, { card: '4111' }, { callId: 'call_1' })),
      { ...below, spanId: '4', start: 50, end: 60, fact: llm(seen, [assistant('b')]) },
    ]);
    expect(unit.behaviors[2]?.content).toBe('masked');
    expect(unit.behaviors[2]?.evidence.raw).toEqual({ card: '4111' });
  });

  it('prefers the structured form of an equal result', () => {
    const seen = [
      user('a'),
      call('get_order', { id: 1 }, 'call_1'),
      result('get_order', '{"n": 1}', 'call_1'),
    ];
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 10, end: 20, fact: asked },
      tool('3', 30, execution('get_order', { id: 1 }, { n: 1 }, { callId: 'call_1' })),
      { ...below, spanId: '4', start: 50, end: 60, fact: llm(seen, [assistant('b')]) },
    ]);
    expect(unit.behaviors[2]?.content).toEqual({ n: 1 });
    expect(unit.behaviors[2]?.evidence.raw).toBeUndefined();
  });

  it('opens an MCP envelope and keeps it', () => {
    const envelope = { content: [{ type: 'text', text: 'no stock' }], isError: true };
    const unit = rebuildSpans([
      tool('3', 30, execution('stock', {}, envelope), { parentSpanId: null }),
    ]);
    expect(unit.behaviors[1]).toMatchObject({ content: 'no stock', outcome: 'error' });
    expect(unit.behaviors[1]?.evidence.raw).toEqual(envelope);
  });

  it('sees one call in execute_tool around an MCP client around an MCP server', () => {
    const {
      args: _a,
      result: _r,
      ...bare
    } = execution('stock', {}, '', {
      argsState: 'absent',
      resultState: 'absent',
    });
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 10, end: 40, fact: { kind: 'tool', tool: bare } },
      {
        spanId: '3',
        parentSpanId: '2',
        start: 12,
        end: 38,
        fact: { kind: 'tool', layer: 'mcp_client', tool: { ...bare, name: 'shop.stock' } },
      },
      {
        spanId: '4',
        parentSpanId: '3',
        start: 14,
        end: 36,
        fact: {
          kind: 'tool',
          layer: 'mcp_server',
          tool: execution('stock', { sku: 7 }, 'in stock'),
        },
      },
    ]);
    expect(lines(unit)).toEqual([
      'assistant calls stock with {"sku":7}',
      'tool responds stock "in stock"',
    ]);
    expect(unit.behaviors[0]?.evidence.spans.map(({ spanId }) => Number(`0x${spanId}`))).toEqual([
      2, 3, 4,
    ]);
    expect(describeLosses(unit)).toEqual(['double_instrumentation 2']);
  });

  it('folds attempts of one call and keeps the last success', () => {
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 10, end: 20, fact: asked },
      tool(
        '3',
        30,
        execution('get_order', { id: 1 }, 'timeout', { callId: 'call_1', outcome: 'error' }),
      ),
      tool('4', 50, execution('get_order', { id: 1 }, 'paid', { callId: 'call_1' })),
    ]);
    expect(lines(unit).slice(1)).toEqual([
      'assistant calls get_order with {"id":1}',
      'tool responds get_order "paid"',
    ]);
    expect(describeLosses(unit)).toEqual(['tool_attempts 1']);
  });

  it('folds attempts without ids too', () => {
    const unit = rebuildSpans([
      root,
      {
        ...below,
        spanId: '2',
        start: 10,
        end: 20,
        fact: llm([user('a')], [call('get_order', { id: 1 })]),
      },
      tool('3', 30, execution('get_order', { id: 1 }, 'timeout', { outcome: 'error' })),
      tool('4', 50, execution('get_order', { id: 1 }, 'paid')),
    ]);
    expect(lines(unit).slice(1)).toEqual([
      'assistant calls get_order with {"id":1}',
      'tool responds get_order "paid"',
    ]);
  });

  it('makes a call of a tool that code ran, at its time', () => {
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 100, end: 120, fact: llm([user('a')], [assistant('b')]) },
      tool('3', 30, execution('load_profile', { id: 9 }, 'Ann')),
    ]);
    expect(lines(unit)).toEqual([
      'assistant calls load_profile with {"id":9}',
      'tool responds load_profile "Ann"',
      'user says "a"',
      'assistant responds "b"',
    ]);
    expect(unit.behaviors[0]?.evidence.origin).toBe('tool');
  });

  it('marks the calls of one model step as parallel and keeps its order', () => {
    const unit = rebuildSpans([
      root,
      {
        ...below,
        spanId: '2',
        start: 10,
        end: 20,
        fact: llm([user('a')], [call('x', {}, 'call_1'), call('y', {}, 'call_2')]),
      },
      tool('3', 32, execution('x', {}, 'slow', { callId: 'call_1' }), { end: 90 }),
      tool('4', 30, execution('y', {}, 'fast', { callId: 'call_2' }), { end: 40 }),
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls x with {}',
      'assistant calls y with {}',
      'tool responds y "fast"',
      'tool responds x "slow"',
    ]);
    expect(unit.behaviors.map(({ parallel }) => parallel)).toEqual([
      undefined,
      true,
      true,
      undefined,
      undefined,
    ]);
    expect(unit.behaviors[1]?.step).toBe(unit.behaviors[2]?.step);
  });

  it('orders results as the model saw them', () => {
    const seen = [
      user('a'),
      call('x', {}, 'call_1'),
      call('y', {}, 'call_2'),
      result('x', 'slow', 'call_1'),
      result('y', 'fast', 'call_2'),
    ];
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 10, end: 20, fact: llm([user('a')], seen.slice(1, 3)) },
      tool('3', 32, execution('x', {}, 'slow', { callId: 'call_1' }), { end: 90 }),
      tool('4', 30, execution('y', {}, 'fast', { callId: 'call_2' }), { end: 40 }),
      { ...below, spanId: '5', start: 100, end: 110, fact: llm(seen, [assistant('b')]) },
    ]);
    expect(lines(unit).slice(3)).toEqual([
      'tool responds x "slow"',
      'tool responds y "fast"',
      'assistant responds "b"',
    ]);
  });

  it('shows the trajectory when messages were not captured', () => {
    const silent = llm([], [], { contentCaptured: false });
    const {
      args: _a,
      result: _r,
      ...bare
    } = execution('x', {}, '', { argsState: 'absent', resultState: 'absent' });
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 10, end: 20, fact: silent },
      tool('3', 30, { ...bare, name: 'first' }),
      tool('4', 50, { ...bare, name: 'second' }),
      { ...below, spanId: '5', start: 70, end: 80, fact: silent },
      tool('6', 90, { ...bare, name: 'third' }),
    ]);
    expect(lines(unit)).toEqual([
      'assistant calls first',
      'assistant calls second',
      'tool responds first',
      'tool responds second',
      'assistant calls third',
      'tool responds third',
    ]);
    expect(unit.behaviors.map(({ parallel }) => parallel ?? false)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(describeLosses(unit)).toEqual(['content_not_captured 2']);
    expect(unit.complete).toBe(true);
  });

  it("keeps the document's name of a tool and the observed one", () => {
    const aliases = new Map([['Orders API', ['get_order', 'orders.get']]]);
    const unit = rebuildSpans([{ spanId: '2', fact: asked }], { aliases });
    expect(unit.behaviors[1]).toMatchObject({ target: 'Orders API', tool: 'get_order' });
  });

  it('places calls that tools made between the call and the result of the tool', () => {
    const unit = rebuildSpans([
      root,
      { ...below, spanId: '2', start: 10, end: 20, fact: asked },
      tool('3', 30, execution('get_order', { id: 1 }, 'paid', { callId: 'call_1' }), { end: 80 }),
      tool('4', 40, execution('sql', { q: 1 }, 'row'), { parentSpanId: '3' }),
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls get_order with {"id":1}',
      'assistant calls sql with {"q":1}',
      'tool responds sql "row"',
      'tool responds get_order "paid"',
    ]);
  });
});
