import type { QueueItem } from './send-queue.js';

/** Told to whoever counts; every span that was enqueued is in exactly one of these in the end. */
export interface DestinationEvents {
  forwarded(name: string, spans: number): void;
  discarded(name: string, reason: 'destination_rejected' | 'queue_expired', spans: number): void;
  /** For a person: one line per change of fortune, not per attempt. */
  log(severity: 'info' | 'warning', message: string): void;
}

/** Somewhere that spans go to. Each has a queue and a sender of its own, so none waits for another (F6). */
export interface Destination {
  readonly name: string;
  readonly signals: ReadonlySet<QueueItem['signal']>;
  enqueue(item: QueueItem): void;
  /** Share of the queue in use, 0 to 1. */
  readonly fill: number;
  readonly queuedBytes: number;
  /** The last attempt failed and is being repeated. */
  readonly isFailing: boolean;
  /** Resolves once the queue is empty. */
  whenEmpty(): Promise<void>;
  /** Sends what it can until `graceMs` are over; what is left then is discarded and counted. */
  stop(graceMs: number): Promise<void>;
}
