import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject, JsonValue } from '../util/json.js';
import { parseJson } from '../util/json-parse.js';
import { isJsonObject, jsonText } from '../util/json-text.js';
import { readVersion } from '../util/version.js';
import { tidyReason } from './answer-shape.js';
import type { Call } from './provider.js';
import { type Failure, failure, textAt } from './reply.js';

export interface Exchange {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject | null;
  /** Set where the body was already written, for signatures. */
  readonly bytes?: Uint8Array;
}

export type Exchanged =
  | { readonly ok: true; readonly json: JsonObject }
  | {
      readonly ok: false;
      readonly failure: Failure;
      readonly status: number | null;
      readonly json: JsonValue;
    };

const maxResponseBytes = 4 * 1024 * 1024;
const retryable = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);
/** Not this request is wrong but the configuration. */
const fatal = new Set([401, 403, 404]);
const userAgent = `retrial-judge/${readVersion()}`;

/**
 * Sends JSON and reads JSON. The whole exchange ends within the time limit of the call: then, or when the
 * call is given up, the connection is destroyed, so that nothing runs and bills on unseen.
 */
export async function exchangeJson(exchange: Exchange, call: Call): Promise<Exchanged> {
  const { url, headers, body, bytes } = exchange;
  const { scheduler } = call.services;
  const startedMs = scheduler.nowMs();
  const outcome = await call.services.send({
    url: new URL(url),
    ...(exchange.method !== undefined && { method: exchange.method }),
    headers: {
      'user-agent': userAgent,
      accept: 'application/json',
      ...(body !== null && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: bytes ?? (body === null ? new Uint8Array(0) : Buffer.from(jsonText(body))),
    timeoutMs: call.timeoutMs,
    maxResponseBytes,
    signal: call.signal,
  });
  if (outcome.kind === 'failed') {
    const { reason, message } = outcome;
    return fail(
      failure(reason, message, {
        retryable: reason === 'network',
        // A connection that was refused has cost nothing; whatever was sent may have.
        mayBill: !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(message),
      }),
    );
  }
  const { status, headers: received } = outcome;
  const parsed = parseJson(outcome.body.toString('utf8'));
  const json = parsed.ok ? parsed.value : null;
  if (status < 200 || status > 299) {
    return fail(
      failure('status', `HTTP ${status}${describeError(json)}`, {
        retryable: retryable.has(status),
        fatal: fatal.has(status),
        retryAfterMs: readRetryAfter(received, json, call.services.epochMs()),
      }),
      status,
      json,
    );
  }
  if (outcome.isCut) {
    // Once an answer has begun, the sender only tells that it is not whole.
    const isLate = scheduler.nowMs() - startedMs >= call.timeoutMs;
    const why = call.signal.aborted ? 'aborted' : isLate ? 'timeout' : 'network';
    const detail = isLate
      ? `no complete answer within ${call.timeoutMs} ms`
      : 'the answer broke off';
    return fail(failure(why, detail, { retryable: why === 'network', mayBill: true }), status);
  }
  if (!isJsonObject(json)) {
    return fail(failure('protocol', 'the answer is not a JSON object', { mayBill: true }), status);
  }
  return { ok: true, json };
}

function fail(why: Failure, status: number | null = null, json: JsonValue = null): Exchanged {
  return { ok: false, failure: why, status, json };
}

/** The message of an error body, wherever the provider puts it. */
function describeError(json: JsonValue): string {
  const message =
    textAt(json, 'error', 'message') ??
    textAt(json, 'message') ??
    textAt(json, 'error') ??
    textAt(json, 0, 'error', 'message');
  return message === null ? '' : `: ${tidyReason(message).slice(0, 200)}`;
}

/**
 * How long to wait before asking again: `retry-after-ms`, `retry-after` as seconds or date, or Google's
 * RetryInfo in the body. Null when nothing is said.
 */
function readRetryAfter(
  headers: IncomingHttpHeaders,
  json: JsonValue,
  nowMs: number,
): number | null {
  const millis = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(millis) && millis >= 0) return millis;
  const after = headers['retry-after'];
  if (after !== undefined) {
    if (/^\d+(?:\.\d+)?$/.test(after)) return Number(after) * 1_000;
    const date = Date.parse(after);
    if (Number.isFinite(date)) return Math.max(0, date - nowMs);
  }
  const delay = /"retryDelay":"(\d+(?:\.\d+)?)s"/.exec(json === null ? '' : jsonText(json))?.[1];
  return delay === undefined ? null : Number(delay) * 1_000;
}
