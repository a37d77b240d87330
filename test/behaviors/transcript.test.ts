import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  execution,
  llm,
  type RecordedSpan,
  result,
  text,
  user,
} from '../support/facts.js';
import { describeLosses, describe as lines, rebuildSpans } from '../support/rebuild.js';

/** Model spans one after the other in one trace below a root, 10 ms each. */
function conversation(...facts: readonly RecordedSpan['fact'][]): readonly RecordedSpan[] {
  const root = { spanId: '1', start: 0, end: 100 * facts.length };
  const calls = facts.map((fact, index) => ({
    spanId: (index + 2).toString(16),
    parentSpanId: '1',
    start: 10 + 100 * index,
    end: 20 + 100 * index,
    ...(fact === undefined ? {} : { fact }),
  }));
  return [root, ...calls];
}

describe('a conversation from model calls that repeat it', () => {
  it('keeps a text that was really said twice', () => {
    const unit = rebuildSpans(
      conversation(
        llm([user('yes')], [assistant('ok')]),
        llm([user('yes'), assistant('ok'), user('yes')], [assistant('ok')]),
      ),
    );
    expect(lines(unit)).toEqual([
      'user says "yes"',
      'assistant responds "ok"',
      'user says "yes"',
      'assistant responds "ok"',
    ]);
    expect(unit.losses).toEqual([]);
    expect(unit.complete).toBe(true);
  });

  it('finds messages of model calls that were not recorded', () => {
    const unit = rebuildSpans(
      conversation(
        llm([user('a')], [assistant('b')]),
        llm([user('a'), assistant('b'), user('c'), assistant('d'), user('e')], [assistant('f')]),
      ),
    );
    expect(unit.behaviors.map(({ content }) => content)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(unit.behaviors.map(({ evidence }) => evidence.origin)).toEqual([
      'history',
      'output',
      'history',
      'history',
      'history',
      'output',
    ]);
  });

  it('gives messages seen only in history times between their neighbours', () => {
    const [u, b, c, d, e] = rebuildSpans(
      conversation(
        llm([user('a')], [assistant('b')]),
        llm([user('a'), assistant('b'), user('c'), assistant('d'), user('e')], []),
      ),
    ).behaviors.map(({ at }) => Number(at / 1000n) / 1000);
    expect([u, b, c, d, e]).toEqual([10, 20, 50, 80, 110]);
  });

  it('shows an answer that was regenerated only in its last form', () => {
    const unit = rebuildSpans(
      conversation(
        llm([user('a'), assistant('b'), user('c')], [assistant('first try')]),
        llm([user('a'), assistant('b'), user('c')], [assistant('second')]),
        llm(
          [user('a'), assistant('b'), user('c'), assistant('second'), user('d')],
          [assistant('e')],
        ),
      ),
    );
    expect(unit.behaviors.map(({ content }) => content)).toEqual([
      'a',
      'b',
      'c',
      'second',
      'd',
      'e',
    ]);
    expect(describeLosses(unit)).toEqual(['superseded 1']);
  });

  it('returns to the first answer when the next input contains it', () => {
    const unit = rebuildSpans(
      conversation(
        llm([user('a')], [assistant('first try')]),
        llm([user('a')], [assistant('second')]),
        llm([user('a'), assistant('first try'), user('d')], [assistant('e')]),
      ),
    );
    expect(unit.behaviors.map(({ content }) => content)).toEqual(['a', 'first try', 'd', 'e']);
    expect(describeLosses(unit)).toEqual(['superseded 1']);
  });

  it('follows the branch of an edited message', () => {
    const unit = rebuildSpans(
      conversation(
        llm([user('a')], [assistant('b')]),
        llm([user('a'), assistant('b'), user('refund 1')], [assistant('refunded 1')]),
        llm([user('a'), assistant('b'), user('cancel 2')], [assistant('cancelled 2')]),
      ),
    );
    expect(unit.behaviors.map(({ content }) => content)).toEqual([
      'a',
      'b',
      'cancel 2',
      'cancelled 2',
    ]);
    expect(describeLosses(unit)).toEqual(['superseded 2']);
  });

  it('takes a message that was edited to say more for an edited message', () => {
    const unit = rebuildSpans(
      conversation(
        llm([user('a')], [assistant('b')]),
        llm([user('a'), assistant('b'), user('refund order 1')], [assistant('done')]),
        llm([user('a'), assistant('b'), user('please refund order 1')], [assistant('refunded')]),
      ),
    );
    expect(unit.behaviors.map(({ content }) => content)).toEqual([
      'a',
      'b',
      'please refund order 1',
      'refunded',
    ]);
  });

  it('knows a message again that history shows without what was put around it', () => {
    const unit = rebuildSpans(
      conversation(
        llm([user('Context: shop. Question: where is it?')], [assistant('b')]),
        llm(
          [user('where is it?'), assistant('b'), user('Context: mail. Question: and now?')],
          [assistant('d')],
        ),
        llm(
          [user('where is it?'), assistant('b'), user('and now?'), assistant('d'), user('e')],
          [assistant('f')],
        ),
      ),
    );
    expect(unit.behaviors.map(({ content }) => content)).toEqual([
      'Context: shop. Question: where is it?',
      'b',
      'Context: mail. Question: and now?',
      'd',
      'e',
      'f',
    ]);
  });

  it('loses no answer where inputs are hidden and outputs are not', () => {
    const unit = rebuildSpans(
      conversation(llm([], [assistant('b')]), llm([], [assistant('b')]), llm([], [assistant('d')])),
    );
    expect(unit.behaviors.map(({ content }) => content)).toEqual(['b', 'b', 'd']);
    expect(describeLosses(unit)).toEqual(['content_not_captured 3']);
  });

  it('keeps both answers of calls that ran at the same time', () => {
    const at = { traceId: '1', parentSpanId: '1' };
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 50 },
      { ...at, spanId: '2', start: 10, end: 40, fact: llm([user('a')], [assistant('left')]) },
      { ...at, spanId: '3', start: 20, end: 45, fact: llm([user('a')], [assistant('right')]) },
    ]);
    expect(unit.behaviors.map(({ content }) => content)).toEqual(['a', 'left', 'right']);
  });

  it('folds a failed attempt and tells of it', () => {
    const unit = rebuildSpans(
      conversation(llm([user('a')], [], { failed: true }), llm([user('a')], [assistant('b')])),
    );
    expect(lines(unit)).toEqual(['user says "a"', 'assistant responds "b"']);
    expect(describeLosses(unit)).toEqual(['model_error 1', 'model_attempts 1']);
    expect(unit.complete).toBe(true);
  });

  it('keeps a model call that failed for good with the message that it was given', () => {
    const unit = rebuildSpans(conversation(llm([user('a')], [], { failed: true })));
    expect(lines(unit)).toEqual(['user says "a"']);
    expect(describeLosses(unit)).toEqual(['model_error 1']);
  });

  it('does not believe a failure mark on a call that answered', () => {
    const unit = rebuildSpans(conversation(llm([user('a')], [assistant('b')], { failed: true })));
    expect(lines(unit)).toEqual(['user says "a"', 'assistant responds "b"']);
    expect(unit.losses).toEqual([]);
  });

  it('turns a summary in place of older messages into something the system informs of', () => {
    const unit = rebuildSpans(
      conversation(
        llm([user('a'), assistant('b'), user('c')], [assistant('d')]),
        llm(
          [user('Summary: a was settled'), user('c'), assistant('d'), user('e')],
          [assistant('f')],
        ),
        llm(
          [
            user('Summary: a was settled'),
            user('c'),
            assistant('d'),
            user('e'),
            assistant('f'),
            user('g'),
          ],
          [assistant('h')],
        ),
      ),
    );
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant responds "b"',
      'system informs "Summary: a was settled"',
      'user says "c"',
      'assistant responds "d"',
      'user says "e"',
      'assistant responds "f"',
      'user says "g"',
      'assistant responds "h"',
    ]);
    expect(describeLosses(unit)).toEqual(['compacted 1']);
  });

  it('knows a summary of everything only where the recording marks it', () => {
    const unit = rebuildSpans(
      conversation(
        llm([user('a')], [assistant('b')]),
        llm([user('All about a'), user('c')], [assistant('d')], { compacted: true }),
      ),
    );
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant responds "b"',
      'system informs "All about a"',
      'user says "c"',
      'assistant responds "d"',
    ]);
  });

  it('reports older messages that no call shows', () => {
    const unit = rebuildSpans(
      conversation(llm([user('z')], [assistant('y')], { compacted: true })),
    );
    expect(describeLosses(unit)).toEqual(['history_omitted 1']);
    expect(unit.complete).toBe(false);
  });

  it('appends inputs that the instrumentation marks as new messages only', () => {
    const unit = rebuildSpans(
      conversation(
        llm([user('yes')], [assistant('ok')], { stateful: true }),
        llm([user('yes')], [assistant('ok')], { stateful: true }),
      ),
    );
    expect(unit.behaviors).toHaveLength(4);
    expect(describeLosses(unit)).toEqual(['delta_input 2']);
  });

  it('does not give a repeated attempt of new messages twice', () => {
    const unit = rebuildSpans(
      conversation(
        llm([user('a')], [assistant('b')], { stateful: true }),
        llm([user('c')], [], { stateful: true, failed: true }),
        llm([user('c')], [assistant('d')], { stateful: true }),
      ),
    );
    expect(unit.behaviors.map(({ content }) => content)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('takes one question asked in two traces without history for two turns', () => {
    const unit = rebuildSpans([
      { traceId: '1', spanId: '1', start: 0, fact: llm([user('hi')], [assistant('hello')]) },
      { traceId: '2', spanId: '2', start: 500, fact: llm([user('hi')], [assistant('hello')]) },
    ]);
    expect(unit.behaviors.map(({ content }) => content)).toEqual(['hi', 'hello', 'hi', 'hello']);
  });

  it('takes examples that begin every prompt for no history', () => {
    const examples = [user('2+2?'), assistant('4')];
    const unit = rebuildSpans([
      {
        traceId: '1',
        spanId: '1',
        start: 0,
        fact: llm([...examples, user('refund 1')], [assistant('refunded 1')]),
      },
      {
        traceId: '2',
        spanId: '2',
        start: 500,
        fact: llm([...examples, user('refund 2')], [assistant('refunded 2')]),
      },
      {
        traceId: '3',
        spanId: '3',
        start: 900,
        fact: llm([...examples, user('refund 2')], [assistant('refunded 2')]),
      },
    ]);
    expect(
      unit.behaviors.map(({ content }) => content).filter((words) => /^refund/.test(String(words))),
    ).toEqual(['refund 1', 'refunded 1', 'refund 2', 'refunded 2', 'refund 2', 'refunded 2']);
    expect(unit.losses.map(({ kind }) => kind)).not.toContain('superseded');
  });

  it('knows one call under two ids and joins its result by either', () => {
    const unit = rebuildSpans(
      conversation(
        llm([user('a')], [call('get_order', { id: 1 }, 'call_abc')]),
        llm(
          [
            user('a'),
            call('get_order', { id: 1 }, 'fc_xyz'),
            { kind: 'result', callId: 'fc_xyz', result: 'paid', isError: false, state: 'present' },
          ],
          [assistant('b')],
        ),
      ),
    );
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls get_order with {"id":1}',
      'tool responds get_order "paid"',
      'assistant responds "b"',
    ]);
  });

  it('tells calls apart when a model uses one id in every step', () => {
    const history = [
      user('a'),
      call('get_order', { id: 1 }, 'call_0'),
      result('get_order', 'paid', 'call_0'),
      call('get_order', { id: 2 }, 'call_0'),
      result('get_order', 'sent', 'call_0'),
    ];
    const unit = rebuildSpans(
      conversation(
        llm(history.slice(0, 1), [call('get_order', { id: 1 }, 'call_0')]),
        llm(history.slice(0, 3), [call('get_order', { id: 2 }, 'call_0')]),
        llm(history, [assistant('b')]),
      ),
    );
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls get_order with {"id":1}',
      'tool responds get_order "paid"',
      'assistant calls get_order with {"id":2}',
      'tool responds get_order "sent"',
      'assistant responds "b"',
    ]);
  });

  it('fills a cut answer from a later, whole sight of it', () => {
    const cut = { ...assistant('I refunded your order 12'), state: 'truncated' } as const;
    const unit = rebuildSpans(
      conversation(
        llm([user('a')], [cut]),
        llm([user('a'), assistant('I refunded your order 1234 today'), user('b')], []),
      ),
    );
    expect(unit.behaviors[1]?.content).toBe('I refunded your order 1234 today');
    expect(unit.losses).toEqual([]);
  });

  it('counts a cut value once and calls the unit incomplete', () => {
    const cut = { ...user('I want a refund for'), state: 'truncated' } as const;
    const unit = rebuildSpans(
      conversation(
        llm([cut], [assistant('b')]),
        llm([cut, assistant('b'), user('c')], [assistant('d')]),
      ),
    );
    expect(describeLosses(unit)).toEqual(['value_truncated 1']);
    expect(unit.complete).toBe(false);
    expect(unit.behaviors[0]?.evidence.content).toBe('truncated');
  });

  it('keeps a hidden message as a Behavior without content', () => {
    const hidden = { ...user('__REDACTED__'), state: 'redacted' } as const;
    const unit = rebuildSpans(conversation(llm([hidden], [assistant('b')])));
    expect(lines(unit)).toEqual(['user says', 'assistant responds "b"']);
    expect(describeLosses(unit)).toEqual(['value_redacted 1']);
  });

  it('does not conclude from inputs whose end was cut', () => {
    const cutOff = {
      losses: [{ kind: 'messages_unreadable', count: 1, detail: 'input messages are cut' }],
    } as const;
    const [root, first, second] = conversation(
      llm([user('a')], [assistant('b')]),
      llm([user('a')], [assistant('c')]),
    );
    const unit = rebuildSpans(
      [root, first, { ...second, ...cutOff }].filter((s) => s !== undefined) as RecordedSpan[],
    );
    expect(unit.behaviors.map(({ content }) => content)).toEqual(['a', 'b', 'c']);
    expect(unit.complete).toBe(false);
  });

  it('leaves system prompts out and shows other notices as system informs', () => {
    const notice = {
      kind: 'notice',
      type: 'retry-prompt',
      content: 'fix it',
      state: 'present',
    } as const;
    const unit = rebuildSpans(
      conversation(llm([text('system', 'You are kind'), user('a'), notice], [assistant('b')])),
    );
    expect(lines(unit)).toEqual([
      'user says "a"',
      'system informs "fix it"',
      'assistant responds "b"',
    ]);
  });

  it('gives the same Behaviors when clocks put a later call first', () => {
    const unit = rebuildSpans([
      { spanId: '1', start: 0, end: 900 },
      {
        spanId: '2',
        parentSpanId: '1',
        start: 30,
        end: 40,
        fact: llm([user('a')], [call('f', { x: 1 }, 'call_1')]),
      },
      {
        spanId: '3',
        parentSpanId: '1',
        start: 20,
        end: 25,
        fact: llm(
          [user('a'), call('f', { x: 1 }, 'call_1'), result('f', 'r', 'call_1')],
          [assistant('b')],
        ),
      },
      {
        spanId: '4',
        parentSpanId: '1',
        start: 10,
        fact: { kind: 'tool', tool: execution('f', { x: 1 }, 'r', { callId: 'call_1' }) },
      },
    ]);
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant calls f with {"x":1}',
      'tool responds f "r"',
      'assistant responds "b"',
    ]);
  });
});
