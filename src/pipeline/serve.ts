import { sinkKinds } from '../alerts/index.js';
import type { AlertSink } from '../alerts/sink.js';
import type { Destination } from '../exporters/destination.js';
import { exporters } from '../exporters/index.js';
import { ConversationHold } from '../hold/conversation-hold.js';
import { TraceHold } from '../hold/trace-hold.js';
import type { Report } from '../model/report.js';
import { startAdmin } from '../receivers/admin-http.js';
import { createBearerAuth } from '../receivers/bearer-auth.js';
import { createCorsPolicy } from '../receivers/cors.js';
import { receivers } from '../receivers/index.js';
import type { RunningServer } from '../receivers/receiver.js';
import { jsonReport } from '../reports/json.js';
import { paintNothing } from '../util/terminal.js';
import { Admission } from './admission.js';
import { Ledger, type LedgerCounts } from './ledger.js';
import { AlertDesk } from './live-alerts.js';
import { Forwarder } from './live-forward.js';
import { createIntake } from './live-intake.js';
import { LiveJudging } from './live-judging.js';
import { createLiveMetrics, type LiveMetrics } from './live-metrics.js';
import { LiveRejections } from './live-rejections.js';
import { LiveReport } from './live-report.js';
import type { LiveSpan } from './live-spans.js';
import { LiveTraces } from './live-traces.js';
import { LiveWork } from './live-work.js';
import type { ServeIo, ServeOptions } from './serve-options.js';

/** Released traces that are remembered at all, for late spans. */
const maxRemembered = 50_000;
/** Alerts outlive the traces they are about. */
const maxAlerts = 50_000;
const maxReportedUnits = 10_000;
/** Requests that are read at one time, in units of the largest one. */
const requestsInFlight = 4;

/** A server that takes traces, grades them and forwards them. */
export interface RunningServe {
  /** Where to send traces: `http://127.0.0.1:4318`. */
  readonly url: string;
  readonly adminUrl: string;
  counts(): LedgerCounts;
  /** The report so far. */
  report(): Report;
  /** Resolves when nothing that is due waits and every queue is empty. */
  whenIdle(): Promise<void>;
  /** Drains once: stops intake, grades what is held, sends what waits. Asked again, it waits too. */
  stop(): Promise<Report>;
  /** Resolves with the final report once `stop` was asked for, by whomever. */
  readonly stopped: Promise<Report>;
}

/** Starts `retrial serve`. Rejects, with nothing left open, when an address cannot be taken. */
export async function startServe(options: ServeOptions, io: ServeIo): Promise<RunningServe> {
  const parts = assemble(options, io);
  const receiver = await startReceiver(options, parts);
  let finish: (report: Report) => void = () => undefined;
  const stopped = new Promise<Report>((resolve) => {
    finish = resolve;
  });
  let stopping: Promise<Report> | null = null;
  const reportNow = (): Report => parts.report.toReport(countSpans(parts.ledger.counts()));
  const drain = async (): Promise<Report> => {
    await drainParts(parts, receiver, options.drainGraceMs);
    const cost = options.judging?.describeCost() ?? null;
    if (cost !== null) io.log('info', cost);
    const report = reportNow();
    finish(report);
    return report;
  };
  const stop = (): Promise<Report> => {
    stopping ??= drain();
    return stopping;
  };
  let admin: RunningServer;
  try {
    admin = await startAdmin(options.admin, {
      reasonsNotReady: () => parts.admission.reasonsNotReady(),
      metrics: (request, response) => parts.metrics.serve(request, response),
      report: () => toJson(reportNow()),
      stop: async () => toJson(await stop()),
    });
  } catch (error) {
    await receiver.stop(0);
    await parts.metrics.stop();
    throw error;
  }
  return {
    url: receiver.url,
    adminUrl: admin.url,
    counts: () => parts.ledger.counts(),
    report: reportNow,
    async whenIdle() {
      await parts.traces.whenIdle();
      await parts.judging?.whenIdle();
      await Promise.all(parts.destinations.map((one) => one.whenEmpty()));
      await Promise.all(parts.sinks.map((one) => one.whenIdle()));
    },
    async stop() {
      const report = await stop();
      // Whoever asked over the admin address gets the answer before it closes.
      await admin.stop(options.drainGraceMs);
      await parts.metrics.stop();
      return report;
    },
    stopped,
  };
}

interface Parts {
  readonly admission: Admission;
  readonly destinations: readonly Destination[];
  readonly judging: LiveJudging | null;
  readonly ledger: Ledger;
  readonly metrics: LiveMetrics;
  readonly rejections: LiveRejections;
  readonly report: LiveReport;
  readonly sinks: readonly AlertSink[];
  readonly traces: LiveTraces;
}

function assemble(options: ServeOptions, io: ServeIo): Parts {
  const { http, hold: limits, unit, emit, grader } = options;
  const { scheduler } = io;
  const forwarding = options.destinations.filter(({ signals }) => signals.has('traces'));
  const ledger = new Ledger(forwarding.map(({ name }) => name));
  const destinations = options.destinations.map((destination) =>
    exporters.otlp_http(destination, {
      ...io,
      events: {
        forwarded: (name, spans) => ledger.forwarded(name, spans),
        discarded: (name, reason, spans) => ledger.discardQueued(name, reason, spans),
        log: io.log,
      },
    }),
  );
  const sinks = options.alerts.sinks.map((sink) =>
    sinkKinds.webhook(sink, {
      ...io,
      events: {
        delivered: (name) => metrics.countAlert(name, 'delivered'),
        failed(name, message) {
          metrics.countAlert(name, 'failed');
          io.log('warning', `alert sink ${name}: ${message}`);
        },
      },
    }),
  );
  // A conversation remembers the spans of its traces a second time, so each gets half of the room.
  const share = unit === 'trace' ? limits.maxBytes : limits.maxBytes / 2;
  const hold = new TraceHold<LiveSpan>({
    ...limits,
    maxBytes: share,
    rememberMs: limits.conversationWaitMs,
    maxRemembered,
  });
  const { conversationWaitMs } = limits;
  const conversations = new ConversationHold<LiveSpan>({
    conversationWaitMs,
    maxBytes: share,
    maxRemembered,
  });
  const admission = new Admission(
    {
      maxInFlightBytes: requestsInFlight * http.maxRequestBodyBytes,
      unknownLengthBytes: http.maxRequestBodyBytes,
    },
    () => destinations.map(({ fill }) => fill),
  );
  const metrics = createLiveMetrics({
    ledger: () => ledger.counts(),
    holdUsage: () => hold.usage,
    queues: () => destinations,
    inFlightBytes: () => admission.inFlightBytes,
  });
  const alerts = new AlertDesk(options.alerts.rules, sinks, maxAlerts);
  const report = new LiveReport(unit, options.diagnostics, maxReportedUnits);
  const rejections = new LiveRejections();
  const onFault = (cost: string, error: unknown): void => {
    metrics.countFault();
    const detail = error instanceof Error ? error.message : String(error);
    io.log('error', `${cost}: ${detail}`);
  };
  const judging =
    options.judging === null
      ? null
      : new LiveJudging(options.judging, grader, {
          scheduler,
          publish: (job, graded) => work.processJudged(job, graded),
          onFault: (error) => onFault('the judged rules of a trace have no result', error),
        });
  const work = new LiveWork({
    unitMode: unit,
    grader,
    conversations,
    rejections,
    forwarder: new Forwarder(destinations, ledger, emit),
    alerts,
    report,
    judging,
    nowMs: () => scheduler.nowMs(),
    onFault,
    onGraded: (entries, reason) => metrics.countGraded(entries, reason),
  });
  const looksEarly = alerts.isListening && grader.canBeViolatedEarly;
  const traces = new LiveTraces({ hold, conversations, ledger, work, scheduler, looksEarly });
  return { admission, destinations, judging, ledger, metrics, rejections, report, sinks, traces };
}

function startReceiver({ http }: ServeOptions, parts: Parts): Promise<RunningServer> {
  const { admission, ledger, metrics, rejections, traces } = parts;
  const intake = createIntake({
    admission,
    ledger,
    rejections,
    hold: (spans) => traces.add(spans),
    countRequest: (refusal) => metrics.countRequest(refusal),
  });
  const { host, port, maxRequestBodyBytes } = http;
  const cors = createCorsPolicy(http.allowedOrigins);
  const auth = http.tokens === null ? null : createBearerAuth(http.tokens);
  return receivers.http({ host, port, maxRequestBodyBytes, cors, auth }, intake);
}

/**
 * The order of otlp.md §1.8: not ready and no new request; requests under way are answered; what is held is
 * graded; queues and alerts are sent. Each stage has time of its own.
 */
async function drainParts(parts: Parts, receiver: RunningServer, graceMs: number): Promise<void> {
  parts.admission.close();
  await receiver.stop(graceMs);
  await parts.traces.drain();
  await parts.judging?.stop(graceMs);
  await Promise.all([
    ...parts.destinations.map((destination) => destination.stop(graceMs)),
    ...parts.sinks.map((sink) => sink.stop(graceMs)),
  ]);
}

function countSpans({ received, rejected, discarded }: LedgerCounts): Report['totals']['spans'] {
  const refused = Object.values(rejected).reduce((sum, count) => sum + count, 0);
  const { duplicate = 0, own_telemetry = 0 } = discarded;
  return { read: received - refused - duplicate - own_telemetry, rejected: refused };
}

function toJson(report: Report): string {
  return [...jsonReport.render(report, { paint: paintNothing, detail: 'all' })].join('');
}
