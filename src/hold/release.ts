import type { ReleaseReason } from '../model/report.js';
import type { Span } from '../model/span.js';

/** What the hold asks of a span. `bytes` is the span message as received. */
export interface HoldSpan
  extends Pick<Span, 'traceId' | 'spanId' | 'parentSpanId' | 'endUnixNano'> {
  readonly bytes: Uint8Array;
  /** Bytes of memory that it takes: its own and what is kept about it. */
  readonly cost: number;
}

export interface HoldLimits {
  /** Release after this long without a span. */
  readonly decisionWaitMs: number;
  /** The same, once the root and every parent seen have ended. */
  readonly decisionWaitAfterRootMs: number;
  readonly maxTraceDurationMs: number;
  readonly maxTraceSpans: number;
  readonly maxTraceBytes: number;
  /** Bytes of all traces together, held and remembered. */
  readonly maxBytes: number;
  /** How long the spans of a released trace are remembered for a late span. */
  readonly rememberMs: number;
  /** How many released traces are remembered at all. */
  readonly maxRemembered: number;
}

/** One trace leaving the hold: what to grade and what to forward. */
export interface Release<S extends HoldSpan> {
  readonly traceId: string;
  /** 1 for the first release of a trace; each late span leads to one more. */
  readonly generation: number;
  readonly reason: ReleaseReason;
  /** Spans of this generation in order of arrival: to be forwarded. */
  readonly spans: readonly S[];
  /** Spans of earlier generations and superseded versions: they decide and are not forwarded (again). */
  readonly evidence: readonly S[];
  /** False when spans of an earlier generation are no longer remembered, so evidence is missing. */
  readonly isWhole: boolean;
  /** Spans set aside because an equal one was held. */
  readonly duplicates: number;
  /** Spans of one id with different contents; the one that ended later is forwarded. */
  readonly conflictingSpans: number;
}

/** What became of a span given to the hold. */
export type Admission<S extends HoldSpan> =
  | { readonly kind: 'held'; readonly generation: number }
  /** `discarded` is the span that was set aside: the new one or the one held before. */
  | { readonly kind: 'duplicate'; readonly discarded: S; readonly isConflict: boolean };
