import type { Loss } from '../model/evidence.js';
import type { Span } from '../model/span.js';

/** Spans of one trace as they were received, in any order, with duplicates. */
export interface TraceInput {
  readonly traceId: string;
  readonly spans: readonly Span[];
  /** What was lost before the spans got here: rejected spans, limits, a recording that breaks off. */
  readonly losses?: readonly Loss[];
  /** Files that the spans came from. */
  readonly sources?: readonly string[];
}

/** Traces that are graded as a whole. */
export interface UnitInput {
  readonly id: string;
  readonly kind: 'trace' | 'conversation';
  readonly traces: readonly TraceInput[];
}
