import type { IntakeRefusal } from '../receivers/receiver.js';

export interface AdmissionLimits {
  /** Bytes of requests being read at one time. */
  readonly maxInFlightBytes: number;
  /** Room that a request of unknown length is taken to need. */
  readonly unknownLengthBytes: number;
}

const retryAfterSeconds = 5;
/** Share of a queue in use above which it is nearly full. */
const fullQueue = 0.75;

/**
 * Decides whether a request may come in, from its headers alone (otlp.md §4): no while shutting down, no
 * while too many bytes are being read, and no while every destination is so far behind that taking more
 * would mean losing something. One destination that lags does not close the door for the others.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #queueFills: () => readonly number[];
  #inFlightBytes = 0;
  #isClosing = false;

  constructor(limits: AdmissionLimits, queueFills: () => readonly number[]) {
    this.#limits = limits;
    this.#queueFills = queueFills;
  }

  get inFlightBytes(): number {
    return this.#inFlightBytes;
  }

  /** From now on nothing comes in. */
  close(): void {
    this.#isClosing = true;
  }

  enter(bytes: number | null): IntakeRefusal | null {
    if (this.#isClosing) return { reason: 'shutting_down', retryAfterSeconds };
    const needed = this.#needed(bytes);
    const isBusy =
      this.#inFlightBytes > 0 && this.#inFlightBytes + needed > this.#limits.maxInFlightBytes;
    if (isBusy) return { reason: 'overload', retryAfterSeconds: 1 };
    if (this.#areQueuesFull()) return { reason: 'overload', retryAfterSeconds };
    this.#inFlightBytes += needed;
    return null;
  }

  leave(bytes: number | null): void {
    this.#inFlightBytes -= this.#needed(bytes);
  }

  reasonsNotReady(): readonly string[] {
    if (this.#isClosing) return ['shutting down'];
    return this.#areQueuesFull() ? ['every destination is behind: the queues are nearly full'] : [];
  }

  #needed(bytes: number | null): number {
    return bytes ?? this.#limits.unknownLengthBytes;
  }

  #areQueuesFull(): boolean {
    const fills = this.#queueFills();
    return fills.length > 0 && fills.every((fill) => fill >= fullQueue);
  }
}
