import type { SpanEvent, SpanLink } from '../model/span.js';
import { decodeText, type TextCounters } from './any-value.js';
import { AttributeBag } from './attribute-bag.js';
import { eventTag, linkTag } from './field-tags.js';
import { readFixed64, WireReader } from './wire-reader.js';

/** A span event over its message `[start, end)`; attribute values are decoded when asked for. */
export class EventView extends AttributeBag implements SpanEvent {
  readonly name: string;
  readonly timeUnixNano: bigint;
  readonly droppedAttributes: number;

  constructor(bytes: Buffer, start: number, end: number, counters: TextCounters) {
    super(bytes, start, end, eventTag.attributes, counters);
    let name = '';
    let time = 0n;
    let dropped = 0;
    const reader = new WireReader(bytes, start, end);
    while (reader.at < reader.end) {
      const tag = reader.readTag();
      switch (tag) {
        case eventTag.time:
          time = readFixed64(bytes, reader.advance(8));
          break;
        case eventTag.name: {
          const fieldEnd = reader.readLength();
          name = decodeText(bytes, reader.at, fieldEnd, counters);
          reader.at = fieldEnd;
          break;
        }
        case eventTag.droppedAttributes:
          dropped = reader.readVarint();
          break;
        default:
          reader.skip(tag);
      }
    }
    this.name = name;
    this.timeUnixNano = time;
    this.droppedAttributes = dropped;
  }
}

/** A span link over its message; ids are lower-case hex, empty when not sent. */
export class LinkView extends AttributeBag implements SpanLink {
  readonly traceId: string;
  readonly spanId: string;

  constructor(bytes: Buffer, start: number, end: number, counters: TextCounters) {
    super(bytes, start, end, linkTag.attributes, counters);
    let traceId = '';
    let spanId = '';
    const reader = new WireReader(bytes, start, end);
    while (reader.at < reader.end) {
      const tag = reader.readTag();
      if (tag !== linkTag.traceId && tag !== linkTag.spanId) {
        reader.skip(tag);
        continue;
      }
      const fieldEnd = reader.readLength();
      const id = bytes.toString('hex', reader.at, fieldEnd);
      if (tag === linkTag.traceId) traceId = id;
      else spanId = id;
      reader.at = fieldEnd;
    }
    this.traceId = traceId;
    this.spanId = spanId;
  }
}
