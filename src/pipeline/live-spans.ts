import type { HoldSpan } from '../hold/release.js';
import type { Span, SpanRejection } from '../model/span.js';
import { assembleTraces } from '../otlp/assemble.js';
import { encodeJsonTraces } from '../otlp/json-to-protobuf.js';
import type { SpanBatch } from '../otlp/span-batch.js';
import { indexTraces } from '../otlp/span-index.js';
import type { BodyFormat } from '../receivers/request-headers.js';

/** A received span: its view, its bytes, and where it stands in the request that holds them. */
export interface LiveSpan extends HoldSpan {
  readonly span: Span;
  readonly batch: SpanBatch;
  readonly row: number;
}

/** What the index, the views and the maps of the hold take for one span, roughly; small spans are mostly this. */
const bookkeepingBytes = 768;

/** One export request, read. */
export type ReadRequest =
  | {
      readonly kind: 'ok';
      readonly spans: readonly LiveSpan[];
      readonly rejections: readonly SpanRejection[];
      /** Set when the body is a valid request that holds no traces at all. */
      readonly isForeign: boolean;
    }
  | { readonly kind: 'malformed'; readonly detail: string };

/** Reads a request body. Spans that are wrong by themselves are refused alone; their neighbours stay. */
export function readTraceRequest(body: Buffer, format: BodyFormat): ReadRequest {
  let bytes: Uint8Array = body;
  let jsonRejections: readonly SpanRejection[] = [];
  let isForeign = false;
  if (format === 'json') {
    const encoded = encodeJsonTraces(body);
    if (encoded.kind === 'malformed') {
      const place = `line ${encoded.line}, column ${encoded.column}`;
      return { kind: 'malformed', detail: `${encoded.message} (${place})` };
    }
    bytes = encoded.bytes;
    jsonRejections = encoded.rejections;
    isForeign = !encoded.hasTraces && body.length > 2;
  }
  const indexed = indexTraces(bytes);
  if (indexed.kind === 'malformed') return { kind: 'malformed', detail: indexed.message };
  const rejections = [...jsonRejections, ...indexed.rejections];
  return { kind: 'ok', spans: splitByTrace(indexed.batch), rejections, isForeign };
}

/**
 * The spans of a batch, each trace over bytes of its own: a request usually mixes several traces, and one
 * that stays open for hours must not keep the bytes of all the others in memory.
 */
function splitByTrace(batch: SpanBatch): readonly LiveSpan[] {
  const traces = new Map<string, { batch: SpanBatch; row: number }[]>();
  for (let row = 0; row < batch.size; row += 1) {
    const { traceId } = batch.span(row);
    const trace = traces.get(traceId);
    if (trace === undefined) traces.set(traceId, [{ batch, row }]);
    else trace.push({ batch, row });
  }
  if (traces.size <= 1) return toLiveSpans(batch);
  return [...traces.values()].flatMap((parts) => {
    const copied = indexTraces(assembleTraces(parts));
    if (copied.kind === 'malformed') throw new Error(`a copied request broke: ${copied.message}`);
    return toLiveSpans(copied.batch);
  });
}

function toLiveSpans(batch: SpanBatch): readonly LiveSpan[] {
  return Array.from(batch, (span, row) => {
    const { traceId, spanId, parentSpanId, endUnixNano } = span;
    const bytes = batch.spanBytes(row);
    const cost = bytes.length + bookkeepingBytes;
    return { traceId, spanId, parentSpanId, endUnixNano, bytes, cost, span, batch, row };
  });
}
