import type { ReleaseReason } from '../model/report.js';
import { HeldTrace } from './held-trace.js';
import type { Admission, HoldLimits, HoldSpan, Release } from './release.js';
import { TraceMemory } from './trace-memory.js';

/** After an eviction this share of the byte limit is in use at most, so that evictions stay rare. */
const evictionTarget = 7 / 8;

/**
 * Holds spans until their trace is over (design.md §9). Time is an argument: milliseconds of a clock that
 * never goes back. No I/O, no timers; whoever owns it asks `nextDeadlineMs` when to come again.
 *
 *              span                    root and parents ended
 *   (unknown) ──────► waiting ◄────────────────────────────────► settled
 *       ▲                │ quiet · max_duration · span_limit         │ root_ended (and the others)
 *       │                │ byte_limit · evicted · drained            │
 *       │                └──────────────► released ◄─────────────────┘
 *       │  forgotten                         │  late span: waiting or settled, generation + 1
 *       └────────────────────────────────────┘
 *
 * Always true: every span given to `add` is in exactly one place: set aside (the answer of `add` says so),
 * held, or in one release. Held and remembered bytes stay within `maxBytes` whenever `takeReleases` returns,
 * apart from a single span that is larger than that.
 */
export class TraceHold<S extends HoldSpan> {
  readonly #limits: HoldLimits;
  /** All held traces, oldest first span first. */
  readonly #traces = new Map<string, HeldTrace<S>>();
  /** The same traces, least recent activity first, each in one of the two. */
  readonly #waiting = new Map<string, HeldTrace<S>>();
  readonly #settled = new Map<string, HeldTrace<S>>();
  readonly #memory = new TraceMemory<S>();
  #ready: Release<S>[] = [];
  #spans = 0;
  #bytes = 0;
  /** Bytes of the evidence of held traces, which is not forwarded (again). */
  #evidenceBytes = 0;

  constructor(limits: HoldLimits) {
    this.#limits = limits;
  }

  /** Spans, traces and bytes that wait; `rememberedBytes` are evidence only. */
  get usage(): { spans: number; traces: number; bytes: number; rememberedBytes: number } {
    return {
      spans: this.#spans,
      traces: this.#traces.size,
      bytes: this.#bytes,
      rememberedBytes: this.#rememberedBytes(),
    };
  }

  /** Takes one span. A limit that it breaks releases what was held before it (see `takeReleases`). */
  add(span: S, nowMs: number): Admission<S> {
    if (this.#memory.peek(span.traceId)?.evidence.has(span)) {
      return { kind: 'duplicate', discarded: span, isConflict: false };
    }
    const trace = this.#traceFor(span, nowMs);
    const admission = this.#counted(trace, () => trace.add(span));
    if (admission.kind === 'held' || admission.isConflict) this.#touch(trace, nowMs);
    return admission;
  }

  /** What is known of a held trace so far, for verdicts that cannot wait; `null` when it is not held. */
  peek(traceId: string): {
    readonly generation: number;
    readonly spans: readonly S[];
    /** Every parent that a span named has ended. */
    readonly isSettled: boolean;
  } | null {
    const trace = this.#traces.get(traceId);
    if (trace === undefined) return null;
    return {
      generation: trace.generation,
      isSettled: trace.isSettled,
      spans: [...trace.evidence.spans(), ...trace.spans.values()],
    };
  }

  /** Everything whose time has come at `nowMs`, limits and eviction included. */
  takeReleases(nowMs: number): readonly Release<S>[] {
    const { decisionWaitMs, maxTraceDurationMs, rememberMs } = this.#limits;
    for (const trace of this.#settled.values()) {
      if (trace.lastAtMs + this.#settledWaitMs > nowMs) break;
      this.#release(trace, 'root_ended', nowMs);
    }
    for (const trace of this.#waiting.values()) {
      if (trace.lastAtMs + decisionWaitMs > nowMs) break;
      this.#release(trace, 'quiet', nowMs);
    }
    for (const trace of this.#traces.values()) {
      if (trace.firstAtMs + maxTraceDurationMs > nowMs) break;
      this.#release(trace, 'max_duration', nowMs);
    }
    this.#memory.forgetSpansBefore(nowMs - rememberMs);
    this.#evict(nowMs);
    return this.#takeReady();
  }

  /** Releases everything that is held. */
  drain(nowMs: number): readonly Release<S>[] {
    for (const trace of this.#traces.values()) this.#release(trace, 'drained', nowMs);
    return this.#takeReady();
  }

  /** The earliest time at which `takeReleases` has something to do; `null` when nothing waits. */
  nextDeadlineMs(): number | null {
    const { decisionWaitMs, maxTraceDurationMs, rememberMs } = this.#limits;
    const times: number[] = [];
    const settled = first(this.#settled);
    if (settled !== null) times.push(settled.lastAtMs + this.#settledWaitMs);
    const waiting = first(this.#waiting);
    if (waiting !== null) times.push(waiting.lastAtMs + decisionWaitMs);
    const oldest = first(this.#traces);
    if (oldest !== null) times.push(oldest.firstAtMs + maxTraceDurationMs);
    const released = this.#memory.oldestReleaseMs();
    if (released !== null) times.push(released + rememberMs);
    if (this.#ready.length > 0) times.push(0);
    return times.length === 0 ? null : Math.min(...times);
  }

  get #settledWaitMs(): number {
    return Math.min(this.#limits.decisionWaitAfterRootMs, this.#limits.decisionWaitMs);
  }

  /** The trace that takes this span; one that has no room for it is released first. */
  #traceFor(span: S, nowMs: number): HeldTrace<S> {
    const held = this.#traces.get(span.traceId);
    if (held !== undefined) {
      const reason = held.has(span) ? null : this.#brokenLimit(held, span);
      if (reason === null) return held;
      this.#release(held, reason, nowMs);
    }
    const trace = new HeldTrace(span.traceId, nowMs, this.#memory.take(span.traceId));
    if (this.#brokenLimit(trace, span) !== null) trace.forgetEvidence();
    this.#traces.set(span.traceId, trace);
    this.#evidenceBytes += trace.evidence.bytes;
    return trace;
  }

  #brokenLimit(trace: HeldTrace<S>, span: S): 'span_limit' | 'byte_limit' | null {
    if (trace.totalSpans >= this.#limits.maxTraceSpans) return 'span_limit';
    if (trace.totalSpans === 0) return null;
    return trace.totalBytes + span.cost > this.#limits.maxTraceBytes ? 'byte_limit' : null;
  }

  /** Lets `change` alter a trace and keeps the totals right. */
  #counted<T>(trace: HeldTrace<S>, change: () => T): T {
    const { bytes } = trace;
    const evidenceBytes = trace.evidence.bytes;
    const spans = trace.spans.size;
    const answer = change();
    this.#spans += trace.spans.size - spans;
    this.#bytes += trace.bytes - bytes;
    this.#evidenceBytes += trace.evidence.bytes - evidenceBytes;
    return answer;
  }

  #touch(trace: HeldTrace<S>, nowMs: number): void {
    trace.lastAtMs = nowMs;
    this.#waiting.delete(trace.traceId);
    this.#settled.delete(trace.traceId);
    (trace.isSettled ? this.#settled : this.#waiting).set(trace.traceId, trace);
  }

  #release(trace: HeldTrace<S>, reason: ReleaseReason, nowMs: number): void {
    this.#traces.delete(trace.traceId);
    this.#waiting.delete(trace.traceId);
    this.#settled.delete(trace.traceId);
    this.#spans -= trace.spans.size;
    this.#bytes -= trace.bytes;
    this.#evidenceBytes -= trace.evidence.bytes;
    this.#ready.push({
      traceId: trace.traceId,
      generation: trace.generation,
      reason,
      spans: [...trace.spans.values()],
      evidence: trace.evidence.spans(),
      isWhole: trace.isWhole,
      duplicates: trace.duplicates,
      conflictingSpans: trace.conflictingSpans,
    });
    this.#memory.put(trace.traceId, trace.toRemembered(), nowMs, this.#limits.maxRemembered);
  }

  /**
   * Brings the bytes in use below the limit: first what was released before, then the largest traces, so
   * that one giant trace goes early instead of pushing everyone else out (otlp.md T13).
   */
  #evict(nowMs: number): void {
    const { maxBytes } = this.#limits;
    if (this.#bytes + this.#rememberedBytes() <= maxBytes) return;
    const target = maxBytes * evictionTarget;
    this.#memory.shrinkTo(Math.max(0, target - this.#bytes - this.#evidenceBytes));
    if (this.#bytes + this.#rememberedBytes() <= target) return;
    const largestFirst = [...this.#traces.values()].sort((a, b) => b.totalBytes - a.totalBytes);
    for (const trace of largestFirst) {
      if (this.#bytes + this.#rememberedBytes() <= target) return;
      this.#release(trace, 'evicted', nowMs);
      this.#memory.shrinkTo(0);
    }
  }

  #rememberedBytes(): number {
    return this.#memory.bytes + this.#evidenceBytes;
  }

  #takeReady(): readonly Release<S>[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }
}

function first<S extends HoldSpan>(traces: ReadonlyMap<string, HeldTrace<S>>): HeldTrace<S> | null {
  for (const trace of traces.values()) return trace;
  return null;
}
