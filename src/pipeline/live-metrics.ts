import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Attributes } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { ReleaseReason, UnitReport } from '../model/report.js';
import type { RequestRejection } from '../receivers/receiver.js';
import { readVersion } from '../util/version.js';
import type { LedgerCounts } from './ledger.js';
import { ownScope } from './live-intake.js';

/** Things that are read when someone asks for the metrics. */
export interface MetricSources {
  ledger(): LedgerCounts;
  holdUsage(): { spans: number; traces: number; bytes: number; rememberedBytes: number };
  queues(): readonly {
    readonly name: string;
    readonly queuedBytes: number;
    readonly isFailing: boolean;
  }[];
  inFlightBytes(): number;
}

export interface LiveMetrics {
  countRequest(refusal: RequestRejection | null): void;
  countGraded(entries: readonly UnitReport[], reason: ReleaseReason): void;
  countAlert(sink: string, outcome: 'delivered' | 'failed'): void;
  countFault(): void;
  serve(request: IncomingMessage, response: ServerResponse): void;
  stop(): Promise<void>;
}

/**
 * Counts what the live pipeline does, through the OpenTelemetry metrics SDK. Every attribute comes from a
 * closed list or from the configuration: no text of a trace becomes a label (otlp.md S19).
 */
export function createLiveMetrics(sources: MetricSources): LiveMetrics {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ readers: [exporter] });
  const meter = provider.getMeter(ownScope, readVersion());

  const requests = meter.createCounter('retrial_requests', {
    description: 'Export requests, by outcome: accepted, or why they were refused.',
  });
  const units = meter.createCounter('retrial_units_graded', {
    description: 'Gradings of units, by verdict and release reason.',
  });
  const evaluations = meter.createCounter('retrial_evaluations', {
    description: 'Evaluations that are not nested, by verdict.',
  });
  const alerts = meter.createCounter('retrial_alerts', {
    description: 'Alert messages, by sink and outcome.',
  });
  const faults = meter.createCounter('retrial_grader_faults', {
    description: 'Units that were forwarded without results because grading broke.',
  });

  const observe = (
    name: string,
    kind: 'counter' | 'gauge',
    description: string,
    read: () => readonly (readonly [number, Attributes])[],
  ): void => {
    const options = { description };
    const instrument =
      kind === 'counter'
        ? meter.createObservableCounter(name, options)
        : meter.createObservableGauge(name, options);
    instrument.addCallback((result) => {
      for (const [value, attributes] of read()) result.observe(value, attributes);
    });
  };
  const byReason = (counts: Readonly<Record<string, number>>, more: Attributes = {}) =>
    Object.entries(counts).map(([reason, count]) => [count, { ...more, reason }] as const);
  const byDestination = (pick: 'queued' | 'forwarded') =>
    Object.entries(sources.ledger().destinations).map(
      ([destination, counts]) => [counts[pick], { destination }] as const,
    );

  observe('retrial_spans_received', 'counter', 'Spans that arrived.', () => [
    [sources.ledger().received, {}],
  ]);
  observe('retrial_spans_rejected', 'counter', 'Spans refused at the door, by reason.', () =>
    byReason(sources.ledger().rejected),
  );
  observe('retrial_spans_discarded', 'counter', 'Accepted spans not forwarded, by reason.', () => [
    ...byReason(sources.ledger().discarded),
    ...Object.entries(sources.ledger().destinations).flatMap(([destination, { discarded }]) =>
      byReason(discarded, { destination }),
    ),
  ]);
  observe('retrial_spans_forwarded', 'counter', 'Spans a destination has taken.', () =>
    byDestination('forwarded'),
  );
  observe('retrial_spans_queued', 'gauge', 'Spans that wait for a destination.', () =>
    byDestination('queued'),
  );
  observe('retrial_spans_held', 'gauge', 'Spans that wait for their trace.', () => [
    [sources.ledger().held, {}],
  ]);
  observe('retrial_hold_traces', 'gauge', 'Traces that are held.', () => [
    [sources.holdUsage().traces, {}],
  ]);
  observe('retrial_hold_bytes', 'gauge', 'Bytes of spans, held and remembered.', () => [
    [sources.holdUsage().bytes, { state: 'held' }],
    [sources.holdUsage().rememberedBytes, { state: 'remembered' }],
  ]);
  observe('retrial_request_bytes_in_flight', 'gauge', 'Bytes of requests being read.', () => [
    [sources.inFlightBytes(), {}],
  ]);
  observe('retrial_queue_bytes', 'gauge', 'Bytes that wait for a destination.', () =>
    sources.queues().map(({ name, queuedBytes }) => [queuedBytes, { destination: name }] as const),
  );
  observe(
    'retrial_destination_failing',
    'gauge',
    '1 while a destination does not take spans.',
    () =>
      sources
        .queues()
        .map(({ name, isFailing }) => [Number(isFailing), { destination: name }] as const),
  );

  return {
    countRequest: (refusal) => requests.add(1, { outcome: refusal ?? 'accepted' }),
    countGraded(entries, release_reason) {
      for (const { verdict, evaluations: rules } of entries) {
        units.add(1, { verdict, release_reason });
        for (const rule of rules) {
          if (rule.nested !== true) evaluations.add(1, { verdict: rule.verdict });
        }
      }
    },
    countAlert: (sink, outcome) => alerts.add(1, { sink, outcome }),
    countFault: () => faults.add(1),
    serve: (request, response) => exporter.getMetricsRequestHandler(request, response),
    stop: () => provider.shutdown(),
  };
}
