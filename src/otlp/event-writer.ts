import { anyValueTag, eventTag, keyValueTag, listTag, spanTag } from './field-tags.js';
import type { WireWriter } from './wire-writer.js';

/** A bigint becomes an int, a number a double: the caller says which it means. */
export type EventAttribute = string | boolean | bigint | number | readonly string[];

/** Verdict events take a few hundred bytes. */
const usualEventLength = 300;

/** A span event to be added to a span. */
export interface SpanEventData {
  readonly name: string;
  readonly timeUnixNano: bigint;
  /** Written in the order of the keys. */
  readonly attributes: Readonly<Record<string, EventAttribute>>;
}

/** Writes `event` as one element of a span's `events` field, tag and length included. */
export function writeSpanEvent(writer: WireWriter, event: SpanEventData): void {
  writer.byte(spanTag.events);
  const start = writer.beginMessage(usualEventLength);
  writer.byte(eventTag.time);
  writer.fixed64(event.timeUnixNano);
  writer.text(eventTag.name, event.name);
  writeAttributes(writer, eventTag.attributes, event.attributes);
  writer.endMessage(start, usualEventLength);
}

/** Writes attributes as elements of the repeated field `tag`, in the order of their keys. */
export function writeAttributes(
  writer: WireWriter,
  tag: number,
  attributes: Readonly<Record<string, EventAttribute>>,
): void {
  for (const key of Object.keys(attributes)) {
    const value = attributes[key];
    if (value === undefined) continue;
    writer.byte(tag);
    const attributeStart = writer.beginMessage();
    writer.text(keyValueTag.key, key);
    writer.byte(keyValueTag.value);
    writeAnyValue(writer, value);
    writer.endMessage(attributeStart);
  }
}

/** Writes length and content of an AnyValue whose tag was written. */
function writeAnyValue(writer: WireWriter, value: EventAttribute): void {
  const start = writer.beginMessage();
  switch (typeof value) {
    case 'string':
      writer.text(anyValueTag.string, value);
      break;
    case 'boolean':
      writer.byte(anyValueTag.bool);
      writer.byte(value ? 1 : 0);
      break;
    case 'bigint':
      writer.byte(anyValueTag.int);
      writer.varint64(value);
      break;
    case 'number':
      writer.byte(anyValueTag.double);
      writer.double(value);
      break;
    default: {
      writer.byte(anyValueTag.array);
      const listStart = writer.beginMessage();
      for (const item of value) {
        writer.byte(listTag.values);
        writeAnyValue(writer, item);
      }
      writer.endMessage(listStart);
    }
  }
  writer.endMessage(start);
}
