import { describe, expect, it } from 'vitest';
import { reconstructUnit } from '../../src/behaviors/reconstruct-unit.js';
import { assistant, llm, type RecordedSpan, record, user } from '../support/facts.js';
import { describeLosses, describe as lines, rebuild, rebuildSpans } from '../support/rebuild.js';
import { makeSpan } from '../support/span.js';

const said = llm([user('a')], [assistant('b')]);
const remoteParent = 0x300;

describe('spans of a unit', () => {
  it('are one when they are equal, and no loss', () => {
    const { spans, dialects } = record([{ spanId: '1', fact: said, attributes: { x: 1 } }]);
    const again = makeSpan({ spanId: '1', attributes: { x: 1 } });
    expect(rebuild({ spans: [...spans, again, ...spans], dialects })).toEqual(
      rebuild({ spans, dialects }),
    );
  });

  it('that differ under one id are told of; the later end wins, whatever came first', () => {
    const { dialects } = record([{ spanId: '1', fact: said }]);
    const early = makeSpan({
      spanId: '1',
      name: 'early',
      end: 5,
      attributes: { 'retrial.spec': 'refund' },
    });
    const late = makeSpan({ spanId: '1', name: 'late', end: 9, attributes: { 'retrial.row': 3 } });
    const unit = rebuild({ spans: [late, early], dialects });
    expect(unit).toEqual(rebuild({ spans: [early, late, early], dialects }));
    expect(describeLosses(unit)).toEqual(['conflicting_span 1']);
    expect(unit.labels).toEqual({ spec: 'refund', row: 3 });
    expect(Number(unit.behaviors[1]?.at)).toBe(9_000_000);
  });

  it('keep events that only one version has', () => {
    const stated = (name: string) => ({ name, at: 3, attributes: { 'test.word': name } });
    const first = makeSpan({ spanId: '1', end: 9, events: [stated('x'), stated('y')] });
    const second = makeSpan({ spanId: '1', end: 5, events: [stated('y'), stated('z')] });
    const words: string[] = [];
    rebuild({
      spans: [second, first],
      dialects: [
        {
          name: 'spy',
          detects: () => true,
          read(span) {
            words.push(...span.events().map((event) => event.name));
            return [];
          },
        },
      ],
    });
    expect(words).toEqual(['x', 'y', 'z']);
  });

  it('need no root when their single top has a parent elsewhere', () => {
    const unit = rebuildSpans([{ spanId: '2', parentSpanId: '9', fact: said }]);
    expect(unit.complete).toBe(true);
    expect(unit.losses).toEqual([]);
  });

  const orphans = (flags: number): readonly RecordedSpan[] => [
    { spanId: '2', parentSpanId: '8', flags, start: 1, fact: said },
    { spanId: '3', parentSpanId: '9', flags, start: 2 },
  ];

  it('are incomplete with several orphans', () => {
    const unit = rebuildSpans(orphans(0));
    expect(describeLosses(unit)).toEqual(['orphan_span 2']);
    expect(unit.complete).toBe(false);
  });

  it('are complete with several orphans whose parents are marked remote', () => {
    expect(rebuildSpans(orphans(remoteParent)).complete).toBe(true);
    expect(rebuildSpans(orphans(0x100)).complete).toBe(false);
    expect(rebuildSpans([{ spanId: '1' }, ...orphans(remoteParent)]).complete).toBe(true);
  });

  it('are incomplete with several roots', () => {
    const unit = rebuildSpans([{ spanId: '1', fact: said }, { spanId: '2' }]);
    expect(describeLosses(unit)).toEqual(['several_roots 2']);
    expect(unit.complete).toBe(false);
  });

  it('count what the SDK dropped', () => {
    const unit = rebuildSpans([{ spanId: '1', fact: said, dropped: { attributes: 2, events: 1 } }]);
    expect(describeLosses(unit)).toEqual(['dropped_attributes 2', 'dropped_events 1']);
    expect(unit.complete).toBe(false);
  });

  it('carry on losses from before', () => {
    const { spans, dialects } = record([{ spanId: '1', fact: said }]);
    const losses = [{ kind: 'span_rejected', count: 2, detail: 'too deep' }] as const;
    const traces = [
      { traceId: spans[0]?.traceId ?? '', spans, losses, sources: ['b.json', 'a.json', 'b.json'] },
    ];
    const unit = reconstructUnit({ id: 'x', kind: 'trace', traces }, dialects);
    expect(unit.losses).toEqual(losses);
    expect(unit.complete).toBe(false);
    expect(unit.sources).toEqual(['a.json', 'b.json']);
  });

  it('are cut where a span is its own ancestor, at the same place in any order', () => {
    const cycle: readonly RecordedSpan[] = [
      { spanId: '1', parentSpanId: '3', start: 5, fact: said },
      { spanId: '2', parentSpanId: '1', start: 6 },
      { spanId: '3', parentSpanId: '2', start: 7 },
    ];
    const unit = rebuildSpans(cycle);
    expect(lines(unit)).toEqual(['user says "a"', 'assistant responds "b"']);
    expect(describeLosses(unit)).toEqual(['bad_structure 1']);
    expect(unit).toEqual(rebuildSpans(cycle.toReversed()));
    expect(describeLosses(rebuildSpans([{ spanId: '1', parentSpanId: '1', fact: said }]))).toEqual([
      'bad_structure 1',
    ]);
  });

  it('are no agent trace when no dialect knows one of them', () => {
    expect(rebuildSpans([{ spanId: '1' }])).toMatchObject({ isAgentTrace: false, behaviors: [] });
    expect(rebuildSpans([{ spanId: '1', fact: { kind: 'other' } }]).isAgentTrace).toBe(true);
  });

  it('label the unit by root span or resource, the span first', () => {
    const unit = rebuildSpans([
      {
        spanId: '1',
        resource: { 'retrial.spec': 'resource', 'retrial.eval': 'e1' },
        attributes: { 'retrial.spec': 'root', 'retrial.row': 'second row' },
      },
      { spanId: '2', parentSpanId: '1', attributes: { 'retrial.spec': 'child' } },
    ]);
    expect(unit.labels).toEqual({ spec: 'root', eval: 'e1', row: 'second row' });
  });
});

/** Work on them grows with their size alone; a quadratic step would take minutes. */
describe('large traces', { timeout: 120_000 }, () => {
  const size = 50_000;
  const id = (index: number) => (index + 1).toString(16);
  const tool = (index: number) =>
    ({
      kind: 'tool',
      tool: { name: `t${index % 7}`, argsState: 'absent', resultState: 'absent', outcome: 'ok' },
    }) as const;

  it('nest 50,000 spans deep', () => {
    const chain = Array.from({ length: size }, (_, index) => ({
      spanId: id(index),
      parentSpanId: index === 0 ? null : id(index - 1),
      start: index,
      end: 3 * size - index,
      fact: tool(index),
    }));
    const unit = rebuildSpans(chain);
    expect(unit.behaviors).toHaveLength(2 * size);
    expect(unit.behaviors[0]?.target).toBe('t0');
    expect(unit.behaviors.at(-1)?.target).toBe('t0');
    expect(unit.complete).toBe(true);
  });

  it('nest agents in agents 20,000 deep', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) => ({
      spanId: id(index),
      parentSpanId: index === 0 ? null : id(index - 1),
      start: index,
      end: size - index,
      fact: { kind: 'agent', agentName: `agent ${index}` } as const,
    }));
    const last = {
      spanId: 'fffff',
      parentSpanId: id(19_999),
      start: 20_001,
      end: 20_002,
      fact: said,
    };
    expect(lines(rebuildSpans([...chain, last]))).toEqual([
      'user says "a"',
      'assistant responds "b"',
    ]);
  });

  it('spread 50,000 spans below one', () => {
    const wide = Array.from({ length: size }, (_, index) => ({
      spanId: id(index + 1),
      parentSpanId: '1',
      start: index,
      end: index + 0.5,
      fact: tool(index),
    }));
    const unit = rebuildSpans([{ spanId: '1', end: size }, ...wide]);
    expect(unit.behaviors).toHaveLength(2 * size);
    expect(unit.behaviors.slice(0, 4).map(({ target }) => target)).toEqual([
      't0',
      't0',
      't1',
      't1',
    ]);
  });

  it('hold a conversation of 1,000 model calls that repeat everything', () => {
    const history: (ReturnType<typeof user> | ReturnType<typeof assistant>)[] = [];
    const calls = Array.from({ length: 1000 }, (_, index) => {
      history.push(user(`question ${index % 10}`));
      const fact = llm([...history], [assistant(`answer ${index % 7}`)]);
      history.push(assistant(`answer ${index % 7}`));
      return { spanId: id(index + 1), parentSpanId: '1', start: index, end: index + 0.5, fact };
    });
    expect(rebuildSpans([{ spanId: '1', end: 2000 }, ...calls]).behaviors).toHaveLength(2000);
  });
});
