import type { Destination } from '../exporters/destination.js';
import { assembleTraces, type TracePart } from '../otlp/assemble.js';
import type { SpanEventData } from '../otlp/event-writer.js';
import { writeLogRequest } from '../otlp/log-writer.js';
import type { Ledger } from './ledger.js';
import type { ResultEvent } from './live-events.js';
import { ownScope } from './live-intake.js';
import type { LiveSpan } from './live-spans.js';

/** Requests are cut here, well below what servers take; a single larger span goes alone (otlp.md F4). */
const maxPayloadBytes = 3 * 1024 * 1024;

export type Emit = 'span_events' | 'log_events' | 'both' | 'none';

/**
 * Puts released spans, with their results on them, into the queue of every destination. The same bytes go
 * to each; apart from the added events they are those received.
 */
export class Forwarder {
  readonly #traces: readonly Destination[];
  readonly #logs: readonly Destination[];
  readonly #ledger: Ledger;
  readonly #emit: Emit;

  constructor(destinations: readonly Destination[], ledger: Ledger, emit: Emit) {
    this.#traces = destinations.filter(({ signals }) => signals.has('traces'));
    this.#logs = destinations.filter(({ signals }) => signals.has('logs'));
    this.#ledger = ledger;
    this.#emit = emit;
  }

  /** Forwards the spans of one release, each exactly once. */
  forward(spans: readonly LiveSpan[], results: readonly ResultEvent[]): void {
    const onSpans = this.#emit === 'span_events' || this.#emit === 'both';
    const events = onSpans ? groupEvents(results) : new Map<LiveSpan, SpanEventData[]>();
    this.#ledger.release(spans.length);
    if (this.#traces.length > 0) {
      for (const chunk of cutIntoChunks(spans)) {
        const parts = chunk.map((span): TracePart => {
          const added = events.get(span);
          const { batch, row } = span;
          return added === undefined ? { batch, row } : { batch, row, events: added };
        });
        const payload = assembleTraces(parts);
        const item = { signal: 'traces', payload, spans: chunk.length } as const;
        for (const destination of this.#traces) destination.enqueue(item);
      }
    }
    if (this.#emit === 'log_events' || this.#emit === 'both') this.sendLogs(results);
  }

  /** Sends results as log events, for spans that were forwarded before or go another way. */
  sendLogs(results: readonly ResultEvent[]): void {
    if (this.#emit === 'none' || this.#logs.length === 0 || results.length === 0) return;
    const records = results.map(({ carrier, event }) => ({
      ...event,
      traceId: carrier.traceId,
      spanId: carrier.spanId,
    }));
    const payload = writeLogRequest(records, { serviceName: 'retrial', scopeName: ownScope });
    for (const destination of this.#logs)
      destination.enqueue({ signal: 'logs', payload, spans: 0 });
  }
}

function groupEvents(results: readonly ResultEvent[]): Map<LiveSpan, SpanEventData[]> {
  const events = new Map<LiveSpan, SpanEventData[]>();
  for (const { carrier, event } of results) {
    const known = events.get(carrier);
    if (known === undefined) events.set(carrier, [event]);
    else known.push(event);
  }
  return events;
}

function cutIntoChunks(spans: readonly LiveSpan[]): readonly (readonly LiveSpan[])[] {
  const chunks: LiveSpan[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const span of spans) {
    if (bytes + span.bytes.length > maxPayloadBytes) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(span);
    bytes += span.bytes.length;
  }
  return chunks;
}
