import type { HoldLimits, HoldSpan } from '../../src/hold/release.js';

export interface TestSpan extends HoldSpan {
  readonly note: string;
}

/** Limits wide enough that only the times of retrial.yaml decide. */
export const defaults: HoldLimits = {
  decisionWaitMs: 30_000,
  decisionWaitAfterRootMs: 2_000,
  maxTraceDurationMs: 86_400_000,
  maxTraceSpans: 100_000,
  maxTraceBytes: 1_000_000,
  maxBytes: 10_000_000,
  rememberMs: 600_000,
  maxRemembered: 1_000,
};

interface SpanShape {
  readonly trace?: string;
  readonly parent?: string | null;
  readonly end?: bigint;
  readonly size?: number;
  readonly note?: string;
}

/** A span whose bytes are its note, padded to `size`. Without a parent it is a root; `end: 0n` is still open. */
export function span(spanId: string, shape: SpanShape = {}): TestSpan {
  const note = shape.note ?? spanId;
  const bytes = Buffer.from(note.padEnd(shape.size ?? note.length, '.'));
  return {
    traceId: shape.trace ?? 'trace-1',
    spanId,
    parentSpanId: shape.parent ?? null,
    endUnixNano: shape.end ?? 1_000n,
    bytes,
    cost: bytes.length,
    note,
  };
}

export const notes = (spans: readonly TestSpan[]): readonly string[] => spans.map((s) => s.note);
