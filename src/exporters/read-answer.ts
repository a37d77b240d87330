import { WireReader } from '../otlp/wire-reader.js';
import type { HttpOutcome } from '../util/http-request.js';
import { readRetryAfter } from './retry-policy.js';

/** What a destination made of a batch. */
export type Answer =
  /** `rejected` of its spans were refused for good (partial success); never sent again (F2). */
  | { readonly kind: 'accepted'; readonly rejected: number; readonly message: string }
  | { readonly kind: 'retry'; readonly afterMs: number | null; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

/** OTLP/HTTP: exactly these may be sent again; everything else is final. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Reads the outcome of one attempt. `epochMs` is the wall clock, for a Retry-After given as a date. */
export function readAnswer(outcome: HttpOutcome, epochMs: number): Answer {
  if (outcome.kind === 'failed') return { kind: 'retry', afterMs: null, message: outcome.message };
  const { status, headers, body } = outcome;
  if (status >= 200 && status < 300) {
    // A 2xx means taken, whatever its body looks like: sending again would double the data (F3).
    const { rejected, message } = readPartialSuccess(body) ?? { rejected: 0, message: '' };
    return { kind: 'accepted', rejected, message };
  }
  const message = `HTTP ${status}`;
  if (!retryableStatuses.has(status)) return { kind: 'refused', message };
  return { kind: 'retry', afterMs: readRetryAfter(headers['retry-after'], epochMs), message };
}

/** Rejected spans of an ExportTraceServiceResponse in either encoding; `null` when it cannot be read. */
function readPartialSuccess(body: Buffer): { rejected: number; message: string } | null {
  try {
    return body[0] === 0x7b ? readJson(body.toString()) : readProtobuf(body);
  } catch {
    return null;
  }
}

function readJson(text: string): { rejected: number; message: string } {
  const { partialSuccess } = Object(JSON.parse(text));
  const { rejectedSpans, errorMessage } = Object(partialSuccess);
  return { rejected: toCount(rejectedSpans), message: toText(errorMessage) };
}

function readProtobuf(body: Buffer): { rejected: number; message: string } {
  const reader = new WireReader(body, 0, body.length);
  let rejected = 0;
  let message = '';
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    if (tag !== 0x0a) {
      reader.skip(tag);
      continue;
    }
    const end = reader.readLength();
    while (reader.at < end) {
      const inner = reader.readTag();
      if (inner === 0x08) rejected = toCount(reader.readInt64());
      else if (inner === 0x12) {
        const textEnd = reader.readLength();
        message = body.toString('utf8', reader.at, textEnd);
        reader.at = textEnd;
      } else reader.skip(inner);
    }
  }
  return { rejected, message };
}

function toCount(value: unknown): number {
  const count = Number(value ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 1024) : '';
}
