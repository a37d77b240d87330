import { describe, expect, it } from 'vitest';
import { groupUnits } from '../../src/behaviors/group-units.js';
import type { JsonValue } from '../../src/util/json.js';
import { makeSpan } from '../support/span.js';

const trace = (traceId: string, ...attributes: readonly Record<string, JsonValue>[]) => {
  const spans = attributes.map((each, index) =>
    makeSpan({
      traceId,
      spanId: `${index + 1}`,
      parentSpanId: index === 0 ? null : `${index}`,
      start: index,
      attributes: each,
    }),
  );
  return { traceId: traceId.padStart(32, '0'), spans };
};
const idOf = (traceId: string) => traceId.padStart(32, '0');

const traces = [
  trace('b', { 'session.id': 's1' }),
  trace('a', {}, { 'gen_ai.conversation.id': 's1' }),
  trace('c', {}),
];

describe('units', () => {
  it('are conversations where a key exists, else traces', () => {
    const { units } = groupUnits(traces, 'auto');
    expect(units.map(({ id, kind }) => [id, kind])).toEqual([
      [idOf('c'), 'trace'],
      ['s1', 'conversation'],
    ]);
    expect(units[1]?.traces.map(({ traceId }) => traceId)).toEqual([idOf('a'), idOf('b')]);
  });

  it('are traces when asked, and say which of them share a conversation', () => {
    const { units, sharedKeys } = groupUnits(traces, 'trace');
    expect(units.map(({ id, kind }) => [id, kind])).toEqual([
      [idOf('a'), 'trace'],
      [idOf('b'), 'trace'],
      [idOf('c'), 'trace'],
    ]);
    expect(sharedKeys).toEqual([{ key: 's1', traceIds: [idOf('a'), idOf('b')] }]);
  });

  it('are conversations of one trace without a key', () => {
    expect(groupUnits([trace('c', {})], 'conversation').units).toMatchObject([
      { id: idOf('c'), kind: 'conversation' },
    ]);
  });

  it('do not depend on order or on how a trace came in pieces', () => {
    const [first, second] = traces;
    if (first === undefined || second === undefined) throw new Error('two traces');
    const pieces = [
      { traceId: second.traceId, spans: second.spans.slice(1) },
      first,
      { traceId: second.traceId, spans: second.spans.slice(0, 1) },
    ];
    const shape = (input: Parameters<typeof groupUnits>[0]) =>
      groupUnits(input, 'auto').units.map(({ id, traces: members }) => [
        id,
        members.map(({ traceId, spans }) => [traceId, spans.map(({ spanId }) => spanId).sort()]),
      ]);
    expect(shape(pieces)).toEqual(shape([first, second]));
  });

  it.each([
    ['empty', ''],
    ['a default', 'default'],
    ['the trace id', idOf('d')],
    ['the trace id in another form', '00000000-0000-0000-0000-00000000000D'],
  ])('are not keyed by a placeholder: %s', (_, key) => {
    expect(groupUnits([trace('d', { 'session.id': key })], 'auto').units).toMatchObject([
      { id: idOf('d'), kind: 'trace' },
    ]);
  });

  it('are not keyed by the id of a response', () => {
    const one = trace(
      'd',
      {},
      { 'gen_ai.conversation.id': 'resp_1', 'gen_ai.response.id': 'resp_1' },
    );
    expect(groupUnits([one], 'auto').units).toMatchObject([{ id: idOf('d') }]);
  });

  it('take the key of the outermost span: sub-agents belong to their caller', () => {
    const one = trace(
      'd',
      { 'gen_ai.conversation.id': 'outer' },
      { 'gen_ai.conversation.id': 'inner' },
    );
    expect(groupUnits([one], 'auto').units).toMatchObject([{ id: 'outer' }]);
  });

  it('prefer gen_ai.conversation.id to a session of the program around it', () => {
    const one = trace('d', { 'session.id': 'browser' }, { 'gen_ai.conversation.id': 'chat' });
    expect(groupUnits([one], 'auto').units).toMatchObject([{ id: 'chat' }]);
  });
});
