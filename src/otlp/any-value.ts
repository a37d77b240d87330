import { isUtf8 } from 'node:buffer';
import type { JsonValue } from '../util/json.js';
import { anyValueTag, keyValueTag, listTag } from './field-tags.js';
import { WireReader } from './wire-reader.js';

/** Counts what lenient decoding repaired. */
export interface TextCounters {
  invalidUtf8: number;
}

/**
 * Decodes UTF-8; invalid bytes become U+FFFD and are counted once per string. A real U+FFFD in the text
 * is not counted.
 */
export function decodeText(
  bytes: Buffer,
  start: number,
  end: number,
  counters: TextCounters,
): string {
  const text = bytes.toString('utf8', start, end);
  if (text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end))) counters.invalidUtf8 += 1;
  return text;
}

/**
 * The value of the KeyValue message `[start, end)` as JSON: integers exact, bytes as base64 text,
 * non-finite doubles as `"NaN"`, `"Infinity"`, `"-Infinity"`, an empty or missing value as null, a
 * key-value list as an object whose first entry of a key wins. The range was checked by the indexer,
 * so the recursion is bounded.
 */
export function decodeKeyValue(
  bytes: Buffer,
  start: number,
  end: number,
  counters: TextCounters,
): JsonValue {
  const reader = new WireReader(bytes, start, end);
  let valueStart = 0;
  let valueEnd = 0;
  const earlier: Buffer[] = [];
  while (reader.at < end) {
    const tag = reader.readTag();
    if (tag === keyValueTag.value) {
      if (valueEnd !== 0) earlier.push(bytes.subarray(valueStart, valueEnd));
      valueEnd = reader.readLength();
      valueStart = reader.at;
      reader.at = valueEnd;
    } else {
      reader.skip(tag);
    }
  }
  if (earlier.length === 0) return decodeAnyValue(bytes, valueStart, valueEnd, counters);
  // A message field sent in pieces is the message of all pieces in a row.
  const joined = Buffer.concat([...earlier, bytes.subarray(valueStart, valueEnd)]);
  return decodeAnyValue(joined, 0, joined.length, counters);
}

/** The same for the AnyValue message `[start, end)`. */
export function decodeAnyValue(
  bytes: Buffer,
  start: number,
  end: number,
  counters: TextCounters,
): JsonValue {
  // Most values are one string; its length takes one or two bytes.
  const size = bytes[start + 1] ?? 0;
  if (bytes[start] === anyValueTag.string) {
    const text = start + (size < 0x80 ? 2 : 3);
    const length = size < 0x80 ? size : (size & 0x7f) | ((bytes[start + 2] ?? 0) << 7);
    if (text + length === end) return decodeText(bytes, text, end, counters);
  }
  return decodeAnyMember(bytes, start, end, counters);
}

function decodeAnyMember(
  bytes: Buffer,
  start: number,
  end: number,
  counters: TextCounters,
): JsonValue {
  const reader = new WireReader(bytes, start, end);
  let value: JsonValue = null;
  // Pieces of the list that is the value so far: the same member again continues it, another replaces it.
  let listTagSeen = 0;
  let pieces: Buffer[] = [];
  while (reader.at < end) {
    const tag = reader.readTag();
    if (tag === anyValueTag.array || tag === anyValueTag.kvlist) {
      const fieldEnd = reader.readLength();
      if (tag !== listTagSeen) pieces = [];
      pieces.push(bytes.subarray(reader.at, fieldEnd));
      listTagSeen = tag;
      reader.at = fieldEnd;
      continue;
    }
    switch (tag) {
      case anyValueTag.string: {
        const fieldEnd = reader.readLength();
        value = decodeText(bytes, reader.at, fieldEnd, counters);
        reader.at = fieldEnd;
        break;
      }
      case anyValueTag.bool:
        value = reader.readInt64() !== 0;
        break;
      case anyValueTag.int:
        value = reader.readInt64();
        break;
      case anyValueTag.double:
        value = jsonDouble(bytes.readDoubleLE(reader.advance(8)));
        break;
      case anyValueTag.bytes: {
        const fieldEnd = reader.readLength();
        value = bytes.toString('base64', reader.at, fieldEnd);
        reader.at = fieldEnd;
        break;
      }
      case anyValueTag.stringIndex:
        value = null;
        reader.skip(tag);
        break;
      default:
        // An unknown field does not disturb the member that was read.
        reader.skip(tag);
        continue;
    }
    listTagSeen = 0;
  }
  if (listTagSeen === 0) return value;
  const list = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  return listTagSeen === anyValueTag.array
    ? decodeArray(list, counters)
    : decodeList(list, counters);
}

function decodeArray(bytes: Buffer, counters: TextCounters): JsonValue {
  const reader = new WireReader(bytes, 0, bytes.length);
  const items: JsonValue[] = [];
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    if (tag === listTag.values) {
      const end = reader.readLength();
      items.push(decodeAnyValue(bytes, reader.at, end, counters));
      reader.at = end;
    } else {
      reader.skip(tag);
    }
  }
  return items;
}

function decodeList(bytes: Buffer, counters: TextCounters): JsonValue {
  const reader = new WireReader(bytes, 0, bytes.length);
  const object: Record<string, JsonValue> = Object.create(null);
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    if (tag === listTag.values) {
      const end = reader.readLength();
      const key = decodeKey(bytes, reader.at, end, counters);
      if (!(key in object)) object[key] = decodeKeyValue(bytes, reader.at, end, counters);
      reader.at = end;
    } else {
      reader.skip(tag);
    }
  }
  return object;
}

/** The key of the KeyValue message `[start, end)`. */
export function decodeKey(
  bytes: Buffer,
  start: number,
  end: number,
  counters: TextCounters,
): string {
  const reader = new WireReader(bytes, start, end);
  let key = '';
  while (reader.at < end) {
    const tag = reader.readTag();
    if (tag === keyValueTag.key) {
      const fieldEnd = reader.readLength();
      key = decodeText(bytes, reader.at, fieldEnd, counters);
      reader.at = fieldEnd;
    } else {
      reader.skip(tag);
    }
  }
  return key;
}

function jsonDouble(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}
