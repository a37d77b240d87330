import { Evidence, isLaterVersion, isSame } from './evidence.js';
import type { Admission, HoldSpan } from './release.js';

/** What is remembered of a trace after its release. */
export interface RememberedTrace<S extends HoldSpan> {
  readonly generation: number;
  readonly evidence: Evidence<S>;
  /** False when spans of a generation were forgotten. */
  readonly isWhole: boolean;
}

/** One trace that waits for its release. Knows nothing of time or limits beyond its own activity. */
export class HeldTrace<S extends HoldSpan> {
  readonly traceId: string;
  readonly generation: number;
  readonly firstAtMs: number;
  lastAtMs: number;
  bytes = 0;
  duplicates = 0;
  conflictingSpans = 0;
  isWhole: boolean;
  /** Spans of this generation, in order of arrival: to be forwarded. */
  readonly spans = new Map<string, S>();
  /** What decides but is not forwarded (again). */
  evidence: Evidence<S>;
  #structure = new OpenSpans();

  /** `remembered` is handed over: the memory no longer holds it. */
  constructor(traceId: string, nowMs: number, remembered: RememberedTrace<S> | undefined) {
    this.traceId = traceId;
    this.firstAtMs = nowMs;
    this.lastAtMs = nowMs;
    this.generation = (remembered?.generation ?? 0) + 1;
    this.isWhole = remembered?.isWhole ?? true;
    this.evidence = remembered?.evidence ?? new Evidence();
    for (const span of this.evidence.forwarded.values()) this.#structure.add(span);
  }

  /** True when a root has ended and every parent that a span named has ended too (design.md §9). */
  get isSettled(): boolean {
    return this.#structure.isSettled;
  }

  get totalBytes(): number {
    return this.bytes + this.evidence.bytes;
  }

  get totalSpans(): number {
    return this.spans.size + this.evidence.size;
  }

  /** True when this very span, byte for byte, was seen before. */
  has(span: S): boolean {
    const held = this.spans.get(span.spanId);
    return (held !== undefined && isSame(held, span)) || this.evidence.has(span);
  }

  /** Takes a span in, or says which of two spans of one id is set aside. */
  add(span: S): Admission<S> {
    if (this.has(span)) {
      this.duplicates += 1;
      return { kind: 'duplicate', discarded: span, isConflict: false };
    }
    const held = this.spans.get(span.spanId);
    const known = held ?? this.evidence.forwarded.get(span.spanId);
    if (known === undefined) return this.#hold(span);
    this.conflictingSpans += 1;
    if (!isLaterVersion(span, known)) {
      this.evidence.supersede(span);
      return { kind: 'duplicate', discarded: span, isConflict: true };
    }
    this.#structure.remove(known);
    this.#drop(known);
    this.evidence.supersede(known);
    const admission = this.#hold(span);
    // A version that was forwarded already is no longer ours to set aside.
    return held === undefined
      ? admission
      : { kind: 'duplicate', discarded: held, isConflict: true };
  }

  /** Gives up the evidence of earlier generations. */
  forgetEvidence(): void {
    if (this.evidence.size === 0) return;
    this.evidence = new Evidence();
    this.isWhole = false;
    this.#structure = new OpenSpans();
    for (const span of this.spans.values()) this.#structure.add(span);
  }

  /** What to remember once this generation is released. */
  toRemembered(): RememberedTrace<S> {
    for (const span of this.spans.values()) this.evidence.addForwarded(span);
    return { generation: this.generation, evidence: this.evidence, isWhole: this.isWhole };
  }

  #hold(span: S): Admission<S> {
    this.spans.set(span.spanId, span);
    this.bytes += span.cost;
    this.#structure.add(span);
    return { kind: 'held', generation: this.generation };
  }

  #drop(span: S): void {
    if (this.spans.delete(span.spanId)) this.bytes -= span.cost;
    else this.evidence.dropForwarded(span);
  }
}

/**
 * Which spans of a trace are still open: sent unfinished, or named as a parent and not here. Spans can be
 * taken out again, so a version that was replaced leaves no mark, whatever the order of arrival.
 */
class OpenSpans {
  readonly #hasEnded = new Map<string, boolean>();
  /** How many spans name this id as their parent. */
  readonly #children = new Map<string, number>();
  readonly #open = new Set<string>();
  #endedRoots = 0;

  get isSettled(): boolean {
    return this.#endedRoots > 0 && this.#open.size === 0;
  }

  add(span: HoldSpan): void {
    this.#hasEnded.set(span.spanId, span.endUnixNano !== 0n);
    this.#count(span, 1);
  }

  remove(span: HoldSpan): void {
    this.#hasEnded.delete(span.spanId);
    this.#count(span, -1);
  }

  #count(span: HoldSpan, by: 1 | -1): void {
    this.#refresh(span.spanId);
    if (span.parentSpanId === null) {
      if (span.endUnixNano !== 0n) this.#endedRoots += by;
      return;
    }
    this.#children.set(span.parentSpanId, (this.#children.get(span.parentSpanId) ?? 0) + by);
    this.#refresh(span.parentSpanId);
  }

  #refresh(spanId: string): void {
    const hasEnded = this.#hasEnded.get(spanId) ?? (this.#children.get(spanId) ?? 0) === 0;
    if (hasEnded) this.#open.delete(spanId);
    else this.#open.add(spanId);
  }
}
