import type { HoldLimits } from '../../src/hold/release.js';
import type { TestSpan } from './spans.js';

/**
 * The hold written a second time, as slowly and plainly as possible: one flat list of events, everything
 * recomputed from it whenever something is asked. Knows nothing of how the real one is built.
 */
interface ModelTrace {
  generation: number;
  firstAtMs: number;
  lastAtMs: number;
  spans: TestSpan[];
  earlier: TestSpan[];
}

export interface ModelRelease {
  readonly traceId: string;
  readonly generation: number;
  readonly reason: string;
  readonly spans: readonly string[];
}

const sum = (spans: readonly TestSpan[]): number => spans.reduce((n, s) => n + s.bytes.length, 0);
const isLater = (a: TestSpan, b: TestSpan): boolean => {
  if (a.endUnixNano !== b.endUnixNano) return a.endUnixNano > b.endUnixNano;
  if (a.bytes.length !== b.bytes.length) return a.bytes.length > b.bytes.length;
  return Buffer.compare(a.bytes, b.bytes) > 0;
};

export function createReferenceHold(limits: HoldLimits) {
  const held = new Map<string, ModelTrace>();
  const released = new Map<string, { generation: number; spans: TestSpan[]; atMs: number }>();
  let ready: ModelRelease[] = [];
  let now = 0;

  const release = (traceId: string, reason: string): void => {
    const trace = held.get(traceId);
    if (trace === undefined) return;
    held.delete(traceId);
    const { generation, spans } = trace;
    ready.push({ traceId, generation, reason, spans: spans.map((s) => s.note) });
    released.set(traceId, { generation, spans: [...trace.earlier, ...spans], atMs: now });
  };

  const isSettled = (trace: ModelTrace): boolean => {
    const all = [...trace.earlier, ...trace.spans];
    const latest = all.filter((s) => !all.some((t) => t.spanId === s.spanId && isLater(t, s)));
    const ended = new Set(latest.filter((s) => s.endUnixNano !== 0n).map((s) => s.spanId));
    const hasRoot = latest.some((s) => s.parentSpanId === null && s.endUnixNano !== 0n);
    return (
      hasRoot &&
      latest.every((s) => ended.has(s.spanId)) &&
      latest.every((s) => s.parentSpanId === null || ended.has(s.parentSpanId))
    );
  };

  const rememberedBytes = (): number =>
    sum([...released.values()].flatMap((r) => r.spans)) +
    sum([...held.values()].flatMap((t) => t.earlier));
  const heldBytes = (): number => sum([...held.values()].flatMap((t) => t.spans));

  const forget = (isEnough: () => boolean): void => {
    for (const memory of [...released.values()].sort((a, b) => a.atMs - b.atMs)) {
      if (isEnough()) return;
      memory.spans = [];
    }
  };

  return {
    add(span: TestSpan, atMs: number): TestSpan | null {
      now = atMs;
      const isSame = (s: TestSpan): boolean =>
        s.spanId === span.spanId && Buffer.compare(s.bytes, span.bytes) === 0;
      const isOver = (all: readonly TestSpan[]): string | null => {
        if (all.length >= limits.maxTraceSpans) return 'span_limit';
        if (all.length === 0) return null;
        return sum(all) + span.bytes.length > limits.maxTraceBytes ? 'byte_limit' : null;
      };
      const open = held.get(span.traceId);
      if (open === undefined && released.get(span.traceId)?.spans.some(isSame)) return span;
      if (open !== undefined) {
        const all = [...open.earlier, ...open.spans];
        if (all.some(isSame)) return span;
        const reason = isOver(all);
        if (reason !== null) release(span.traceId, reason);
      }
      let trace = held.get(span.traceId);
      if (trace === undefined) {
        const memory = released.get(span.traceId);
        const earlier = memory === undefined || isOver(memory.spans) !== null ? [] : memory.spans;
        const generation = (memory?.generation ?? 0) + 1;
        trace = { generation, firstAtMs: atMs, lastAtMs: atMs, spans: [], earlier };
        released.delete(span.traceId);
        held.set(span.traceId, trace);
      }
      trace.lastAtMs = atMs;
      const versions = [...trace.earlier, ...trace.spans].filter((s) => s.spanId === span.spanId);
      if (versions.some((s) => isLater(s, span))) {
        trace.earlier = [...trace.earlier, span];
        return span;
      }
      const loser = trace.spans.find((s) => s.spanId === span.spanId) ?? null;
      trace.spans = [...trace.spans.filter((s) => s !== loser), span];
      if (loser !== null) trace.earlier = [...trace.earlier, loser];
      return loser;
    },

    takeReleases(atMs: number): readonly ModelRelease[] {
      now = atMs;
      const settledWait = Math.min(limits.decisionWaitAfterRootMs, limits.decisionWaitMs);
      const releaseDue = (
        reason: string,
        start: 'lastAtMs' | 'firstAtMs',
        wait: number,
        applies: (trace: ModelTrace) => boolean,
      ): void => {
        const due = [...held]
          .filter(([, trace]) => applies(trace) && trace[start] + wait <= atMs)
          .sort(([, a], [, b]) => a[start] - b[start]);
        for (const [traceId] of due) release(traceId, reason);
      };
      releaseDue('root_ended', 'lastAtMs', settledWait, isSettled);
      releaseDue('quiet', 'lastAtMs', limits.decisionWaitMs, (trace) => !isSettled(trace));
      releaseDue('max_duration', 'firstAtMs', limits.maxTraceDurationMs, () => true);
      for (const memory of released.values()) {
        if (memory.atMs + limits.rememberMs <= atMs) memory.spans = [];
      }
      const inUse = (): number => heldBytes() + rememberedBytes();
      if (inUse() > limits.maxBytes) {
        const target = (limits.maxBytes * 7) / 8;
        forget(() => inUse() <= target);
        const size = (t: ModelTrace): number => sum([...t.spans, ...t.earlier]);
        for (const [traceId] of [...held].sort(([, a], [, b]) => size(b) - size(a))) {
          if (inUse() <= target) break;
          release(traceId, 'evicted');
          forget(() => false);
        }
      }
      return this.takeReady();
    },

    drain(atMs: number): readonly ModelRelease[] {
      now = atMs;
      for (const traceId of [...held.keys()]) release(traceId, 'drained');
      return this.takeReady();
    },

    takeReady(): readonly ModelRelease[] {
      const answer = ready;
      ready = [];
      return answer;
    },

    heldSpans: (): number => [...held.values()].reduce((n, t) => n + t.spans.length, 0),
    bytesInUse: (): number => heldBytes() + rememberedBytes(),
  };
}
