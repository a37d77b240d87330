import { anyValueTag, eventTag, keyValueTag, linkTag, listTag } from './field-tags.js';
import type { OtlpLimits } from './limits.js';
import { type SpanFault, tooDeep, tooManyElements } from './span-fault.js';
import { describeBadId, spanIdBytes, traceIdBytes } from './span-id-check.js';
import type { WireCounters } from './wire-counters.js';
import type { WireReader } from './wire-reader.js';

/**
 * Walks the messages inside a span, resource or scope that are decoded later, if ever: attribute values,
 * events, links. Their framing is checked now, so that reading them later cannot fail, and so are the
 * limits. What breaks a limit is left in `fault`; what breaks the framing is thrown by the reader.
 *
 * Every `check…` reads one message from the reader's cursor to the reader's end.
 */
export class MessageChecker {
  /** The first thing that is wrong since `start`. */
  fault: SpanFault | null = null;
  /** Range of the key of the KeyValue that was read last. */
  keyStart = 0;
  keyEnd = 0;
  private elements = 0;

  constructor(
    private readonly reader: WireReader,
    private readonly limits: OtlpLimits,
    private readonly counters: WireCounters,
  ) {}

  /** Begins a span, resource or scope: it has its own limits. */
  start(): void {
    this.fault = null;
    this.elements = 0;
  }

  countElements(count: number): void {
    this.elements += count;
    if (this.elements > this.limits.maxSpanElements) {
      this.fault ??= tooManyElements(this.limits.maxSpanElements);
    }
  }

  checkKeyValue(depth: number): void {
    const { reader } = this;
    let keyStart = reader.at;
    let keyEnd = keyStart;
    while (reader.at < reader.end) {
      const tag = reader.readTag();
      switch (tag) {
        case keyValueTag.key:
          keyEnd = reader.readLength();
          keyStart = reader.at;
          reader.at = keyEnd;
          break;
        case keyValueTag.value: {
          const outerEnd = reader.enter();
          this.checkAnyValue(depth);
          reader.end = outerEnd;
          break;
        }
        case keyValueTag.keyIndex:
          this.counters.stringIndexes += 1;
          reader.skip(tag);
          break;
        default:
          reader.skip(tag);
      }
    }
    this.keyStart = keyStart;
    this.keyEnd = keyEnd;
  }

  checkEvent(): void {
    this.countElements(1);
    this.checkAttributes(eventTag.attributes);
  }

  /** A link id of a wrong length would make the next receiver refuse the whole request. */
  checkLink(): void {
    const { reader } = this;
    this.countElements(1);
    while (reader.at < reader.end) {
      const tag = reader.readTag();
      switch (tag) {
        case linkTag.attributes:
          this.enterKeyValue(1);
          break;
        case linkTag.traceId:
          this.checkLinkId('link trace_id', traceIdBytes);
          break;
        case linkTag.spanId:
          this.checkLinkId('link span_id', spanIdBytes);
          break;
        default:
          reader.skip(tag);
      }
    }
  }

  /** Checks the attributes under `attributesTag` and skips everything else. */
  checkAttributes(attributesTag: number): void {
    const { reader } = this;
    while (reader.at < reader.end) {
      const tag = reader.readTag();
      if (tag === attributesTag) this.enterKeyValue(1);
      else reader.skip(tag);
    }
  }

  /** Recursion ends at the depth limit. */
  private checkAnyValue(depth: number): void {
    const { reader } = this;
    if (depth > this.limits.maxValueDepth) {
      this.fault ??= tooDeep(this.limits.maxValueDepth);
      reader.at = reader.end;
    }
    while (reader.at < reader.end) {
      const tag = reader.readTag();
      switch (tag) {
        case anyValueTag.array:
        case anyValueTag.kvlist: {
          const outerEnd = reader.enter();
          this.checkList(tag, depth + 1);
          reader.end = outerEnd;
          break;
        }
        case anyValueTag.stringIndex:
          this.counters.stringIndexes += 1;
          reader.skip(tag);
          break;
        default:
          reader.skip(tag);
      }
    }
  }

  /** An ArrayValue or KeyValueList; `depth` is that of its elements. */
  private checkList(kind: number, depth: number): void {
    const { reader } = this;
    while (reader.at < reader.end) {
      const tag = reader.readTag();
      if (tag !== listTag.values) {
        reader.skip(tag);
      } else if (kind === anyValueTag.kvlist) {
        this.enterKeyValue(depth);
      } else {
        this.countElements(1);
        const outerEnd = reader.enter();
        this.checkAnyValue(depth);
        reader.end = outerEnd;
      }
    }
  }

  private enterKeyValue(depth: number): void {
    const outerEnd = this.reader.enter();
    this.countElements(1);
    this.checkKeyValue(depth);
    this.reader.end = outerEnd;
  }

  private checkLinkId(field: string, expected: number): void {
    const { reader } = this;
    const end = reader.readLength();
    const length = end - reader.at;
    if (length !== 0 && length !== expected) {
      this.fault ??= describeBadId(field, reader.bytes, reader.at, end, expected);
    }
    reader.at = end;
  }
}
