import { spanTag, statusTag } from './field-tags.js';
import type { OtlpLimits } from './limits.js';
import type { MessageChecker } from './message-checker.js';
import {
  attributeColumn,
  attributeWidth,
  IntRows,
  notSent,
  spanColumn,
  spanWidth,
} from './span-columns.js';
import { type SpanFault, tooManyBytes } from './span-fault.js';
import { describeBadId, isZero, spanIdBytes, traceIdBytes } from './span-id-check.js';
import { scanUsualFields } from './span-scan.js';
import { readFixed32, type WireReader, wireType } from './wire-reader.js';

/**
 * Reads span messages into columns. `scanUsualFields` does nearly all of the work; whatever else is legal
 * goes through `WireReader` and `MessageChecker`, which take everything.
 */
export class SpanReader {
  readonly spans: IntRows;
  readonly attributes: IntRows;
  /** True while a span is read whose trace id has not been seen. */
  isInNamelessSpan = false;

  constructor(
    private readonly bytes: Buffer,
    private readonly reader: WireReader,
    private readonly checker: MessageChecker,
    private readonly limits: OtlpLimits,
  ) {
    // About one span per kilobyte and one attribute per 128 bytes; both grow.
    this.spans = new IntRows(spanWidth, bytes.length >> 10);
    this.attributes = new IntRows(attributeWidth, bytes.length >> 7);
  }

  /**
   * Adds the span from the reader's cursor to the reader's end as the last row and says what is wrong
   * with it, if anything.
   */
  readSpan(tagStart: number, scope: number, ordinal: number): SpanFault | null {
    const { bytes, reader } = this;
    const { end } = reader;
    const base = this.beginSpan(tagStart, scope, ordinal);
    this.checker.start();
    let at = reader.at;
    for (;;) {
      at = scanUsualFields(bytes, at, end, this.spans.data, base, this.attributes);
      if (at >= end) break;
      at = this.readOtherField(base, at, end);
    }
    reader.at = end;
    reader.end = end;
    return this.finishSpan(base);
  }

  /** Takes back all rows from `row` on. */
  removeFrom(row: number): void {
    if (row >= this.spans.count) return;
    this.attributes.removeFrom(this.spans.get(row, spanColumn.firstAttribute));
    this.spans.removeFrom(row);
  }

  /** Hex trace id of a row, or null when it has the wrong length. */
  traceIdOf(row: number): string | null {
    const start = this.spans.get(row, spanColumn.traceId);
    const end = this.spans.get(row, spanColumn.traceIdEnd);
    return end - start === traceIdBytes ? this.bytes.toString('hex', start, end) : null;
  }

  /** Adds a row with the defaults of a span that has no fields; returns where it begins. */
  private beginSpan(tagStart: number, scope: number, ordinal: number): number {
    const { at: start, end } = this.reader;
    const base = this.spans.add();
    const span = this.spans.data;
    span[base + spanColumn.tagStart] = tagStart;
    span[base + spanColumn.start] = start;
    span[base + spanColumn.end] = end;
    span[base + spanColumn.scope] = scope;
    span[base + spanColumn.ordinal] = ordinal;
    span[base + spanColumn.startTime] = notSent;
    span[base + spanColumn.endTime] = notSent;
    span[base + spanColumn.firstAttribute] = this.attributes.count;
    this.isInNamelessSpan = true;
    return base;
  }

  /** A field of any shape whose tag is at `at`; returns where it ends. */
  private readOtherField(base: number, at: number, end: number): number {
    const { reader } = this;
    const span = this.spans.data;
    reader.at = at;
    reader.end = end;
    const tag = reader.readTag();
    switch (tag) {
      case spanTag.kind:
        span[base + spanColumn.kind] = reader.readVarint();
        break;
      case spanTag.startTime:
        span[base + spanColumn.startTime] = reader.advance(8);
        break;
      case spanTag.endTime:
        span[base + spanColumn.endTime] = reader.advance(8);
        break;
      case spanTag.flags:
        span[base + spanColumn.flags] = readFixed32(this.bytes, reader.advance(4));
        break;
      case spanTag.droppedAttributes:
        span[base + spanColumn.droppedAttributes] = reader.readVarint();
        break;
      case spanTag.droppedEvents:
        span[base + spanColumn.droppedEvents] = reader.readVarint();
        break;
      case spanTag.droppedLinks:
        span[base + spanColumn.droppedLinks] = reader.readVarint();
        break;
      default:
        if ((tag & 7) === wireType.bytes) {
          const fieldEnd = reader.readLength();
          this.readBytesField(tag, base, reader.at, fieldEnd);
          return fieldEnd;
        }
        reader.skip(tag);
    }
    return reader.at;
  }

  /** A field with a length, whose bytes are `[start, end)`. */
  private readBytesField(tag: number, base: number, start: number, end: number): void {
    const span = this.spans.data;
    switch (tag) {
      case spanTag.attributes:
        this.readAttribute(start, end);
        break;
      case spanTag.traceId:
        this.isInNamelessSpan = false;
        span[base + spanColumn.traceId] = start;
        span[base + spanColumn.traceIdEnd] = end;
        break;
      case spanTag.spanId:
        span[base + spanColumn.spanId] = start;
        span[base + spanColumn.spanIdEnd] = end;
        break;
      case spanTag.parentSpanId:
        span[base + spanColumn.parentSpanId] = start;
        span[base + spanColumn.parentSpanIdEnd] = end;
        break;
      case spanTag.name:
        span[base + spanColumn.nameStart] = start;
        span[base + spanColumn.nameEnd] = end;
        break;
      case spanTag.status:
        this.narrow(start, end);
        this.readStatus(base);
        break;
      case spanTag.events:
        span[base + spanColumn.eventCount] = (span[base + spanColumn.eventCount] ?? 0) + 1;
        this.narrow(start, end);
        this.checker.checkEvent();
        break;
      case spanTag.links:
        span[base + spanColumn.linkCount] = (span[base + spanColumn.linkCount] ?? 0) + 1;
        this.narrow(start, end);
        this.checker.checkLink();
        break;
    }
  }

  /** An attribute of any shape: its KeyValue is kept whole. */
  private readAttribute(start: number, end: number): void {
    const { checker } = this;
    this.narrow(start, end);
    checker.checkKeyValue(1);
    const row = this.attributes.add();
    const attributes = this.attributes.data;
    attributes[row + attributeColumn.key] = ~checker.keyStart;
    attributes[row + attributeColumn.keyEnd] = checker.keyEnd;
    attributes[row + attributeColumn.valueStart] = ~start;
    attributes[row + attributeColumn.end] = end;
  }

  private readStatus(base: number): void {
    const { reader } = this;
    const span = this.spans.data;
    while (reader.at < reader.end) {
      const tag = reader.readTag();
      switch (tag) {
        case statusTag.message: {
          const end = reader.readLength();
          span[base + spanColumn.messageStart] = reader.at;
          span[base + spanColumn.messageEnd] = end;
          reader.at = end;
          break;
        }
        case statusTag.code:
          span[base + spanColumn.statusCode] = reader.readVarint();
          break;
        default:
          reader.skip(tag);
      }
    }
  }

  private narrow(start: number, end: number): void {
    this.reader.at = start;
    this.reader.end = end;
  }

  private finishSpan(base: number): SpanFault | null {
    const { attributes, checker, limits } = this;
    const span = this.spans.data;
    this.isInNamelessSpan = false;
    const size = (span[base + spanColumn.end] ?? 0) - (span[base + spanColumn.start] ?? 0);
    const firstAttribute = span[base + spanColumn.firstAttribute] ?? 0;
    const attributeCount = attributes.count - firstAttribute;
    span[base + spanColumn.attributeCount] = attributeCount;
    checker.countElements(attributeCount);
    if (size > limits.maxSpanBytes) checker.fault ??= tooManyBytes(size, limits.maxSpanBytes);
    this.checkIds(span, base);
    return checker.fault;
  }

  private checkIds(span: Int32Array, base: number): void {
    const { bytes, checker } = this;
    const traceStart = span[base + spanColumn.traceId] ?? 0;
    const traceEnd = span[base + spanColumn.traceIdEnd] ?? 0;
    const idStart = span[base + spanColumn.spanId] ?? 0;
    const idEnd = span[base + spanColumn.spanIdEnd] ?? 0;
    const parentStart = span[base + spanColumn.parentSpanId] ?? 0;
    const parentEnd = span[base + spanColumn.parentSpanIdEnd] ?? 0;
    if (traceEnd - traceStart !== traceIdBytes || isZero(bytes, traceStart, traceIdBytes)) {
      checker.fault ??= describeBadId('trace_id', bytes, traceStart, traceEnd, traceIdBytes);
    }
    if (idEnd - idStart !== spanIdBytes || isZero(bytes, idStart, spanIdBytes)) {
      checker.fault ??= describeBadId('span_id', bytes, idStart, idEnd, spanIdBytes);
    }
    const hasParent = parentEnd > parentStart;
    if (hasParent && parentEnd - parentStart !== spanIdBytes) {
      const field = 'parent_span_id';
      checker.fault ??= describeBadId(field, bytes, parentStart, parentEnd, spanIdBytes);
    }
    // An all-zero parent is how some SDKs write "no parent" (open-telemetry/opentelemetry-java#1165).
    if (!hasParent || isZero(bytes, parentStart, spanIdBytes)) {
      span[base + spanColumn.parentSpanId] = notSent;
    }
  }
}
