/** What a recording may lack or get wrong. Absent: nothing of the kind. */
export interface Faults {
  /** Spans arrive in any order. */
  readonly shuffled?: true;
  /** No call ids anywhere. */
  readonly noIds?: true;
  /** Texts and results of older messages are cut. */
  readonly truncatedHistory?: true;
  /** Outputs show text only; calls appear in the next input. */
  readonly outputsLackCalls?: true;
  /** Every span is moved by up to this much. */
  readonly skewMs?: number;
  readonly noToolSpans?: true;
  /** Probability that a model span is missing; the last one never is. */
  readonly dropModelSpans?: number;
  /** Inputs show only this many messages. */
  readonly window?: number;
  /** Inputs show no calls and results. */
  readonly textOnlyHistory?: true;
  /** Two instrumentations record every model call. */
  readonly doubleInstrumentation?: true;
  /** Probability that a model call fails once before it succeeds. */
  readonly retries?: number;
  /** Inputs carry only new messages, and the instrumentation says so or not. */
  readonly delta?: 'flagged' | 'unflagged';
}

/** The fault classes of dialects.md §3.9. */
export const faultClasses: Readonly<Record<string, Faults>> = {
  plain: {},
  'shuffled arrival': { shuffled: true },
  'no ids': { noIds: true },
  'truncated history': { truncatedHistory: true },
  'calls missing from outputs': { outputsLackCalls: true },
  '15 ms skew': { skewMs: 15 },
  'no tool spans': { noToolSpans: true },
  '20 % of model spans dropped': { dropModelSpans: 0.2 },
  '50 % of model spans dropped': { dropModelSpans: 0.5 },
  'window of 6 messages': { window: 6 },
  'no ids, truncated, skewed': { noIds: true, truncatedHistory: true, skewMs: 15 },
  'no ids, 20 % dropped': { noIds: true, dropModelSpans: 0.2 },
  'text-only history': { textOnlyHistory: true },
  'double instrumentation': { doubleInstrumentation: true },
  retries: { retries: 0.3 },
  'double, retries, no ids': { doubleInstrumentation: true, retries: 0.3, noIds: true },
  'delta, flagged': { delta: 'flagged' },
  'delta, unflagged': { delta: 'unflagged' },
};
