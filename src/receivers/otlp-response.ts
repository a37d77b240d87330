import type { BodyFormat } from './request-headers.js';

/** An error as OTLP wants it: a `google.rpc.Status` in the encoding of the request (otlp.md R7). */
export interface OtlpStatus {
  /** gRPC code. */
  readonly code: number;
  readonly message: string;
  /** Set when sending again later can help; becomes a `google.rpc.RetryInfo`. */
  readonly retryAfterSeconds: number | null;
}

export interface PartialSuccess {
  readonly rejectedSpans: number;
  readonly message: string;
}

const maxMessageBytes = 1024;
const retryInfoType = 'type.googleapis.com/google.rpc.RetryInfo';

/**
 * An `ExportTraceServiceResponse`. `partial_success` is left out unless there is something to say: senders
 * take an empty one for a failure (R3, opentelemetry-go#3438).
 */
export function encodeExportResponse(format: BodyFormat, partial: PartialSuccess | null): Buffer {
  if (partial === null) return format === 'json' ? Buffer.from('{}') : Buffer.alloc(0);
  const message = cutText(partial.message);
  if (format === 'json') {
    return toJson({
      partialSuccess: { rejectedSpans: String(partial.rejectedSpans), errorMessage: message },
    });
  }
  return field(1, Buffer.concat([varintField(1, partial.rejectedSpans), textField(2, message)]));
}

/** A `google.rpc.Status`; with a retry hint it carries a `RetryInfo` as its one detail. */
export function encodeStatus(format: BodyFormat, status: OtlpStatus): Buffer {
  const message = cutText(status.message);
  const { code, retryAfterSeconds: seconds } = status;
  if (format === 'json') {
    const details = seconds === null ? [] : [{ '@type': retryInfoType, retryDelay: `${seconds}s` }];
    return toJson({ code, message, ...(details.length === 0 ? {} : { details }) });
  }
  const parts = [varintField(1, code), textField(2, message)];
  if (seconds !== null) {
    const retryInfo = field(1, varintField(1, seconds));
    parts.push(field(3, Buffer.concat([textField(1, retryInfoType), field(2, retryInfo)])));
  }
  return Buffer.concat(parts);
}

/** Cuts at a character, so that the text stays valid UTF-8. */
function cutText(text: string): string {
  if (Buffer.byteLength(text) <= maxMessageBytes) return text;
  const room = Buffer.from(text).subarray(0, maxMessageBytes - 3);
  return `${room.toString().replace(/\uFFFD+$/, '')}…`;
}

function toJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function textField(number: number, text: string): Buffer {
  return text === '' ? Buffer.alloc(0) : field(number, Buffer.from(text));
}

function varintField(number: number, value: number): Buffer {
  return value === 0 ? Buffer.alloc(0) : Buffer.concat([varint(number << 3), varint(value)]);
}

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
