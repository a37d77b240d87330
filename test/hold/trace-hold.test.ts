import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TraceHold } from '../../src/hold/trace-hold.js';
import { defaults, notes, span, type TestSpan } from './spans.js';

const createHold = (limits = {}): TraceHold<TestSpan> => new TraceHold({ ...defaults, ...limits });

describe('T1 grouping', () => {
  it('groups by trace id alone, whatever the order in which spans of several traces arrive', () => {
    const hold = createHold();
    for (const [id, trace] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
      ['d', 'z'],
      ['e', 'y'],
    ] as const) {
      hold.add(span(id, { trace }), 0);
    }
    const releases = hold.drain(1);
    expect(releases.map((r) => [r.traceId, notes(r.spans)])).toEqual([
      ['x', ['a', 'c']],
      ['y', ['b', 'e']],
      ['z', ['d']],
    ]);
  });
});

describe('T2 order independence', () => {
  it('releases the same spans for every permutation and any duplication', () => {
    const spans = [
      span('root'),
      span('agent', { parent: 'root' }),
      span('chat', { parent: 'agent', end: 5n }),
      span('chat', { parent: 'agent', end: 9n, note: 'chat, the later version' }),
      span('tool', { parent: 'agent' }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray([...spans, ...spans], { minLength: 10 }), (order) => {
        const hold = createHold();
        for (const [at, s] of order.entries()) hold.add(s, at);
        const [release, ...others] = hold.takeReleases(2_010);
        expect(others).toEqual([]);
        expect(release?.reason).toBe('root_ended');
        expect([...notes(release?.spans ?? [])].sort()).toEqual([
          'agent',
          'chat, the later version',
          'root',
          'tool',
        ]);
      }),
    );
  });
});

describe('T3 duplicates', () => {
  it('sets an equal span aside and holds one', () => {
    const hold = createHold();
    expect(hold.add(span('a'), 0).kind).toBe('held');
    expect(hold.add(span('a'), 1)).toMatchObject({ kind: 'duplicate', isConflict: false });
    expect(hold.usage).toMatchObject({ spans: 1, bytes: 1 });
    expect(hold.drain(2)[0]).toMatchObject({ duplicates: 1, conflictingSpans: 0 });
  });

  it('forwards the version that ended later; the others stay as evidence', () => {
    const hold = createHold();
    hold.add(span('a', { end: 7n, note: 'seven' }), 0);
    const earlier = hold.add(span('a', { end: 5n, note: 'five' }), 1);
    const later = hold.add(span('a', { end: 9n, note: 'nine' }), 2);
    expect(earlier).toMatchObject({
      kind: 'duplicate',
      isConflict: true,
      discarded: { note: 'five' },
    });
    expect(later).toMatchObject({
      kind: 'duplicate',
      isConflict: true,
      discarded: { note: 'seven' },
    });
    expect(hold.drain(3)[0]).toMatchObject({
      conflictingSpans: 2,
      spans: [{ note: 'nine' }],
      evidence: [{ note: 'five' }, { note: 'seven' }],
    });
  });

  it('chooses the same of two different spans with equal end in both orders', () => {
    const versions = [span('a', { note: 'mnop' }), span('a', { note: 'abcd' })];
    const kept = [versions, [...versions].reverse()].map((order) => {
      const hold = createHold();
      for (const s of order) hold.add(s, 0);
      return hold.drain(1).flatMap((r) => notes(r.spans));
    });
    expect(kept).toEqual([['mnop'], ['mnop']]);
  });

  it('recognizes a duplicate of a span that was released already, without a new generation', () => {
    const hold = createHold();
    hold.add(span('root'), 0);
    hold.takeReleases(2_000);
    expect(hold.add(span('root'), 2_001)).toMatchObject({ kind: 'duplicate', isConflict: false });
    expect(hold.usage.traces).toBe(0);
    expect(hold.drain(3_000)).toEqual([]);
  });

  it('a forwarded span that comes round with events appended is a duplicate, not a later version', () => {
    const hold = createHold();
    hold.add(span('root', { note: 'root' }), 0);
    hold.takeReleases(2_000);
    const echo = span('root', { note: 'root and verdicts' });
    expect(hold.add(echo, 2_001)).toMatchObject({ kind: 'duplicate', isConflict: false });
    expect(hold.drain(3_000)).toEqual([]);
  });

  it('does not wait longer because of duplicates', () => {
    const hold = createHold();
    hold.add(span('root'), 0);
    hold.add(span('root'), 1_999);
    expect(hold.takeReleases(2_000)).toHaveLength(1);
  });
});

describe('T4 completion and its reason', () => {
  it('root_ended: the root, every parent seen, and quiet for decision_wait_after_root_received', () => {
    const hold = createHold();
    hold.add(span('leaf', { parent: 'mid' }), 0);
    hold.add(span('root'), 1_000);
    expect(hold.takeReleases(3_000)).toEqual([]);
    hold.add(span('mid', { parent: 'root' }), 4_000);
    expect(hold.nextDeadlineMs()).toBe(6_000);
    expect(hold.takeReleases(5_999)).toEqual([]);
    expect(hold.takeReleases(6_000)).toMatchObject([{ reason: 'root_ended', generation: 1 }]);
  });

  it('an open root is no ended root', () => {
    const hold = createHold();
    hold.add(span('root', { end: 0n }), 0);
    hold.add(span('leaf', { parent: 'root' }), 0);
    expect(hold.takeReleases(10_000)).toEqual([]);
    hold.add(span('root', { end: 50n, note: 'root ended' }), 10_000);
    expect(hold.takeReleases(12_000)).toMatchObject([{ reason: 'root_ended' }]);
  });

  it('quiet: nothing for decision_wait', () => {
    const hold = createHold();
    hold.add(span('leaf', { parent: 'never-sent' }), 0);
    hold.add(span('root'), 10_000);
    expect(hold.takeReleases(39_999)).toEqual([]);
    expect(hold.takeReleases(40_000)).toMatchObject([{ reason: 'quiet' }]);
  });

  it('max_duration: however active the trace is', () => {
    const hold = createHold({ maxTraceDurationMs: 100_000 });
    for (let at = 0; at < 100_000; at += 20_000) {
      hold.add(span(`s${at}`, { parent: 'root' }), at);
      expect(hold.takeReleases(at)).toEqual([]);
    }
    expect(hold.takeReleases(100_000)).toMatchObject([{ reason: 'max_duration' }]);
  });

  it('span_limit: a trace of exactly the limit stays whole, one span more releases what is there', () => {
    const hold = createHold({ maxTraceSpans: 3 });
    for (const id of ['a', 'b', 'c']) hold.add(span(id, { parent: 'root' }), 0);
    expect(hold.takeReleases(0)).toEqual([]);
    hold.add(span('root'), 1);
    expect(hold.takeReleases(1)).toMatchObject([
      { reason: 'span_limit', generation: 1, isWhole: true, spans: [{}, {}, {}] },
    ]);
    expect(hold.drain(2)).toMatchObject([
      { reason: 'drained', generation: 2, isWhole: false, spans: [{ note: 'root' }], evidence: [] },
    ]);
  });

  it('byte_limit: the same by bytes, and a single larger span is held alone', () => {
    const hold = createHold({ maxTraceBytes: 100 });
    hold.add(span('a', { parent: 'root', size: 60 }), 0);
    hold.add(span('b', { parent: 'root', size: 41 }), 1);
    expect(hold.takeReleases(1)).toMatchObject([{ reason: 'byte_limit', spans: [{ note: 'a' }] }]);
    hold.add(span('huge', { trace: 'other', size: 500 }), 2);
    expect(hold.takeReleases(2)).toEqual([]);
    expect(hold.drain(3).map((r) => r.traceId)).toEqual(['trace-1', 'other']);
  });

  it('drained: everything at once, oldest trace first', () => {
    const hold = createHold();
    hold.add(span('a', { trace: 'first' }), 0);
    hold.add(span('b', { trace: 'second' }), 1);
    expect(hold.drain(2).map((r) => [r.traceId, r.reason])).toEqual([
      ['first', 'drained'],
      ['second', 'drained'],
    ]);
    expect(hold.usage).toMatchObject({ spans: 0, traces: 0, bytes: 0 });
  });
});

describe('T5 long runs', () => {
  it('a root that arrives after hours of activity finds its trace whole', () => {
    const hold = createHold();
    const hour = 3_600_000;
    let released: readonly unknown[] = [];
    for (let at = 0; at <= 5 * hour; at += 20_000) {
      hold.add(span(`s${at}`, { parent: 'root' }), at);
      released = [...released, ...hold.takeReleases(at)];
    }
    expect(released).toEqual([]);
    hold.add(span('root'), 5 * hour + 1);
    expect(hold.takeReleases(5 * hour + 2_001)).toMatchObject([{ reason: 'root_ended' }]);
  });
});

describe('T6 late spans', () => {
  it('make a new generation with the earlier spans as evidence, forwarded only once', () => {
    const hold = createHold();
    hold.add(span('root'), 0);
    hold.takeReleases(2_000);
    hold.add(span('late', { parent: 'root' }), 5_000);
    const [second] = hold.takeReleases(7_000);
    expect(second).toMatchObject({ generation: 2, reason: 'root_ended', isWhole: true });
    expect(notes(second?.spans ?? [])).toEqual(['late']);
    expect(notes(second?.evidence ?? [])).toEqual(['root']);
    hold.add(span('later', { parent: 'late' }), 8_000);
    const [third] = hold.takeReleases(10_000);
    expect(third?.generation).toBe(3);
    expect(notes(third?.evidence ?? [])).toEqual(['root', 'late']);
  });

  it('a later version of a released span takes its place in the evidence', () => {
    const hold = createHold();
    hold.add(span('root', { end: 5n, note: 'old' }), 0);
    hold.takeReleases(2_000);
    expect(hold.add(span('root', { end: 9n, note: 'new' }), 3_000).kind).toBe('held');
    expect(hold.takeReleases(5_000)).toMatchObject([
      {
        generation: 2,
        spans: [{ note: 'new' }],
        evidence: [{ note: 'old' }],
        isWhole: true,
        conflictingSpans: 1,
      },
    ]);
  });

  it('an older version of a released span is evidence for a new generation that forwards nothing', () => {
    const hold = createHold();
    hold.add(span('root', { end: 9n, note: 'new' }), 0);
    hold.takeReleases(2_000);
    expect(hold.add(span('root', { end: 7n, note: 'old' }), 6_000)).toMatchObject({
      kind: 'duplicate',
      isConflict: true,
      discarded: { note: 'old' },
    });
    expect(hold.takeReleases(8_000)).toMatchObject([
      { generation: 2, spans: [], evidence: [{ note: 'new' }, { note: 'old' }] },
    ]);
  });

  it('are graded as a part once the earlier spans are forgotten; the generation is still known', () => {
    const hold = createHold({ rememberMs: 60_000 });
    hold.add(span('root'), 0);
    hold.takeReleases(2_000);
    expect(hold.nextDeadlineMs()).toBe(62_000);
    hold.takeReleases(62_000);
    expect(hold.usage.rememberedBytes).toBe(0);
    hold.add(span('late', { parent: 'root' }), 70_000);
    expect(hold.takeReleases(100_000)).toMatchObject([
      { generation: 2, reason: 'quiet', isWhole: false, evidence: [] },
    ]);
  });
});

describe('T8 and T13 memory', () => {
  it('bytes bound the memory; what was released goes first', () => {
    const hold = createHold({ maxBytes: 1_000 });
    hold.add(span('old', { trace: 'released', size: 500 }), 0);
    expect(hold.takeReleases(2_000)).toHaveLength(1);
    hold.add(span('new', { trace: 'held', size: 600 }), 3_000);
    expect(hold.takeReleases(3_000)).toEqual([]);
    expect(hold.usage).toMatchObject({ bytes: 600, rememberedBytes: 0 });
  });

  it('one giant trace goes early and leaves everyone else in place', () => {
    const hold = createHold({ maxBytes: 1_000, maxTraceBytes: 900 });
    for (let i = 0; i < 10; i += 1)
      hold.add(span(`small${i}`, { trace: `small${i}`, size: 10 }), i);
    for (let i = 0; i < 9; i += 1)
      hold.add(span(`g${i}`, { trace: 'giant', parent: 'r', size: 95 }), 20);
    hold.add(span('g9', { trace: 'giant', parent: 'r', size: 46 }), 21);
    expect(hold.takeReleases(21)).toMatchObject([{ traceId: 'giant', reason: 'byte_limit' }]);
    hold.add(span('h', { trace: 'second giant', parent: 'r', size: 860 }), 22);
    expect(hold.takeReleases(22).map((r) => [r.traceId, r.reason])).toEqual([
      ['second giant', 'evicted'],
    ]);
    expect(hold.usage).toMatchObject({ traces: 11, spans: 11 });
  });

  it('an evicted trace has its reason, and what comes after it is known to be a part', () => {
    const hold = createHold({ maxBytes: 100 });
    hold.add(span('a', { parent: 'root', size: 101 }), 0);
    expect(hold.takeReleases(0)).toMatchObject([{ reason: 'evicted', isWhole: true }]);
    hold.add(span('root'), 1);
    expect(hold.takeReleases(30_001)).toMatchObject([{ generation: 2, isWhole: false }]);
  });

  it('remembers a bounded number of released traces', () => {
    const hold = createHold({ maxRemembered: 2 });
    for (const trace of ['a', 'b', 'c']) hold.add(span('root', { trace }), 0);
    hold.takeReleases(2_000);
    for (const trace of ['a', 'b', 'c']) hold.add(span('late', { trace }), 3_000);
    expect(hold.drain(4_000).map((r) => [r.traceId, r.generation])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 2],
    ]);
  });
});

describe('T10 snapshots', () => {
  it('a span that arrives after a release is not in what was released', () => {
    const hold = createHold();
    hold.add(span('root'), 0);
    const before = hold.peek('trace-1');
    const [release] = hold.takeReleases(2_000);
    hold.add(span('late', { parent: 'root' }), 2_001);
    expect(notes(before?.spans ?? [])).toEqual(['root']);
    expect(notes(release?.spans ?? [])).toEqual(['root']);
    expect(notes(hold.peek('trace-1')?.spans ?? [])).toEqual(['root', 'late']);
  });
});

describe('T11 time', () => {
  it('waits by the clock it is given and never by the times in the spans', () => {
    const hold = createHold();
    hold.add(span('root', { end: 2n ** 63n }), 0);
    hold.add(span('child', { parent: 'root', end: 1n }), 0);
    expect(hold.takeReleases(1_999)).toEqual([]);
    expect(hold.takeReleases(2_000)).toHaveLength(1);
  });

  it('a stall that passes several deadlines releases each trace once, with the reason that came first', () => {
    const hold = createHold();
    hold.add(span('root', { trace: 'done' }), 0);
    hold.add(span('leaf', { trace: 'cut', parent: 'gone' }), 0);
    expect(hold.takeReleases(999_999_999).map((r) => [r.traceId, r.reason])).toEqual([
      ['done', 'root_ended'],
      ['cut', 'quiet'],
    ]);
    hold.takeReleases(2_000_000_000);
    expect(hold.nextDeadlineMs()).toBe(null);
  });
});

describe('T12 structure', () => {
  it.each([
    ['its own parent', [span('a', { parent: 'a' })], 'quiet'],
    ['a cycle of two', [span('a', { parent: 'b' }), span('b', { parent: 'a' })], 'quiet'],
    ['several roots', [span('a'), span('b')], 'root_ended'],
    ['no root', [span('a', { parent: 'x' })], 'quiet'],
  ] as const)('%s is released', (_, spans, reason) => {
    const hold = createHold();
    for (const s of spans) hold.add(s, 0);
    expect(hold.takeReleases(30_000)).toMatchObject([{ reason }]);
  });

  it('a chain and a fan of 50,000 spans take linear time', () => {
    const hold = createHold();
    for (let i = 0; i < 50_000; i += 1) {
      hold.add(span(`c${i}`, { trace: 'chain', parent: i === 0 ? null : `c${i - 1}` }), 0);
      hold.add(span(`f${i}`, { trace: 'fan', parent: i === 0 ? null : 'f0' }), 0);
    }
    const releases = hold.takeReleases(2_000);
    expect(releases.map((r) => r.spans.length)).toEqual([50_000, 50_000]);
  });
});
