import { describe, expect, it } from 'vitest';
import { AlertBook } from '../../src/alerts/alert-book.js';
import { sampleAlert } from './samples.js';

const unit = (id: string) => ({ kind: 'trace' as const, id });

describe('the alert book', () => {
  it('T7: raises an alert once, whatever generation finds it again', () => {
    const book = new AlertBook(100);
    const first = book.raise(sampleAlert());
    expect(first).toMatchObject({
      state: 'raised',
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}:raised$/),
    });
    expect(book.raise({ ...sampleAlert(), generation: 2, reason: 'other words' })).toBe(null);
  });

  it('tells apart rule, session, document, include entry and unit', () => {
    const book = new AlertBook(100);
    const alert = sampleAlert();
    const others = [
      alert,
      { ...alert, key: { ...alert.key, rule: '/evaluations/1' } },
      { ...alert, key: { ...alert.key, session: 'other' } },
      { ...alert, key: { ...alert.key, document: 'other.abs.yaml' } },
      { ...alert, key: { ...alert.key, via: '/behaviors/2' } },
      { ...alert, key: { ...alert.key, unit: unit('other') } },
      {
        ...alert,
        key: { ...alert.key, unit: { kind: 'conversation' as const, id: alert.key.unit.id } },
      },
    ];
    const keys = others.map((one) => book.raise(one)?.idempotencyKey);
    expect(new Set(keys).size).toBe(7);
  });

  it('retracts what a later generation clears, once, and never raises it again', () => {
    const book = new AlertBook(100);
    book.raise(sampleAlert('/evaluations/0', 'u'));
    book.raise(sampleAlert('/evaluations/1', 'u'));
    const clear = ({ key }: { key: { rule: string } }): string | null =>
      key.rule === '/evaluations/0' ? 'passed in generation 2' : null;
    const messages = book.retract(unit('u'), 2, clear);
    expect(messages).toMatchObject([
      {
        state: 'retracted',
        reason: 'passed in generation 2',
        alert: { generation: 2, key: { rule: '/evaluations/0' } },
        idempotencyKey: expect.stringMatching(/:retracted$/),
      },
    ]);
    expect(book.retract(unit('u'), 3, clear)).toEqual([]);
    expect(book.raise(sampleAlert('/evaluations/0', 'u'))).toBe(null);
    expect(book.retract(unit('elsewhere'), 2, clear)).toEqual([]);
  });

  it('is bounded: the oldest unit is forgotten first', () => {
    const book = new AlertBook(2);
    for (const id of ['u1', 'u2', 'u3']) book.raise(sampleAlert('/evaluations/0', id));
    expect(book.raise(sampleAlert('/evaluations/0', 'u3'))).toBe(null);
    expect(book.raise(sampleAlert('/evaluations/0', 'u2'))).toBe(null);
    expect(book.raise(sampleAlert('/evaluations/0', 'u1'))).not.toBe(null);
  });
});
