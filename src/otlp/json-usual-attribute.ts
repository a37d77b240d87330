import { anyValueTag, keyValueTag } from './field-tags.js';
import type { JsonCursor } from './json-cursor.js';
import { varintSize, type WireWriter } from './wire-writer.js';

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const closeBrace = 0x7d;
const maxKeyLength = 0x7f;
const keyStart = Buffer.from('{"key":');
const valueStart = Buffer.from('"value":');
const stringStart = Buffer.from('{"stringValue":');
const intStart = Buffer.from('{"intValue":');

/**
 * Writes the KeyValue at the cursor as a field `tag`, if it has the shape that exporters write: first a
 * short `key`, then a `value` of one `stringValue` without escapes or one small `intValue`, at most one
 * space after each colon and comma. Returns false, having done nothing, for every other shape: then the
 * general writer decides. Attributes are most of a request, so this decides the speed of JSON.
 */
export function copyUsualAttribute(cursor: JsonCursor, out: WireWriter, tag: number): boolean {
  const { bytes } = cursor;
  const keyAt = behind(bytes, cursor.at, keyStart);
  if (keyAt === -1 || bytes[keyAt] !== quote) return false;
  const keyFrom = keyAt + 1;
  let keyEnd = keyFrom;
  for (;;) {
    const byte = bytes[keyEnd];
    if (byte === quote) break;
    if (byte === undefined || byte === backslash || keyEnd - keyFrom > maxKeyLength) return false;
    keyEnd += 1;
  }
  if (keyEnd - keyFrom > maxKeyLength || bytes[keyEnd + 1] !== 0x2c) return false;
  const comma = keyEnd + 1;
  const valueAt = behind(bytes, bytes[comma + 1] === space ? comma + 2 : comma + 1, valueStart);
  if (valueAt === -1) return false;
  const textAt = behind(bytes, valueAt, stringStart);
  if (textAt !== -1) return copyText(cursor, out, tag, keyFrom, keyEnd, textAt);
  const numberAt = behind(bytes, valueAt, intStart);
  return numberAt !== -1 && copyInteger(cursor, out, tag, keyFrom, keyEnd, numberAt);
}

function copyText(
  cursor: JsonCursor,
  out: WireWriter,
  tag: number,
  keyFrom: number,
  keyEnd: number,
  at: number,
): boolean {
  const { bytes } = cursor;
  if (bytes[at] !== quote) return false;
  const end = cursor.endOfPlainText(at + 1);
  if (end === -1 || bytes[end + 1] !== closeBrace || bytes[end + 2] !== closeBrace) return false;
  const length = end - at - 1;
  writeHead(out, tag, bytes, keyFrom, keyEnd, 1 + varintSize(length) + length);
  out.byte(anyValueTag.string);
  out.varint(length);
  out.raw(bytes, at + 1, end);
  cursor.at = end + 3;
  return true;
}

/** A non-negative integer of up to nine digits, in a string or not. */
function copyInteger(
  cursor: JsonCursor,
  out: WireWriter,
  tag: number,
  keyFrom: number,
  keyEnd: number,
  at: number,
): boolean {
  const { bytes } = cursor;
  const isQuoted = bytes[at] === quote;
  const from = isQuoted ? at + 1 : at;
  let to = from;
  let value = 0;
  for (;;) {
    const digit = (bytes[to] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
    to += 1;
    if (to - from > 9) return false;
  }
  if (to === from || (bytes[from] === 0x30 && to - from > 1)) return false;
  if (isQuoted && bytes[to] !== quote) return false;
  const end = isQuoted ? to + 1 : to;
  if (bytes[end] !== closeBrace || bytes[end + 1] !== closeBrace) return false;
  writeHead(out, tag, bytes, keyFrom, keyEnd, 1 + varintSize(value));
  out.byte(anyValueTag.int);
  out.varint(value);
  cursor.at = end + 2;
  return true;
}

/** Writes everything up to the content of the AnyValue, whose length is known. */
function writeHead(
  out: WireWriter,
  tag: number,
  bytes: Buffer,
  keyFrom: number,
  keyEnd: number,
  valueLength: number,
): void {
  const keyLength = keyEnd - keyFrom;
  out.byte(tag);
  out.varint(2 + keyLength + 1 + varintSize(valueLength) + valueLength);
  out.byte(keyValueTag.key);
  out.byte(keyLength);
  out.raw(bytes, keyFrom, keyEnd);
  out.byte(keyValueTag.value);
  out.varint(valueLength);
}

/** Where the token behind `text` begins, if the bytes at `at` are `text`; else -1. */
function behind(bytes: Uint8Array, at: number, text: Uint8Array): number {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text[index]) return -1;
  }
  const next = at + text.length;
  return bytes[next] === space ? next + 1 : next;
}
