import type {
  DroppedCounts,
  Resource,
  Scope,
  Span,
  SpanEvent,
  SpanLink,
  SpanStatus,
} from '../model/span.js';
import type { JsonValue } from '../util/json.js';
import { decodeText } from './any-value.js';
import { EventView, LinkView } from './event-view.js';
import { spanTag } from './field-tags.js';
import { repeatedFields } from './message-fields.js';
import type { SpanBatch } from './span-batch.js';
import { notSent, spanColumn } from './span-columns.js';
import { spanIdBytes, traceIdBytes } from './span-id-check.js';
import { readFixed64 } from './wire-reader.js';

const statusCodes = ['unset', 'ok', 'error'] as const;

/** One row of a batch as a `Span`. Holds its ids once asked for; everything else is read anew. */
export class SpanView implements Span {
  private traceIdText: string | null = null;
  private spanIdText: string | null = null;

  constructor(
    private readonly batch: SpanBatch,
    private readonly row: number,
  ) {}

  get traceId(): string {
    this.traceIdText ??= this.hex(this.column(spanColumn.traceId), traceIdBytes);
    return this.traceIdText;
  }

  get spanId(): string {
    this.spanIdText ??= this.hex(this.column(spanColumn.spanId), spanIdBytes);
    return this.spanIdText;
  }

  get parentSpanId(): string | null {
    const start = this.column(spanColumn.parentSpanId);
    return start === notSent ? null : this.hex(start, spanIdBytes);
  }

  get name(): string {
    return this.text(spanColumn.nameStart, spanColumn.nameEnd);
  }

  get kind(): number {
    return this.column(spanColumn.kind);
  }

  get startUnixNano(): bigint {
    return this.time(spanColumn.startTime);
  }

  get endUnixNano(): bigint {
    return this.time(spanColumn.endTime);
  }

  get status(): SpanStatus {
    return {
      code: statusCodes[this.column(spanColumn.statusCode)] ?? 'unset',
      message: this.text(spanColumn.messageStart, spanColumn.messageEnd),
    };
  }

  get flags(): number {
    return this.column(spanColumn.flags) >>> 0;
  }

  get resource(): Resource {
    return this.batch.resourceOf(this.row);
  }

  get scope(): Scope {
    return this.batch.scopeOf(this.row);
  }

  get dropped(): DroppedCounts {
    return {
      attributes: this.column(spanColumn.droppedAttributes) >>> 0,
      events: this.column(spanColumn.droppedEvents) >>> 0,
      links: this.column(spanColumn.droppedLinks) >>> 0,
    };
  }

  attribute(key: string): JsonValue | undefined {
    return this.batch.attributes.find(this.row, key);
  }

  attributeKeys(): readonly string[] {
    return this.batch.attributes.keysOf(this.row);
  }

  events(): readonly SpanEvent[] {
    if (this.column(spanColumn.eventCount) === 0) return [];
    const { counters } = this.batch.index;
    return this.fields(spanTag.events).map(
      ({ bytes, start, end }) => new EventView(bytes, start, end, counters),
    );
  }

  links(): readonly SpanLink[] {
    if (this.column(spanColumn.linkCount) === 0) return [];
    const { counters } = this.batch.index;
    return this.fields(spanTag.links).map(
      ({ bytes, start, end }) => new LinkView(bytes, start, end, counters),
    );
  }

  private fields(tag: number) {
    const start = this.column(spanColumn.start);
    return repeatedFields(this.batch.index.buffer, start, this.column(spanColumn.end), tag);
  }

  private column(column: number): number {
    return this.batch.index.spans.get(this.row, column);
  }

  private hex(start: number, length: number): string {
    return this.batch.index.buffer.toString('hex', start, start + length);
  }

  private text(startColumn: number, endColumn: number): string {
    const start = this.column(startColumn);
    const end = this.column(endColumn);
    if (start === end) return '';
    return decodeText(this.batch.index.buffer, start, end, this.batch.index.counters);
  }

  private time(column: number): bigint {
    const at = this.column(column);
    return at === notSent ? 0n : readFixed64(this.batch.index.buffer, at);
  }
}
