import { WireReader } from './wire-reader.js';

/** A stretch of bytes inside a buffer. */
export interface ByteRange {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * The singular message field `tag` inside the message `[start, end)`. A field sent in pieces is the
 * message of all pieces in a row (then in a buffer of its own); a missing one is empty.
 */
export function messageField(bytes: Buffer, start: number, end: number, tag: number): ByteRange {
  const pieces = repeatedFields(bytes, start, end, tag);
  const [first] = pieces;
  if (first === undefined) return { bytes, start, end: start };
  if (pieces.length === 1) return first;
  const joined = Buffer.concat(pieces.map((piece) => bytes.subarray(piece.start, piece.end)));
  return { bytes: joined, start: 0, end: joined.length };
}

/** Every field `tag` of the message `[start, end)`; the tag must be of the length-delimited kind. */
export function repeatedFields(
  bytes: Buffer,
  start: number,
  end: number,
  tag: number,
): ByteRange[] {
  const found: ByteRange[] = [];
  const reader = new WireReader(bytes, start, end);
  while (reader.at < reader.end) {
    const seen = reader.readTag();
    if (seen !== tag) {
      reader.skip(seen);
      continue;
    }
    const fieldEnd = reader.readLength();
    found.push({ bytes, start: reader.at, end: fieldEnd });
    reader.at = fieldEnd;
  }
  return found;
}
