import type { Loss } from '../model/evidence.js';
import type { SpanRejection } from '../model/span.js';

const maxTraces = 50_000;

/**
 * Spans that were refused at the door, by trace: a trace that lost one is graded as incomplete (semantics
 * decision 3). Bounded; the trace that lost its last span longest ago is forgotten first.
 */
export class LiveRejections {
  readonly #traces = new Map<string, { count: number; reasons: Set<string> }>();

  add({ traceId, reason }: SpanRejection): void {
    if (traceId === null) return;
    const known = this.#traces.get(traceId) ?? { count: 0, reasons: new Set() };
    known.count += 1;
    known.reasons.add(reason);
    this.#traces.delete(traceId);
    this.#traces.set(traceId, known);
    for (const oldest of this.#traces.keys()) {
      if (this.#traces.size <= maxTraces) return;
      this.#traces.delete(oldest);
    }
  }

  lossesOf(traceId: string): readonly Loss[] {
    const known = this.#traces.get(traceId);
    if (known === undefined) return [];
    const detail = [...known.reasons].sort().join(', ');
    return [{ kind: 'span_rejected', count: known.count, detail }];
  }
}
