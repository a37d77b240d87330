import type { SpanRejection } from '../model/span.js';
import { protobufHint } from './body-hint.js';
import { defaultOtlpLimits, type OtlpLimits } from './limits.js';
import { SpanBatch } from './span-batch.js';
import { TraceIndexer } from './trace-indexer.js';
import type { WireCounters } from './wire-counters.js';
import { WireFault } from './wire-reader.js';

/** `offset` is the byte of the request where its framing breaks. */
export type IndexedTraces =
  | {
      readonly kind: 'ok';
      readonly batch: SpanBatch;
      /** How many spans were refused; `rejections` tells the first `maxRejectionDetails` of them. */
      readonly rejected: number;
      readonly rejections: readonly SpanRejection[];
      readonly counters: Readonly<WireCounters>;
    }
  | { readonly kind: 'malformed'; readonly message: string; readonly offset: number };

/** OTLP logs and metrics have the same two outer levels, and what is in them is no span. */
const otherSignalHint = '; a request of logs or metrics sent as traces looks like this';

/**
 * Indexes a protobuf ExportTraceServiceRequest or TracesData (opentelemetry-proto 1.11) without copying
 * or decoding it; the batch keeps `bytes`, which must not change afterwards.
 *
 * A span that is wrong by itself (id length, depth, size) is refused alone; broken framing anywhere
 * refuses the request. Never throws on any bytes. Invalid UTF-8 is accepted and reads as U+FFFD. What is
 * found only when a span is read (invalid UTF-8, repeated keys) is counted then: `counters` grow.
 */
export function indexTraces(
  bytes: Uint8Array,
  limits: OtlpLimits = defaultOtlpLimits,
): IndexedTraces {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const indexer = new TraceIndexer(buffer, limits);
  try {
    indexer.readRequest();
  } catch (fault) {
    if (!(fault instanceof WireFault)) throw fault;
    const hint =
      protobufHint(buffer) || (indexer.spanReader.isInNamelessSpan ? otherSignalHint : '');
    return {
      kind: 'malformed',
      message: `not a protobuf trace request: ${fault.message} at byte ${fault.offset}${hint}`,
      offset: fault.offset,
    };
  }
  const { counters, cuts, rejections, resources, scopes } = indexer;
  const { attributes, spans } = indexer.spanReader;
  const index = { buffer, attributes, counters, cuts, resources, scopes, spans };
  const { count: rejected, details } = rejections;
  return { kind: 'ok', batch: new SpanBatch(index), rejected, rejections: details, counters };
}
