import { isUtf8 } from 'node:buffer';
import type { SpanRejection } from '../model/span.js';
import { jsonHint } from './body-hint.js';
import type { JsonCounters } from './json-counters.js';
import { JsonTextFault } from './json-cursor.js';
import { JsonTraceEncoder } from './json-encoder.js';
import type { IdEncoding } from './json-scalars.js';
import { defaultOtlpLimits, type OtlpLimits } from './limits.js';

/** `hasTraces` is false when the object has no member that holds traces: it may be something else. */
export type EncodedTraces =
  | {
      readonly kind: 'ok';
      readonly bytes: Uint8Array;
      readonly hasTraces: boolean;
      /** How many spans were refused; `rejections` tells the first `maxRejectionDetails` of them. */
      readonly rejected: number;
      readonly rejections: readonly SpanRejection[];
      readonly counters: Readonly<JsonCounters>;
    }
  | {
      readonly kind: 'malformed';
      readonly message: string;
      readonly line: number;
      readonly column: number;
    };

export interface JsonTraceOptions {
  readonly limits?: OtlpLimits;
  /** Default `hex`, as OTLP has it; recordings also read base64. */
  readonly ids?: IdEncoding;
}

/**
 * Turns one OTLP/JSON trace request (opentelemetry-proto 1.11, JSON mapping) into its protobuf bytes,
 * with exact 64-bit integers: `{"resourceSpans": […]}`, Tempo's `{"batches": […]}`, or either inside
 * `{"trace": …}` or `{"result": …}`. Unknown members of any shape are skipped.
 *
 * A span that breaks the mapping is refused alone; text that is not JSON, or whose groups are not
 * arrays of objects, refuses the request. Never throws on any bytes. `line` and `column` count from 1.
 */
export function encodeJsonTraces(
  body: Uint8Array | string,
  options: JsonTraceOptions = {},
): EncodedTraces {
  const { limits = defaultOtlpLimits, ids = 'hex' } = options;
  const received = toBuffer(body);
  const isClean = isUtf8(received);
  const text = withoutMark(isClean ? received : Buffer.from(received.toString('utf8')));
  const encoder = new JsonTraceEncoder(text, limits, ids);
  try {
    encoder.encodeRequest();
  } catch (fault) {
    if (!(fault instanceof JsonTextFault)) throw fault;
    return {
      kind: 'malformed',
      message: `not an OTLP/JSON trace request: ${fault.message}${jsonHint(received)}`,
      ...lineAndColumn(text, fault.offset),
    };
  }
  if (!isClean) encoder.counters.invalidUtf8 = 1;
  const { counters, hasTraces, rejections } = encoder;
  const { count: rejected, details } = rejections;
  const bytes = encoder.takeBytes();
  return { kind: 'ok', bytes, hasTraces, rejected, rejections: details, counters };
}

function toBuffer(body: Uint8Array | string): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** The text without a leading byte order mark. */
function withoutMark(text: Buffer): Buffer {
  const hasMark = text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf;
  return hasMark ? text.subarray(3) : text;
}

function lineAndColumn(text: Buffer, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf(0x0a); at !== -1 && at < offset; at = text.indexOf(0x0a, at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: text.toString('utf8', lineStart, offset).length + 1 };
}
