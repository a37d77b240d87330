import { groupUnits } from '../behaviors/group-units.js';
import type { TraceInput, UnitInput } from '../behaviors/trace-input.js';
import type { ConversationHold, ConversationSnapshot } from '../hold/conversation-hold.js';
import type { Release } from '../hold/release.js';
import type { EvaluationReport, ReleaseReason, UnitReport } from '../model/report.js';
import type { AlertDesk } from './live-alerts.js';
import { createResultEvents, type ResultEvent } from './live-events.js';
import type { Forwarder } from './live-forward.js';
import type { GradedUnit, LiveGrader } from './live-grading.js';
import type { JudgingJob, LiveJudging } from './live-judging.js';
import { type Placement, placeResults } from './live-placement.js';
import type { LiveRejections } from './live-rejections.js';
import type { LiveReport } from './live-report.js';
import type { LiveSpan } from './live-spans.js';

export interface WorkParts {
  readonly unitMode: 'trace' | 'conversation' | 'auto';
  readonly grader: LiveGrader;
  readonly conversations: ConversationHold<LiveSpan>;
  readonly rejections: LiveRejections;
  readonly forwarder: Forwarder;
  readonly alerts: AlertDesk;
  readonly report: LiveReport;
  /** Null: rules that need a judge are inconclusive. */
  readonly judging: LiveJudging | null;
  readonly nowMs: () => number;
  /** A fault of the grader, and what it cost. */
  readonly onFault: (cost: string, error: unknown) => void;
  readonly onGraded: (entries: readonly UnitReport[], reason: ReleaseReason) => void;
}

interface UnitAtRelease {
  readonly input: UnitInput;
  readonly generation: number;
  readonly isFinal: boolean;
  readonly sawEverything: boolean;
}

/**
 * What happens to a trace that leaves the hold: it is graded, its results are put on its spans, the spans
 * are forwarded, violations are told, the report is brought up to date. A fault of one grading costs its
 * own results only; the spans go out in any case (otlp.md T9).
 */
export class LiveWork {
  readonly #parts: WorkParts;

  constructor(parts: WorkParts) {
    this.#parts = parts;
  }

  processRelease(release: Release<LiveSpan>): void {
    let results: readonly ResultEvent[] = [];
    try {
      const unit = this.#unitOf(release);
      const placement = placeResults(release.spans, release.evidence, release.generation > 1);
      results = this.#grade(unit, release.reason, placement);
    } catch (error) {
      this.#parts.onFault('a trace was forwarded without results', error);
    }
    this.#parts.forwarder.forward(release.spans, results);
  }

  /** The last generation of a conversation: its spans are gone, so the results go out as log events. */
  processEnded(ended: ConversationSnapshot<LiveSpan>): void {
    try {
      const last = ended.spans.filter((span) => span.traceId === ended.lastTraceId);
      const results = this.#grade(
        {
          input: this.#conversationInput(ended.key, ended.spans, ended.isWhole),
          generation: ended.generation,
          isFinal: true,
          sawEverything: ended.isWhole,
        },
        ended.reason,
        placeResults(last, [], false),
      );
      this.#parts.forwarder.sendLogs(results);
    } catch (error) {
      this.#parts.onFault('the end of a conversation was not graded', error);
    }
  }

  /** Violations of a trace that is still held. */
  processHeld(
    traceId: string,
    spans: readonly LiveSpan[],
    traceGeneration: number,
    isSettled: boolean,
  ): void {
    const { alerts, grader, conversations } = this.#parts;
    try {
      const { id, kind, traces } = this.#group(this.#traceInput(traceId, spans, true));
      if (kind === 'trace') {
        const { unit, violations } = grader.findEarly({ id, kind, traces }, isSettled);
        alerts.raiseEarly(unit, traceGeneration, violations);
        return;
      }
      const { generation, spans: before } = conversations.peek(id);
      const all = [...before.filter((span) => span.traceId !== traceId), ...spans];
      const input = this.#conversationInput(id, all, true);
      const { unit, violations } = grader.findEarly(input, isSettled);
      alerts.raiseEarly(unit, generation + 1, violations);
    } catch (error) {
      this.#parts.onFault('violations of an open trace were not looked for', error);
    }
  }

  #unitOf(release: Release<LiveSpan>): UnitAtRelease {
    const { traceId, isWhole, reason } = release;
    const spans = [...release.evidence, ...release.spans];
    const input = this.#group(this.#traceInput(traceId, spans, isWhole));
    if (input.kind === 'trace') {
      const { generation } = release;
      return { input, generation, isFinal: true, sawEverything: isWhole };
    }
    const { conversations, nowMs } = this.#parts;
    const key = input.id;
    const soFar = conversations.add({ key, traceId, spans, isWhole, reason }, nowMs());
    return {
      input: this.#conversationInput(key, soFar.spans, soFar.isWhole),
      generation: soFar.generation,
      isFinal: false,
      sawEverything: soFar.isWhole,
    };
  }

  #grade(
    { input, generation, isFinal, sawEverything }: UnitAtRelease,
    reason: ReleaseReason,
    placement: Placement,
  ): readonly ResultEvent[] {
    const { grader, judging } = this.#parts;
    const number = judging?.numberOf(input.id, generation) ?? generation;
    const questions = judging?.startQuestions(input.id) ?? null;
    const release = { reason, generation: number };
    const graded = grader.grade(input, release, questions?.judge ?? null);
    const job = { input, reason, generation, sawEverything, placement };
    if (isFinal && questions !== null && questions.count() > 0) judging?.offer(job, graded.entries);
    return this.#conclude(graded, { ...job, generation: number }, isFinal);
  }

  /** The judged generation of a unit: its spans are gone, so the results go out as log events. */
  processJudged(job: JudgingJob, graded: GradedUnit): void {
    this.#parts.forwarder.sendLogs(this.#conclude(graded, job, true));
  }

  #conclude(
    { unit, ...graded }: GradedUnit,
    { generation, sawEverything, reason, placement }: JudgingJob,
    isFinal: boolean,
  ): readonly ResultEvent[] {
    const { alerts, grader, report, onGraded } = this.#parts;
    const { entries } = graded;
    const isCountAboveMax = (entry: UnitReport, one: EvaluationReport): boolean =>
      grader.isCountAboveMax(entry, one.rule, one.via, one.witness.length);
    alerts.conclude(unit, generation, entries, sawEverything, isCountAboveMax);
    report.record(unit.id, graded, sawEverything);
    onGraded(entries, reason);
    return entries.flatMap((entry) => createResultEvents(entry, unit, placement, isFinal));
  }

  #group(trace: TraceInput): UnitInput {
    const { unitMode, report } = this.#parts;
    const alone: UnitInput = { id: trace.traceId, kind: 'trace', traces: [trace] };
    const [unit = alone] = groupUnits([trace], unitMode === 'trace' ? 'auto' : unitMode).units;
    if (unitMode !== 'trace') return unit;
    if (unit.kind === 'conversation') report.noteConversation(unit.id, trace.traceId);
    return alone;
  }

  #conversationInput(key: string, spans: readonly LiveSpan[], isWhole: boolean): UnitInput {
    const byTrace = new Map<string, LiveSpan[]>();
    for (const span of spans) {
      const trace = byTrace.get(span.traceId);
      if (trace === undefined) byTrace.set(span.traceId, [span]);
      else trace.push(span);
    }
    const traces = [...byTrace].map(([traceId, own]) => this.#traceInput(traceId, own, isWhole));
    return { id: key, kind: 'conversation', traces };
  }

  #traceInput(traceId: string, spans: readonly LiveSpan[], isWhole: boolean): TraceInput {
    const losses = this.#parts.rejections.lossesOf(traceId);
    const detail = 'earlier spans were forwarded and are no longer held';
    const cut = isWhole ? [] : [{ kind: 'limit_reached', count: 1, detail } as const];
    return { traceId, spans: spans.map(({ span }) => span), losses: [...losses, ...cut] };
  }
}
