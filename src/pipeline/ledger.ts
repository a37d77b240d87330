import type { SpanRejectionReason } from '../model/span.js';

/** Why an accepted span is not forwarded (contract.md §9, closed list). */
type DiscardReason =
  | 'no_destination'
  | 'duplicate'
  | 'own_telemetry'
  | 'destination_rejected'
  | 'queue_expired';

/** Set aside before any destination is asked; the rest of the reasons belong to a destination. */
type CommonDiscard = Extract<DiscardReason, 'no_destination' | 'duplicate' | 'own_telemetry'>;
type DestinationDiscard = Exclude<DiscardReason, CommonDiscard>;

interface DestinationCounts {
  readonly queued: number;
  readonly forwarded: number;
  readonly discarded: Readonly<Partial<Record<DestinationDiscard, number>>>;
}

export interface LedgerCounts {
  readonly received: number;
  readonly held: number;
  readonly rejected: Readonly<Partial<Record<SpanRejectionReason, number>>>;
  readonly discarded: Readonly<Partial<Record<CommonDiscard, number>>>;
  readonly destinations: Readonly<Record<string, DestinationCounts>>;
}

/**
 * Where every span is (design.md §1, promise 4). At every quiet point, for each destination:
 *
 *   received = rejected + held + discarded + (queued + forwarded + discarded of that destination)
 *
 * A span moves in one step: it leaves one place and enters the next in the same call, so the equation
 * also holds in between.
 */
export class Ledger {
  #received = 0;
  #held = 0;
  readonly #rejected = new Map<SpanRejectionReason, number>();
  readonly #discarded = new Map<CommonDiscard, number>();
  readonly #destinations = new Map<
    string,
    { queued: number; forwarded: number; discarded: Map<DestinationDiscard, number> }
  >();

  constructor(destinations: readonly string[]) {
    for (const name of destinations) {
      this.#destinations.set(name, { queued: 0, forwarded: 0, discarded: new Map() });
    }
  }

  /** A span was refused at the door. */
  reject(reason: SpanRejectionReason, spans = 1): void {
    this.#received += spans;
    add(this.#rejected, reason, spans);
  }

  /** A span was accepted and waits. */
  hold(spans = 1): void {
    this.#received += spans;
    this.#held += spans;
  }

  /** A span was accepted and set aside at once. */
  discardOnArrival(reason: CommonDiscard, spans = 1): void {
    if (spans === 0) return;
    this.#received += spans;
    add(this.#discarded, reason, spans);
  }

  /** A held span was set aside, replaced by a later version of itself. */
  discardHeld(reason: CommonDiscard, spans = 1): void {
    this.#held -= spans;
    add(this.#discarded, reason, spans);
  }

  /** Held spans go to every destination; without one they end here. */
  release(spans: number): void {
    if (this.#destinations.size === 0) this.discardHeld('no_destination', spans);
    else this.#held -= spans;
    for (const destination of this.#destinations.values()) destination.queued += spans;
  }

  forwarded(name: string, spans: number): void {
    const destination = this.#destinations.get(name);
    if (destination === undefined) return;
    destination.queued -= spans;
    destination.forwarded += spans;
  }

  discardQueued(name: string, reason: DestinationDiscard, spans: number): void {
    const destination = this.#destinations.get(name);
    if (destination === undefined || spans === 0) return;
    destination.queued -= spans;
    add(destination.discarded, reason, spans);
  }

  counts(): LedgerCounts {
    return {
      received: this.#received,
      held: this.#held,
      rejected: Object.fromEntries(this.#rejected),
      discarded: Object.fromEntries(this.#discarded),
      destinations: Object.fromEntries(
        [...this.#destinations].map(([name, { queued, forwarded, discarded }]) => [
          name,
          { queued, forwarded, discarded: Object.fromEntries(discarded) },
        ]),
      ),
    };
  }
}

/** Spans that the counts do not account for, per destination (`''` when there is none); all 0 when right. */
export function findMissingSpans(counts: LedgerCounts): Readonly<Record<string, number>> {
  const total = (parts: Readonly<Record<string, number>>): number =>
    Object.values(parts).reduce((sum, n) => sum + n, 0);
  const before = counts.received - counts.held - total(counts.rejected) - total(counts.discarded);
  const destinations = Object.entries(counts.destinations);
  if (destinations.length === 0) return { '': before };
  return Object.fromEntries(
    destinations.map(([name, { queued, forwarded, discarded }]) => [
      name,
      before - queued - forwarded - total(discarded),
    ]),
  );
}

function add<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
