/** Up to these sizes a loop over bytes beats a call into native code. */
const shortText = 32;
const shortCopy = 24;

/** A growing buffer for protobuf fields. Nested messages are written first and their length put before. */
export class WireWriter {
  /** Room for at least `at` bytes; replaced when it grows. Only for writers that reserve first. */
  buffer: Buffer;
  at = 0;

  constructor(capacity = 1024) {
    this.buffer = Buffer.allocUnsafe(Math.max(capacity, 16));
  }

  /** The bytes written so far; a view that later writing may overwrite. */
  written(): Buffer {
    return this.buffer.subarray(0, this.at);
  }

  /** A copy of the bytes written so far. */
  toBytes(): Uint8Array {
    return Buffer.from(this.written());
  }

  byte(value: number): void {
    this.reserve(1);
    this.buffer[this.at] = value;
    this.at += 1;
  }

  /** An unsigned number below 2^32 as varint; also a tag. */
  varint(value: number): void {
    this.reserve(5);
    this.at = putVarint(this.buffer, this.at, value);
  }

  /** A 64-bit integer as varint, negative ones in two's complement. */
  varint64(value: bigint): void {
    let rest = BigInt.asUintN(64, value);
    this.reserve(10);
    while (rest >= 0x80n) {
      this.buffer[this.at] = Number(rest & 0x7fn) | 0x80;
      this.at += 1;
      rest >>= 7n;
    }
    this.buffer[this.at] = Number(rest);
    this.at += 1;
  }

  /** The same from two unsigned halves, without a bigint. */
  varint64Halves(low: number, high: number): void {
    this.reserve(10);
    let lowRest = low;
    let highRest = high;
    while (highRest !== 0 || lowRest >= 0x80) {
      this.buffer[this.at] = (lowRest & 0x7f) | 0x80;
      this.at += 1;
      lowRest = ((lowRest >>> 7) | (highRest << 25)) >>> 0;
      highRest >>>= 7;
    }
    this.buffer[this.at] = lowRest;
    this.at += 1;
  }

  fixed32(value: number): void {
    this.reserve(4);
    const { at, buffer } = this;
    buffer[at] = value;
    buffer[at + 1] = value >>> 8;
    buffer[at + 2] = value >>> 16;
    buffer[at + 3] = value >>> 24;
    this.at = at + 4;
  }

  fixed64(value: bigint): void {
    this.fixed32(Number(value & 0xffffffffn));
    this.fixed32(Number((value >> 32n) & 0xffffffffn));
  }

  double(value: number): void {
    this.reserve(8);
    this.at = this.buffer.writeDoubleLE(value, this.at);
  }

  /** Copies `[start, end)` of `bytes`. */
  raw(bytes: Buffer, start: number, end: number): void {
    this.reserve(end - start);
    if (end - start > shortCopy) {
      this.at += bytes.copy(this.buffer, this.at, start, end);
      return;
    }
    const { buffer } = this;
    let { at } = this;
    for (let from = start; from < end; from += 1) {
      buffer[at] = bytes[from] ?? 0;
      at += 1;
    }
    this.at = at;
  }

  /** A string field: tag, length, UTF-8. */
  text(tag: number, value: string): void {
    this.varint(tag);
    const length = value.length;
    if (length <= shortText) {
      this.reserve(length + 1);
      const { buffer } = this;
      let at = this.at + 1;
      let index = 0;
      for (; index < length; index += 1) {
        const unit = value.charCodeAt(index);
        if (unit >= 0x80) break;
        buffer[at] = unit;
        at += 1;
      }
      if (index === length) {
        buffer[this.at] = length;
        this.at = at;
        return;
      }
    }
    const size = Buffer.byteLength(value, 'utf8');
    this.varint(size);
    this.reserve(size);
    this.at += this.buffer.write(value, this.at, size, 'utf8');
  }

  /**
   * Begins a nested message whose tag was written, with room for a length of `expectedLength`: pass the
   * result to `endMessage`.
   */
  beginMessage(expectedLength = 0): number {
    const size = varintSize(expectedLength);
    this.reserve(size);
    this.at += size;
    return this.at;
  }

  /**
   * Puts the length of what was written since `start` in the place that `beginMessage` left for
   * `expectedLength`. A wrong expectation costs a move of the content and nothing else.
   */
  endMessage(start: number, expectedLength = 0): void {
    const length = this.at - start;
    const room = varintSize(expectedLength);
    const extra = varintSize(length) - room;
    if (extra !== 0) {
      if (extra > 0) this.reserve(extra);
      this.buffer.copyWithin(start + extra, start, this.at);
      this.at += extra;
    }
    putVarint(this.buffer, start - room, length);
  }

  /** Takes `[start, end)` out of what was written. */
  remove(start: number, end: number): void {
    this.buffer.copyWithin(start, end, this.at);
    this.at -= end - start;
  }

  reserve(size: number): void {
    const needed = this.at + size;
    if (needed <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(grown, 0, 0, this.at);
    this.buffer = grown;
  }
}

/** Bytes of `value` (below 2^32) as varint. */
export function varintSize(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x200000) return 3;
  return value < 0x10000000 ? 4 : 5;
}

/** Writes `value` (below 2^32) as varint; returns where the next byte goes. */
function putVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let next = at;
  while (rest >= 0x80) {
    bytes[next] = (rest & 0x7f) | 0x80;
    next += 1;
    rest >>>= 7;
  }
  bytes[next] = rest;
  return next + 1;
}
