import { setImmediate } from 'node:timers/promises';
import type { ConversationHold, ConversationSnapshot } from '../hold/conversation-hold.js';
import type { Release } from '../hold/release.js';
import type { TraceHold } from '../hold/trace-hold.js';
import type { Scheduler } from '../util/scheduler.js';
import type { Ledger } from './ledger.js';
import type { LiveSpan } from './live-spans.js';
import type { LiveWork } from './live-work.js';

export interface TracesParts {
  readonly hold: TraceHold<LiveSpan>;
  readonly conversations: ConversationHold<LiveSpan>;
  readonly ledger: Ledger;
  readonly work: LiveWork;
  readonly scheduler: Scheduler;
  /** Look for violations while traces are held. */
  readonly looksEarly: boolean;
}

/** Work never keeps the event loop longer than this at a stretch. */
const longestStretchMs = 20;
/** A trace that is looked at early takes at most this share of the time. */
const earlyShare = 0.1;

type Job =
  | { readonly kind: 'release'; readonly release: Release<LiveSpan> }
  | { readonly kind: 'ended'; readonly ended: ConversationSnapshot<LiveSpan> };

/**
 * Drives the holds by the clock: spans go in, whatever is due comes out and is worked off one by one, with
 * room for other work in between. Spans of a release count as held until they are forwarded.
 */
export class LiveTraces {
  readonly #parts: TracesParts;
  readonly #jobs: Job[] = [];
  #working: Promise<void> | null = null;
  /** Traces with new spans that were not looked at yet, and when each may be. */
  readonly #changed = new Set<string>();
  readonly #lookAgainMs = new Map<string, number>();
  #timer: { readonly atMs: number; readonly cancel: () => void } | null = null;

  constructor(parts: TracesParts) {
    this.#parts = parts;
  }

  add(spans: readonly LiveSpan[]): void {
    const { hold, ledger, looksEarly, scheduler } = this.#parts;
    const nowMs = scheduler.nowMs();
    for (const span of spans) {
      const admission = hold.add(span, nowMs);
      if (admission.kind === 'held') ledger.hold();
      else if (admission.discarded === span) ledger.discardOnArrival('duplicate');
      else {
        ledger.hold();
        ledger.discardHeld('duplicate');
      }
      if (looksEarly && admission.kind === 'held') this.#changed.add(span.traceId);
    }
    this.#collect();
  }

  /** Releases everything and resolves when it is worked off. */
  async drain(): Promise<void> {
    const { conversations, hold, scheduler } = this.#parts;
    this.#changed.clear();
    this.#take(hold.takeReleases(scheduler.nowMs()));
    this.#take(hold.drain(scheduler.nowMs()));
    await this.whenIdle();
    for (const ended of conversations.drain(scheduler.nowMs())) {
      this.#jobs.push({ kind: 'ended', ended });
    }
    this.#start();
    await this.whenIdle();
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Resolves when nothing that is due waits. */
  async whenIdle(): Promise<void> {
    while (this.#working !== null) await this.#working;
  }

  /** Takes what is due and sets the timer for what comes next. */
  #collect(): void {
    const { conversations, hold, scheduler } = this.#parts;
    const nowMs = scheduler.nowMs();
    this.#take(hold.takeReleases(nowMs));
    for (const ended of conversations.takeEnded(nowMs)) this.#jobs.push({ kind: 'ended', ended });
    this.#start();
    this.#setTimer();
  }

  #take(releases: readonly Release<LiveSpan>[]): void {
    for (const release of releases) {
      this.#changed.delete(release.traceId);
      this.#lookAgainMs.delete(release.traceId);
      this.#jobs.push({ kind: 'release', release });
    }
    this.#start();
  }

  #start(): void {
    if (this.#jobs.length === 0 && this.#changed.size === 0) return;
    this.#working ??= this.#workOff();
  }

  async #workOff(): Promise<void> {
    const { scheduler, work } = this.#parts;
    // The request that brought the spans is answered first.
    await setImmediate();
    let sinceMs = scheduler.nowMs();
    for (;;) {
      const job = this.#jobs.shift();
      if (job?.kind === 'release') work.processRelease(job.release);
      else if (job?.kind === 'ended') work.processEnded(job.ended);
      else if (!this.#lookAtNext()) break;
      if (scheduler.nowMs() - sinceMs < longestStretchMs) continue;
      await setImmediate();
      sinceMs = scheduler.nowMs();
    }
    this.#working = null;
    this.#setTimer();
  }

  /** Looks at one changed trace that may be looked at now; false when there is none. */
  #lookAtNext(): boolean {
    const { hold, scheduler, work } = this.#parts;
    const nowMs = scheduler.nowMs();
    for (const traceId of this.#changed) {
      if ((this.#lookAgainMs.get(traceId) ?? 0) > nowMs) continue;
      this.#changed.delete(traceId);
      const held = hold.peek(traceId);
      if (held === null) continue;
      work.processHeld(traceId, held.spans, held.generation, held.isSettled);
      const spentMs = scheduler.nowMs() - nowMs;
      this.#lookAgainMs.set(traceId, nowMs + spentMs / earlyShare);
      return true;
    }
    return false;
  }

  #setTimer(): void {
    const { conversations, hold, scheduler } = this.#parts;
    const times = [hold.nextDeadlineMs(), conversations.nextDeadlineMs(), this.#nextLookMs()];
    const atMs = times.reduce<number>((a, b) => Math.min(a, b ?? a), Number.POSITIVE_INFINITY);
    // A timer that fires too early costs one look; setting one for every request would cost more.
    if (this.#timer !== null && this.#timer.atMs <= atMs) return;
    this.#timer?.cancel();
    this.#timer = null;
    if (atMs === Number.POSITIVE_INFINITY) return;
    const cancel = scheduler.after(Math.max(0, atMs - scheduler.nowMs()), () => {
      this.#timer = null;
      this.#collect();
    });
    this.#timer = { atMs, cancel };
  }

  #nextLookMs(): number | null {
    if (this.#working !== null) return null;
    const times = [...this.#changed].map((traceId) => this.#lookAgainMs.get(traceId) ?? 0);
    return times.length === 0 ? null : Math.min(...times);
  }
}
