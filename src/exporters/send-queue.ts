/** One encoded request. Requests of one signal may be joined: their only field is repeated. */
export interface QueueItem {
  readonly signal: 'traces' | 'logs';
  readonly payload: Uint8Array;
  /** 0 for logs. */
  readonly spans: number;
}

/**
 * What waits for one destination, first in first out, bounded by bytes. When something new does not fit,
 * the oldest makes room; what is being sent right now stays.
 */
export class SendQueue {
  readonly #maxBytes: number;
  #items: QueueItem[] = [];
  /** Items at the front that are being sent. */
  #inFlight = 0;
  #inFlightBytes = 0;
  #bytes = 0;
  #spans = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get spans(): number {
    return this.#spans;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** Adds an item; the answer is what had to go for it (the item itself when nothing else
   * could make room). */
  push(item: QueueItem): readonly QueueItem[] {
    if (this.#inFlightBytes + item.payload.length > this.#maxBytes) return [item];
    const dropped: QueueItem[] = [];
    while (this.#bytes + item.payload.length > this.#maxBytes) {
      for (const oldest of this.#items.splice(this.#inFlight, 1)) {
        this.#count(oldest, -1);
        dropped.push(oldest);
      }
    }
    this.#items.push(item);
    this.#count(item, 1);
    return dropped;
  }

  /** The next items of one signal, `maxBytes` together at most, one item at least. They stay queued. */
  startBatch(maxBytes: number): readonly QueueItem[] {
    const batch: QueueItem[] = [];
    let bytes = 0;
    for (const item of this.#items) {
      const first = batch[0] ?? item;
      if (item.signal !== first.signal) break;
      if (batch.length > 0 && bytes + item.payload.length > maxBytes) break;
      batch.push(item);
      bytes += item.payload.length;
    }
    this.#inFlight = batch.length;
    this.#inFlightBytes = bytes;
    return batch;
  }

  /** The started batch is done with, one way or the other. */
  finishBatch(): void {
    for (const item of this.#items.splice(0, this.#inFlight)) this.#count(item, -1);
    this.#inFlight = 0;
    this.#inFlightBytes = 0;
  }

  /** Everything that still waits, taken out. */
  takeAll(): readonly QueueItem[] {
    const items = this.#items;
    this.#items = [];
    this.#inFlight = 0;
    this.#inFlightBytes = 0;
    this.#bytes = 0;
    this.#spans = 0;
    return items;
  }

  #count(item: QueueItem, by: 1 | -1): void {
    this.#bytes += by * item.payload.length;
    this.#spans += by * item.spans;
  }
}
