import { describe, expect, it } from 'vitest';
import { ConversationHold } from '../../src/hold/conversation-hold.js';
import { notes, span, type TestSpan } from './spans.js';

const limits = { conversationWaitMs: 600_000, maxBytes: 1_000, maxRemembered: 2 };
const createHold = (more = {}): ConversationHold<TestSpan> =>
  new ConversationHold({ ...limits, ...more });

function turn(traceId: string, spans: readonly TestSpan[], key = 'thread-1') {
  return { key, traceId, spans, isWhole: true, reason: 'root_ended' as const };
}

describe('the conversation hold', () => {
  it('answers every release with the conversation so far, not final', () => {
    const hold = createHold();
    expect(hold.add(turn('t1', [span('a')]), 0)).toMatchObject({ generation: 1, isFinal: false });
    const second = hold.add(turn('t2', [span('b')]), 5_000);
    expect(second).toMatchObject({
      key: 'thread-1',
      generation: 2,
      isFinal: false,
      reason: 'root_ended',
      lastTraceId: 't2',
      isWhole: true,
    });
    expect(notes(second.spans)).toEqual(['a', 'b']);
  });

  it('a later generation of one trace takes the place of the earlier one', () => {
    const hold = createHold();
    hold.add(turn('t1', [span('a')]), 0);
    hold.add(turn('t2', [span('b')]), 1);
    const third = hold.add(turn('t1', [span('a'), span('late')]), 2);
    expect(notes(third.spans)).toEqual(['a', 'late', 'b']);
    expect(third).toMatchObject({ generation: 3, lastTraceId: 't1' });
  });

  it('is final conversation_wait after its last trace, once', () => {
    const hold = createHold();
    hold.add(turn('t1', [span('a')]), 0);
    hold.add(turn('t2', [span('b')]), 100_000);
    expect(hold.nextDeadlineMs()).toBe(700_000);
    expect(hold.takeEnded(699_999)).toEqual([]);
    expect(hold.takeEnded(700_000)).toMatchObject([
      { generation: 2, isFinal: true, reason: 'quiet', lastTraceId: 't2' },
    ]);
    expect(hold.takeEnded(700_001)).toEqual([]);
    expect(hold.nextDeadlineMs()).toBe(null);
  });

  it('a new turn after that starts a new generation on the same evidence', () => {
    const hold = createHold();
    hold.add(turn('t1', [span('a')]), 0);
    hold.takeEnded(600_000);
    const next = hold.add(turn('t2', [span('b')]), 700_000);
    expect(next).toMatchObject({ generation: 2, isFinal: false, isWhole: true });
    expect(notes(next.spans)).toEqual(['a', 'b']);
  });

  it('forgets the spans of an ended conversation after the same wait, its generation stays known', () => {
    const hold = createHold();
    hold.add(turn('t1', [span('a', { size: 10 })]), 0);
    hold.takeEnded(600_000);
    hold.takeEnded(1_200_000);
    expect(hold.usage).toEqual({ open: 0, remembered: 1, bytes: 0 });
    expect(hold.add(turn('t2', [span('b')]), 1_300_000)).toMatchObject({
      generation: 2,
      isWhole: false,
      spans: [{ note: 'b' }],
    });
  });

  it('bytes bound it: ended conversations go first, then the largest open one is ended', () => {
    const hold = createHold();
    hold.add(turn('t1', [span('old', { size: 300 })], 'ended'), 0);
    hold.takeEnded(600_000);
    hold.add(turn('t2', [span('big', { size: 700 })], 'big'), 600_001);
    expect(hold.takeEnded(600_001)).toEqual([]);
    hold.add(turn('t3', [span('small', { size: 100 })], 'small'), 600_002);
    expect(hold.takeEnded(600_002)).toEqual([]);
    expect(hold.usage.bytes).toBe(800);
    hold.add(turn('t4', [span('more', { size: 250 })], 'more'), 600_003);
    expect(hold.takeEnded(600_003)).toMatchObject([
      { key: 'big', reason: 'evicted', isFinal: true },
    ]);
    expect(hold.usage.bytes).toBe(350);
  });

  it('drain ends every open conversation', () => {
    const hold = createHold();
    hold.add(turn('t1', [span('a')], 'one'), 0);
    hold.add(turn('t2', [span('b')], 'two'), 1);
    expect(hold.drain(2)).toMatchObject([
      { key: 'one', reason: 'drained', isFinal: true },
      { key: 'two', reason: 'drained', isFinal: true },
    ]);
    expect(hold.drain(3)).toEqual([]);
  });
});
