import { describe, expect, it } from 'vitest';
import { findMissingSpans, Ledger } from '../../src/pipeline/ledger.js';

describe('the ledger', () => {
  it('accounts for every span at every step', () => {
    const ledger = new Ledger(['a', 'b']);
    const isBalanced = (): void => {
      expect(findMissingSpans(ledger.counts())).toEqual({ a: 0, b: 0 });
    };
    ledger.hold(5);
    ledger.reject('bad_id', 2);
    ledger.discardOnArrival('duplicate');
    isBalanced();
    ledger.discardHeld('duplicate');
    ledger.release(3);
    isBalanced();
    ledger.forwarded('a', 3);
    ledger.discardQueued('b', 'queue_expired', 2);
    isBalanced();
    expect(ledger.counts()).toEqual({
      received: 8,
      held: 1,
      rejected: { bad_id: 2 },
      discarded: { duplicate: 2 },
      destinations: {
        a: { queued: 0, forwarded: 3, discarded: {} },
        b: { queued: 1, forwarded: 0, discarded: { queue_expired: 2 } },
      },
    });
  });

  it('without a destination a released span is discarded once', () => {
    const ledger = new Ledger([]);
    ledger.hold(2);
    ledger.release(2);
    expect(ledger.counts().discarded).toEqual({ no_destination: 2 });
    expect(findMissingSpans(ledger.counts())).toEqual({ '': 0 });
  });

  it('a span that went nowhere is noticed, at the destination that misses it', () => {
    const counts = {
      received: 4,
      held: 0,
      rejected: { too_deep: 1 },
      discarded: {},
      destinations: {
        a: { queued: 0, forwarded: 3, discarded: {} },
        b: { queued: 0, forwarded: 2, discarded: {} },
      },
    } as const;
    expect(findMissingSpans(counts)).toEqual({ a: 0, b: 1 });
  });
});
