import { Evidence } from './evidence.js';
import type { RememberedTrace } from './held-trace.js';
import type { HoldSpan } from './release.js';

interface Entry<S extends HoldSpan> {
  readonly trace: RememberedTrace<S>;
  readonly releasedAtMs: number;
}

/**
 * Released traces, oldest release first. A trace is forgotten in two steps: first its spans (by age or
 * when bytes are needed), later the fact that it was released at all (by number of traces).
 */
export class TraceMemory<S extends HoldSpan> {
  /** Traces whose spans are remembered. */
  readonly #whole = new Map<string, Entry<S>>();
  /** Traces of which only the generation is known. */
  readonly #bare = new Map<string, Entry<S>>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#whole.size + this.#bare.size;
  }

  put(traceId: string, trace: RememberedTrace<S>, nowMs: number, maxRemembered: number): void {
    if (trace.evidence.size > 0) {
      this.#whole.set(traceId, { trace, releasedAtMs: nowMs });
      this.#bytes += trace.evidence.bytes;
    } else {
      this.#bare.set(traceId, { trace, releasedAtMs: nowMs });
    }
    while (this.size > maxRemembered) this.#forgetOldest();
  }

  peek(traceId: string): RememberedTrace<S> | undefined {
    return (this.#whole.get(traceId) ?? this.#bare.get(traceId))?.trace;
  }

  /** Hands a trace over to the hold again. */
  take(traceId: string): RememberedTrace<S> | undefined {
    const whole = this.#whole.get(traceId);
    if (whole !== undefined) {
      this.#whole.delete(traceId);
      this.#bytes -= whole.trace.evidence.bytes;
      return whole.trace;
    }
    const bare = this.#bare.get(traceId);
    this.#bare.delete(traceId);
    return bare?.trace;
  }

  /** Forgets the spans of every trace released at `beforeMs` or earlier. */
  forgetSpansBefore(beforeMs: number): void {
    for (const [traceId, entry] of this.#whole) {
      if (entry.releasedAtMs > beforeMs) return;
      this.#forgetSpans(traceId, entry);
    }
  }

  /** Forgets spans, oldest release first, until at most `maxBytes` remain. */
  shrinkTo(maxBytes: number): void {
    for (const [traceId, entry] of this.#whole) {
      if (this.#bytes <= maxBytes) return;
      this.#forgetSpans(traceId, entry);
    }
  }

  /** When the oldest remembered spans are due to be forgotten; `null` when there are none. */
  oldestReleaseMs(): number | null {
    for (const entry of this.#whole.values()) return entry.releasedAtMs;
    return null;
  }

  #forgetSpans(traceId: string, entry: Entry<S>): void {
    this.#whole.delete(traceId);
    this.#bytes -= entry.trace.evidence.bytes;
    const { generation } = entry.trace;
    const trace = { generation, evidence: new Evidence<S>(), isWhole: false };
    this.#bare.set(traceId, { trace, releasedAtMs: entry.releasedAtMs });
  }

  #forgetOldest(): void {
    for (const traceId of this.#bare.keys()) {
      this.#bare.delete(traceId);
      return;
    }
    for (const [traceId, entry] of this.#whole) {
      this.#whole.delete(traceId);
      this.#bytes -= entry.trace.evidence.bytes;
      return;
    }
  }
}
