import type { AddressInfo } from 'node:net';
import type { PartialSuccess } from './otlp-response.js';
import type { BodyFormat } from './request-headers.js';

/** Why a whole request is refused (contract.md §9, closed list). */
export type RequestRejection =
  | 'unauthenticated'
  | 'unsupported_media_type'
  | 'unsupported_encoding'
  | 'too_large'
  | 'malformed'
  | 'overload'
  | 'shutting_down';

/** A refusal that a sender may try again later. */
export interface IntakeRefusal {
  readonly reason: Extract<RequestRejection, 'overload' | 'shutting_down'>;
  readonly retryAfterSeconds: number;
}

export type IntakeResult =
  | { readonly kind: 'accepted'; readonly partial: PartialSuccess | null }
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'refused'; readonly refusal: IntakeRefusal };

/** Where receivers bring what they got. Receivers know the transport, the intake knows everything else. */
export interface TraceIntake {
  /**
   * Asked when only the headers are there. `bytes` is the declared length, `null` when unknown. Room for
   * the request is taken until `leave` is called with the same number.
   */
  enter(bytes: number | null): IntakeRefusal | null;
  leave(bytes: number | null): void;
  /** One export request. When it answers `accepted`, the spans are held as `ack` promises. */
  accept(body: Buffer, format: BodyFormat): IntakeResult;
  /** A request was refused before it got here; counted by reason (otlp.md §0, 9). */
  countRefusal(reason: RequestRejection): void;
}

/** A server that listens. */
export interface RunningServer {
  readonly address: AddressInfo;
  /** `http://127.0.0.1:4318`, with the port that was really taken. */
  readonly url: string;
  /** Takes no new connection and resolves when every request is answered, or after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}
