import http from 'node:http';
import https from 'node:https';
import { type HttpOutcome, sendRequest } from '../util/http-request.js';
import { type Scheduler, waitFor } from '../util/scheduler.js';
import type { Destination, DestinationEvents } from './destination.js';
import { readAnswer } from './read-answer.js';
import { nextDelayMs, type RetryPolicy } from './retry-policy.js';
import { type QueueItem, SendQueue } from './send-queue.js';

export interface OtlpHttpDestinationOptions {
  readonly name: string;
  /** Base URL; `/v1/traces` and `/v1/logs` are added to its path. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signals: ReadonlySet<QueueItem['signal']>;
  readonly maxQueueBytes: number;
  readonly retry: RetryPolicy;
  /** Takes a certificate that cannot be verified. */
  readonly insecure?: boolean;
  readonly requestTimeoutMs?: number;
  /** Requests are joined up to this size; well below the 20 MiB that a Collector takes (F4). */
  readonly maxBatchBytes?: number;
}

export interface DestinationServices {
  readonly scheduler: Scheduler;
  readonly random: () => number;
  readonly epochMs: () => number;
  readonly events: DestinationEvents;
}

const defaultRequestTimeoutMs = 10_000;
const defaultBatchBytes = 4 * 1024 * 1024;
/** OTLP's own bounds (F7). */
const maxRequestBytes = 64 * 1024 * 1024;
const maxResponseBytes = 4 * 1024 * 1024;

/**
 * Sends queued requests to one OTLP/HTTP server, in order, one at a time (otlp.md §1.6).
 *
 *   idle ──item──► sending ──2xx──────────────────────────► forwarded
 *    ▲               │ 429 502 503 504, no answer                │
 *    │               ├──► waiting (back-off) ──► sending         │
 *    │               │         └─ too long ────► queue_expired ──┤
 *    │               └ any other status ──► destination_rejected ┤
 *    └───────────────────────────────────────────────────────────┘
 */
export function createOtlpHttpDestination(
  options: OtlpHttpDestinationOptions,
  { scheduler, random, epochMs, events }: DestinationServices,
): Destination {
  const { name, signals, maxQueueBytes } = options;
  const queue = new SendQueue(maxQueueBytes);
  const agent =
    options.url.protocol === 'https:'
      ? new https.Agent({ keepAlive: true, rejectUnauthorized: options.insecure !== true })
      : new http.Agent({ keepAlive: true });
  const halt = new AbortController();
  const idleWaiters = new Set<() => void>();
  let isFailing = false;
  let running: Promise<void> | null = null;

  function enqueue(item: QueueItem): void {
    if (halt.signal.aborted) {
      discard('queue_expired', [item]);
    } else if (item.payload.length > maxRequestBytes) {
      const size = item.payload.length;
      events.log('warning', `${name}: a request of ${size} bytes is too large to send`);
      discard('destination_rejected', [item]);
    } else {
      const dropped = queue.push(item);
      if (dropped.length > 0) {
        events.log('warning', `${name}: the queue is full; its oldest requests were given up`);
        discard('queue_expired', dropped);
      }
      running ??= run();
    }
  }

  async function run(): Promise<void> {
    // Lets the caller enqueue what belongs together before the first batch is cut.
    await Promise.resolve();
    while (!queue.isEmpty && !halt.signal.aborted) {
      const batch = queue.startBatch(options.maxBatchBytes ?? defaultBatchBytes);
      if (await deliver(batch)) queue.finishBatch();
    }
    running = null;
    for (const resolve of idleWaiters) resolve();
    idleWaiters.clear();
  }

  /** True when the batch reached its end; false when sending was stopped and it still waits. */
  async function deliver(batch: readonly QueueItem[]): Promise<boolean> {
    const startedAtMs = scheduler.nowMs();
    for (let attempts = 1; ; attempts += 1) {
      const answer = readAnswer(await attempt(batch), epochMs());
      if (halt.signal.aborted && answer.kind === 'retry') return false;
      switch (answer.kind) {
        case 'accepted':
          settle(batch, answer.rejected, answer.message);
          return true;
        case 'refused':
          events.log('warning', `${name}: refused a request for good (${answer.message})`);
          discard('destination_rejected', batch);
          return true;
        case 'retry': {
          const elapsedMs = scheduler.nowMs() - startedAtMs;
          const delayMs = nextDelayMs(options.retry, attempts, elapsedMs, answer.afterMs, random());
          if (delayMs === null) {
            events.log(
              'warning',
              `${name}: gave up after ${attempts} attempts (${answer.message})`,
            );
            discard('queue_expired', batch);
            return true;
          }
          if (!isFailing)
            events.log('warning', `${name}: not reachable (${answer.message}); trying again`);
          isFailing = true;
          await waitFor(scheduler, delayMs, halt.signal);
          if (halt.signal.aborted) return false;
        }
      }
    }
  }

  /** One request; an idle connection that the peer had closed gets a fresh one at once (F5). */
  async function attempt(batch: readonly QueueItem[]): Promise<HttpOutcome> {
    const request = {
      url: signalUrl(options.url, batch[0]?.signal ?? 'traces'),
      headers: { ...options.headers, 'content-type': 'application/x-protobuf' },
      body: joinPayloads(batch),
      timeoutMs: options.requestTimeoutMs ?? defaultRequestTimeoutMs,
      maxResponseBytes,
      signal: halt.signal,
      agent,
    };
    const outcome = await sendRequest(request);
    if (outcome.kind === 'response' || !outcome.wasReusedConnection) return outcome;
    agent.destroy();
    return sendRequest(request);
  }

  function settle(batch: readonly QueueItem[], rejected: number, message: string): void {
    const spans = countSpans(batch);
    const lost = Math.min(rejected, spans);
    if (isFailing) events.log('info', `${name}: reachable again`);
    isFailing = false;
    events.forwarded(name, spans - lost);
    if (lost === 0) return;
    events.log('warning', `${name}: refused ${lost} span(s) of a request: ${message}`);
    events.discarded(name, 'destination_rejected', lost);
  }

  function discard(
    reason: 'destination_rejected' | 'queue_expired',
    items: readonly QueueItem[],
  ): void {
    events.discarded(name, reason, countSpans(items));
  }

  function whenEmpty(): Promise<void> {
    if (running === null) return Promise.resolve();
    return new Promise((resolve) => idleWaiters.add(resolve));
  }

  return {
    name,
    signals,
    enqueue,
    whenEmpty,
    get fill() {
      return queue.bytes / maxQueueBytes;
    },
    get queuedBytes() {
      return queue.bytes;
    },
    get isFailing() {
      return isFailing;
    },
    async stop(graceMs) {
      const timeUp = new AbortController();
      await Promise.race([whenEmpty(), waitFor(scheduler, graceMs, timeUp.signal)]);
      timeUp.abort();
      halt.abort();
      await running;
      const left = queue.takeAll();
      if (left.length > 0) {
        events.log(
          'warning',
          `${name}: ${countSpans(left)} span(s) could not be sent before the end`,
        );
        discard('queue_expired', left);
      }
      agent.destroy();
    },
  };
}

function joinPayloads(batch: readonly QueueItem[]): Uint8Array {
  const [only] = batch;
  const isSingle = batch.length === 1 && only !== undefined;
  return isSingle ? only.payload : Buffer.concat(batch.map((item) => item.payload));
}

function countSpans(items: readonly QueueItem[]): number {
  return items.reduce((sum, item) => sum + item.spans, 0);
}

function signalUrl(base: URL, signal: QueueItem['signal']): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/v1\/(traces|logs)$/, '')}/v1/${signal}`;
  return url;
}
