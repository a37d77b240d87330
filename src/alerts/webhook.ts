import { type HttpOutcome, sendRequest } from '../util/http-request.js';
import { type Scheduler, waitFor } from '../util/scheduler.js';
import type { AlertMessage } from './alert.js';
import { pinAddress, type Resolve } from './pinned-lookup.js';
import type { AlertSink, SinkEvents } from './sink.js';
import { toWebhookPayload } from './webhook-payload.js';

export interface WebhookOptions {
  readonly name: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Allows plain http and addresses that are not public. */
  readonly allowPrivate: boolean;
}

export interface WebhookServices {
  readonly scheduler: Scheduler;
  readonly random: () => number;
  readonly resolve: Resolve;
  readonly events: SinkEvents;
}

const maxResponseBytes = 64 * 1024;
const maxAttempts = 5;
const firstDelayMs = 1_000;
/** More than this many waiting messages are a storm; the newest are failed instead of piling up. */
const maxWaiting = 1_000;

/**
 * Posts alerts as JSON to one address, one at a time and in order, so that a retraction never overtakes
 * its alert. Tried again on no answer, 429 and 5xx, at most five times; every delivery of one message
 * carries the same `Idempotency-Key`. Redirects are not followed.
 */
export function createWebhookSink(
  options: WebhookOptions,
  { scheduler, random, resolve, events }: WebhookServices,
): AlertSink {
  const waiting: AlertMessage[] = [];
  const halt = new AbortController();
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    for (let message = waiting[0]; message !== undefined; message = waiting[0]) {
      const failure = halt.signal.aborted ? 'stopped' : await deliver(message);
      waiting.shift();
      if (failure === null) events.delivered(options.name);
      else events.failed(options.name, failure);
    }
    running = null;
  }

  /** `null` when delivered, else why not. */
  async function deliver(message: AlertMessage): Promise<string | null> {
    const body = Buffer.from(JSON.stringify(toWebhookPayload(message)));
    const headers = {
      ...options.headers,
      'content-type': 'application/json',
      'idempotency-key': message.idempotencyKey,
    };
    for (let attempt = 1; ; attempt += 1) {
      const { kind, detail } = await attemptOnce(body, headers);
      if (kind === 'delivered') return null;
      if (kind === 'final' || attempt === maxAttempts || halt.signal.aborted) return detail;
      const delayMs = firstDelayMs * 2 ** (attempt - 1) * (0.5 + random());
      await waitFor(scheduler, delayMs, halt.signal);
      if (halt.signal.aborted) return detail;
    }
  }

  async function attemptOnce(body: Buffer, headers: Record<string, string>): Promise<Attempt> {
    const { url, allowPrivate, timeoutMs } = options;
    try {
      const pinned = await pinAddress(url, allowPrivate, resolve);
      if (pinned.kind === 'refused') return { kind: 'final', detail: pinned.message };
      const { lookup } = pinned;
      const signal = halt.signal;
      return readOutcome(
        await sendRequest({ url, headers, body, timeoutMs, maxResponseBytes, lookup, signal }),
      );
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return { kind: 'again', detail };
    }
  }

  return {
    name: options.name,
    send(message) {
      if (halt.signal.aborted || waiting.length >= maxWaiting) {
        events.failed(options.name, halt.signal.aborted ? 'stopped' : 'too many alerts wait');
        return;
      }
      waiting.push(message);
      running ??= run();
    },
    whenIdle: async () => {
      await running;
    },
    async stop(graceMs) {
      const timeUp = new AbortController();
      await Promise.race([running, waitFor(scheduler, graceMs, timeUp.signal)]);
      timeUp.abort();
      halt.abort();
      await running;
    },
  };
}

type Attempt =
  | { readonly kind: 'delivered'; readonly detail: '' }
  | { readonly kind: 'again' | 'final'; readonly detail: string };

function readOutcome(outcome: HttpOutcome): Attempt {
  if (outcome.kind === 'failed') return { kind: 'again', detail: outcome.message };
  const { status } = outcome;
  if (status >= 200 && status < 300) return { kind: 'delivered', detail: '' };
  const detail = `HTTP ${status}`;
  return { kind: status === 429 || status >= 500 ? 'again' : 'final', detail };
}
