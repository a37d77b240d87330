import {
  requestTag,
  resourceSpansTag,
  resourceTag,
  scopeSpansTag,
  scopeTag,
} from './field-tags.js';
import type { OtlpLimits } from './limits.js';
import { MessageChecker } from './message-checker.js';
import { RejectionList } from './rejection-list.js';
import {
  cutColumn,
  cutWidth,
  IntRows,
  resourceColumn,
  resourceWidth,
  scopeColumn,
  scopeWidth,
  spanColumn,
} from './span-columns.js';
import { type SpanFault, spanPath } from './span-fault.js';
import { SpanReader } from './span-reader.js';
import type { WireCounters } from './wire-counters.js';
import { WireReader } from './wire-reader.js';

/**
 * One pass over the bytes of an ExportTraceServiceRequest (or TracesData, which is the same on the
 * wire). Checks the framing of every nested message and fills the columns; decodes no string.
 *
 * A fault of framing is thrown as `WireFault` and sinks the request. Everything that is wrong with one
 * span only (ids, depth, size) becomes a rejection, and so does every span under a resource or scope
 * that breaks a limit.
 */
export class TraceIndexer {
  readonly scopes = new IntRows(scopeWidth, 8);
  readonly resources = new IntRows(resourceWidth, 8);
  readonly cuts = new IntRows(cutWidth, 0);
  readonly rejections: RejectionList;
  readonly counters: WireCounters = {
    duplicateAttributeKeys: 0,
    stringIndexes: 0,
    deprecatedGroups: 0,
    invalidUtf8: 0,
  };
  readonly spanReader: SpanReader;

  private readonly reader: WireReader;
  private readonly checker: MessageChecker;

  constructor(bytes: Buffer, limits: OtlpLimits) {
    this.rejections = new RejectionList(limits);
    this.reader = new WireReader(bytes, 0, bytes.length);
    this.checker = new MessageChecker(this.reader, limits, this.counters);
    this.spanReader = new SpanReader(bytes, this.reader, this.checker, limits);
  }

  readRequest(): void {
    const { reader } = this;
    while (reader.at < reader.end) {
      const tagStart = reader.at;
      const tag = reader.readTag();
      if (tag === requestTag.resourceSpans) this.readResourceSpans(tagStart);
      else reader.skip(tag);
    }
    this.spanReader.spans.trim();
    this.spanReader.attributes.trim();
  }

  private readResourceSpans(tagStart: number): void {
    const { reader } = this;
    const outerEnd = reader.enter();
    const resource = this.resources.count;
    const row = this.resources.add();
    this.resources.data[row + resourceColumn.tagStart] = tagStart;
    this.resources.data[row + resourceColumn.start] = reader.at;
    this.resources.data[row + resourceColumn.end] = reader.end;
    const firstSpan = this.spanReader.spans.count;
    let groupFault: SpanFault | null = null;
    let ordinal = 0;
    while (reader.at < reader.end) {
      const fieldStart = reader.at;
      const tag = reader.readTag();
      switch (tag) {
        case resourceSpansTag.librarySpans:
        case resourceSpansTag.scopeSpans:
          if (tag === resourceSpansTag.librarySpans) this.counters.deprecatedGroups += 1;
          this.readScopeSpans(fieldStart, resource, ordinal);
          ordinal += 1;
          break;
        case resourceSpansTag.resource:
          groupFault = this.checkHolder(resourceTag.attributes) ?? groupFault;
          break;
        default:
          reader.skip(tag);
      }
    }
    if (groupFault !== null) this.refuseFrom(firstSpan, 'resource', groupFault);
    reader.end = outerEnd;
  }

  private readScopeSpans(tagStart: number, resource: number, ordinal: number): void {
    const { reader } = this;
    const outerEnd = reader.enter();
    const scope = this.scopes.count;
    const row = this.scopes.add();
    this.scopes.data[row + scopeColumn.tagStart] = tagStart;
    this.scopes.data[row + scopeColumn.start] = reader.at;
    this.scopes.data[row + scopeColumn.end] = reader.end;
    this.scopes.data[row + scopeColumn.resource] = resource;
    this.scopes.data[row + scopeColumn.ordinal] = ordinal;
    const firstSpan = this.spanReader.spans.count;
    let groupFault: SpanFault | null = null;
    let spanOrdinal = 0;
    while (reader.at < reader.end) {
      const fieldStart = reader.at;
      const tag = reader.readTag();
      switch (tag) {
        case scopeSpansTag.spans:
          this.readSpan(fieldStart, scope, spanOrdinal);
          spanOrdinal += 1;
          break;
        case scopeSpansTag.scope:
          groupFault = this.checkHolder(scopeTag.attributes) ?? groupFault;
          break;
        default:
          reader.skip(tag);
      }
    }
    if (groupFault !== null) this.refuseFrom(firstSpan, 'scope', groupFault);
    reader.end = outerEnd;
  }

  /** Checks the resource or scope whose tag was just read; says what breaks a limit. */
  private checkHolder(attributesTag: number): SpanFault | null {
    const { checker, reader } = this;
    const outerEnd = reader.enter();
    checker.start();
    checker.checkAttributes(attributesTag);
    reader.end = outerEnd;
    return checker.fault;
  }

  private readSpan(tagStart: number, scope: number, ordinal: number): void {
    const { reader, spanReader } = this;
    const outerEnd = reader.enter();
    const fault = spanReader.readSpan(tagStart, scope, ordinal);
    reader.end = outerEnd;
    if (fault === null) return;
    const row = spanReader.spans.count - 1;
    this.refuse(row, fault);
    spanReader.removeFrom(row);
  }

  /** Refuses every span kept since `firstSpan`: what they share broke a limit. */
  private refuseFrom(firstSpan: number, holder: string, fault: SpanFault): void {
    const message = `in the ${holder} of the span: ${fault.message}`;
    for (let row = firstSpan; row < this.spanReader.spans.count; row += 1) {
      this.refuse(row, { reason: fault.reason, message });
    }
    this.spanReader.removeFrom(firstSpan);
  }

  private refuse(row: number, { reason, message }: SpanFault): void {
    const { spans } = this.spanReader;
    const scope = spans.get(row, spanColumn.scope);
    this.cut(spans.get(row, spanColumn.tagStart), spans.get(row, spanColumn.end), scope);
    this.rejections.add(() => ({
      reason,
      message,
      at: spanPath(
        this.scopes.get(scope, scopeColumn.resource),
        this.scopes.get(scope, scopeColumn.ordinal),
        spans.get(row, spanColumn.ordinal),
      ),
      traceId: this.spanReader.traceIdOf(row),
    }));
  }

  /** Notes bytes that are not to be forwarded; neighbours share a row. */
  private cut(tagStart: number, end: number, scope: number): void {
    const { cuts } = this;
    const last = (cuts.count - 1) * cutWidth;
    const isNext = cuts.count > 0 && cuts.data[last + cutColumn.end] === tagStart;
    if (isNext && cuts.data[last + cutColumn.scope] === scope) {
      cuts.data[last + cutColumn.end] = end;
      return;
    }
    const row = cuts.add();
    cuts.data[row + cutColumn.tagStart] = tagStart;
    cuts.data[row + cutColumn.end] = end;
    cuts.data[row + cutColumn.scope] = scope;
  }
}
