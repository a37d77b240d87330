import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Atom } from '../../src/model/fact.js';
import type { RecordedSpan } from '../support/facts.js';
import { rebuildSpans } from '../support/rebuild.js';

const state = fc.constantFrom('present', 'absent', 'truncated', 'redacted');
const name = fc.constantFrom('', 'get', 'transfer_to_x', '__proto__');
const id = fc.constantFrom(undefined, '', 'call_1', 'call_2', 'get_0', 'toolu-1', 'constructor');
const value = fc.constantFrom<string | number | null>('', 'x', '{"a":1}', '[', 7, null);
const words = fc.constantFrom(
  '',
  'a',
  'b',
  'a text that is longer than thirty-two characters',
  'a…',
);
const role = fc.constantFrom('system', 'user', 'assistant', 'tool', 'external', 'human');

const withId = <T extends { callId?: string | undefined }>({ callId, ...rest }: T) =>
  callId === undefined ? rest : { ...rest, callId };

const atom: fc.Arbitrary<Atom> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), role, text: words, state }),
  fc
    .record({ kind: fc.constant('call' as const), callId: id, name, args: value, state })
    .map(withId),
  fc
    .record({
      kind: fc.constant('result' as const),
      callId: id,
      name,
      result: value,
      isError: fc.boolean(),
      state,
    })
    .map(withId),
  fc.record({ kind: fc.constant('approvalRequest' as const), callId: id, name }).map(withId),
  fc
    .record({
      kind: fc.constant('approvalResponse' as const),
      callId: id,
      approved: fc.boolean(),
      by: fc.constantFrom('human' as const, 'system' as const),
    })
    .map(withId),
  fc.record({ kind: fc.constant('notice' as const), type: name, content: value, state }),
) as fc.Arbitrary<Atom>;

const messages = fc.array(atom, { maxLength: 5 });
const tool = fc
  .record({
    callId: id,
    name,
    args: value,
    argsState: state,
    result: value,
    resultState: state,
    outcome: fc.constantFrom('ok', 'error', 'pending', 'rejected'),
  })
  .map(withId);

const fact = fc.oneof(
  fc.record({
    kind: fc.constant('llm'),
    input: messages,
    output: messages,
    stateful: fc.boolean(),
    failed: fc.boolean(),
    contentCaptured: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('tool'),
    tool,
    layer: fc.constantFrom('tool', 'mcp_client', 'mcp_server'),
  }),
  fc.record({
    kind: fc.constantFrom('agent', 'workflow'),
    agentName: name,
    input: messages,
    output: messages,
  }),
  fc.record({ kind: fc.constant('handoff'), target: name, tool }),
  fc.record({
    kind: fc.constant('approval'),
    atom: atom.filter(({ kind }) => kind.startsWith('approval')),
  }),
  fc.constant({ kind: 'other' }),
);

/** Spans that say anything, below any parent: themselves, each other, nobody. Times often tie. */
const spans = fc
  .array(
    fc.record({
      parent: fc.integer({ min: 0, max: 12 }),
      trace: fc.integer({ min: 1, max: 2 }),
      start: fc.integer({ min: 0, max: 5 }),
      length: fc.integer({ min: 0, max: 5 }),
      fact,
    }),
    { maxLength: 12 },
  )
  .map((parts) =>
    parts.map(
      ({ parent, trace, start, length, fact: said }, index) =>
        ({
          traceId: `${trace}`,
          spanId: (index + 1).toString(16),
          parentSpanId: parent === 0 ? null : parent.toString(16),
          start,
          end: start + length,
          fact: said,
        }) as RecordedSpan,
    ),
  );

describe('whatever spans say', () => {
  it('a unit comes out, the same for every order, with numbered Behaviors', () => {
    fc.assert(
      fc.property(spans, (recorded) => {
        const unit = rebuildSpans(recorded);
        expect(rebuildSpans(recorded.toReversed())).toEqual(unit);
        expect(unit.behaviors.map(({ index }) => index)).toEqual(
          unit.behaviors.map((_, index) => index),
        );
        expect(unit.behaviors.every(({ evidence }) => evidence.spans.length > 0)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('no tool execution disappears: each has its response', () => {
    fc.assert(
      fc.property(spans, (recorded) => {
        const { behaviors } = rebuildSpans(recorded);
        const shown = new Set(
          behaviors.flatMap(({ evidence }) => evidence.spans.map(({ spanId }) => spanId)),
        );
        for (const { spanId, fact: said } of recorded) {
          if (said?.kind === 'tool') expect(shown.has(spanId.padStart(16, '0'))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
