import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialects/index.js';
import { native } from '../../src/dialects/native.js';
import { call, execution, llm, record, user } from '../support/facts.js';
import { describeLosses, describe as lines, rebuild } from '../support/rebuild.js';
import { makeSpan, type SpanParts } from '../support/span.js';

const unitOf = (...parts: readonly SpanParts[]) =>
  rebuild({ spans: parts.map(makeSpan), dialects });
const says = (
  spanId: string,
  start: number,
  content: string,
  more: Partial<SpanParts> = {},
): SpanParts => ({
  spanId,
  parentSpanId: 'f',
  start,
  attributes: { 'abs.actor': 'user', 'abs.content': content },
  ...more,
});
const root: SpanParts = { spanId: 'f', start: 0, end: 99 };

describe('the native dialect', () => {
  it('states a Behavior exactly as it is', () => {
    const unit = unitOf(root, {
      spanId: '1',
      parentSpanId: 'f',
      start: 5,
      end: 8,
      attributes: {
        'abs.actor': 'assistant',
        'abs.action': 'stores',
        'abs.target': 'CRM',
        'abs.id': 'save',
        'abs.call.id': 'c-1',
        'abs.outcome': 'error',
        'abs.content': 7,
        'abs.with.json': '{"id":12345678901234567891,"__proto__":1}',
      },
    });
    const [behavior] = unit.behaviors;
    expect(behavior).toMatchObject({
      index: 0,
      actor: 'assistant',
      action: 'stores',
      acts: ['stores'],
      target: 'CRM',
      id: 'save',
      callId: 'c-1',
      outcome: 'error',
      content: 7,
      at: 5_000_000n,
      endAt: 8_000_000n,
      evidence: { act: 'stated', content: 'present', with: 'present' },
    });
    expect(lines(unit)[0]).toBe(
      'assistant stores CRM with {"__proto__":1,"id":12345678901234567891} 7',
    );
    expect(unit.complete).toBe(true);
  });

  it.each([
    ['user', 'says'],
    ['assistant', 'responds'],
    ['tool', 'responds'],
    ['system', 'informs'],
    ['human', 'informs'],
  ])('gives a message of %s without an act the base act', (actor, action) => {
    const unit = unitOf({
      spanId: '1',
      attributes: { 'abs.actor': actor, 'abs.content.json': 'null' },
    });
    expect(unit.behaviors[0]).toMatchObject({ action, content: null, evidence: { act: 'base' } });
  });

  it('orders by time, then parent before child, then span id, then place in the span', () => {
    const event = (words: string, at: number) => ({
      name: 'step',
      at,
      attributes: { 'abs.actor': 'user', 'abs.content': words },
    });
    const unit = unitOf(
      root,
      says('9', 5, 'third'),
      says('1', 5, 'fourth', { parentSpanId: '9' }),
      says('8', 5, 'second'),
      says('7', 4, 'first'),
      { spanId: 'a', parentSpanId: 'f', start: 1, events: [event('fifth', 6), event('sixth', 6)] },
    );
    expect(unit.behaviors.map(({ content }) => content)).toEqual([
      'first',
      'second',
      'third',
      'fourth',
      'fifth',
      'sixth',
    ]);
  });

  it('keeps text that is not JSON, and says so', () => {
    const unit = unitOf({
      spanId: '1',
      attributes: { 'abs.actor': 'user', 'abs.content.json': '{oops' },
    });
    expect(unit.behaviors[0]?.content).toBe('{oops');
    expect(describeLosses(unit)).toEqual(['value_unparsable 1']);
  });

  it('beats what another dialect says of the same call, and stands beside the rest', () => {
    const other = record([
      root,
      {
        spanId: '2',
        parentSpanId: 'f',
        start: 10,
        end: 20,
        fact: llm([user('a')], [call('refund', { n: 1 }, 'call_1')]),
      },
      {
        spanId: '3',
        parentSpanId: 'f',
        start: 30,
        end: 40,
        fact: { kind: 'tool', tool: execution('refund', { n: 1 }, 'RF-1', { callId: 'call_1' }) },
      },
    ]);
    const stated = makeSpan({
      spanId: '4',
      parentSpanId: 'f',
      start: 25,
      attributes: {
        'abs.actor': 'assistant',
        'abs.action': 'submits',
        'abs.target': 'Refunds',
        'abs.call.id': 'call_1',
      },
    });
    const unit = rebuild({
      spans: [...other.spans, stated],
      dialects: [native, ...other.dialects],
    });
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant submits Refunds',
      'tool responds refund "RF-1"',
    ]);
    expect(unit.behaviors.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  it('on events does not hide what the span itself says', () => {
    const other = record([
      {
        spanId: '2',
        start: 10,
        end: 20,
        fact: llm([user('a')], [{ kind: 'text', role: 'assistant', text: 'b', state: 'present' }]),
        events: [
          {
            name: 'step',
            at: 30,
            attributes: { 'abs.actor': 'human', 'abs.action': 'approves', 'abs.target': 'refund' },
          },
        ],
      },
    ]);
    const unit = rebuild({ spans: other.spans, dialects: [native, ...other.dialects] });
    expect(lines(unit)).toEqual([
      'user says "a"',
      'assistant responds "b"',
      'human approves refund',
    ]);
  });
});
