/** Protobuf wire types that exist in OTLP; groups (3, 4) and 6, 7 are malformed. */
export const wireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Thrown inside the wire reader only; `indexTraces` turns it into a value. */
export class WireFault {
  constructor(
    readonly message: string,
    readonly offset: number,
  ) {}
}

/**
 * A cursor over protobuf bytes. Every length is checked against `end`, the end of the message being
 * read, so a nested message cannot reach into its neighbour.
 */
export class WireReader {
  at: number;

  constructor(
    readonly bytes: Uint8Array,
    start: number,
    public end: number,
  ) {
    this.at = start;
  }

  /** Field number times 8 plus wire type. */
  readTag(): number {
    const start = this.at;
    const tag = this.readVarint();
    if (tag < 8) this.fail('field number 0', start);
    return tag;
  }

  /**
   * The low 32 bits of a varint, unsigned, as protobuf defines for 32-bit fields. More than ten bytes is
   * malformed.
   */
  readVarint(): number {
    const { bytes, end } = this;
    const first = this.at < end ? (bytes[this.at] ?? 0) : this.fail('a varint breaks off', this.at);
    if (first < 0x80) {
      this.at += 1;
      return first;
    }
    let value = first & 0x7f;
    for (let index = 1; index < 10; index += 1) {
      const at = this.at + index;
      const byte = at < end ? (bytes[at] ?? 0) : this.fail('a varint breaks off', at);
      if (index < 5) value |= (byte & 0x7f) << (7 * index);
      if (byte < 0x80) {
        this.at = at + 1;
        return value >>> 0;
      }
    }
    return this.fail('a varint of more than ten bytes', this.at);
  }

  /** A signed 64-bit varint: a number where that is exact, else a bigint. */
  readInt64(): number | bigint {
    const start = this.at;
    const low = this.readVarint();
    // Up to four bytes hold 28 bits, so the low half is all of it.
    if (this.at - start <= 4) return low;
    let value = 0n;
    for (let at = start; at < this.at; at += 1) {
      value |= BigInt((this.bytes[at] ?? 0) & 0x7f) << BigInt(7 * (at - start));
    }
    const signed = BigInt.asIntN(64, value);
    const number = Number(signed);
    return Number.isSafeInteger(number) ? number : signed;
  }

  /** Reads a length and returns where the field's bytes end; the cursor stands at their start. */
  readLength(): number {
    const start = this.at;
    const length = this.readVarint();
    const fieldEnd = this.at + length;
    if (fieldEnd > this.end || (this.at - start > 4 && this.isCut(start))) {
      this.fail(`a field of ${length} bytes or more where ${this.end - this.at} are left`, start);
    }
    return fieldEnd;
  }

  /**
   * Whether the varint that was just read is more than 31 bits, of which `readVarint` told the lower
   * ones. Some writers pad lengths with zeros, so a long varint may be a small number.
   */
  private isCut(start: number): boolean {
    const { at, bytes } = this;
    if (((bytes[start + 4] ?? 0) & 0x7f) > 7) return true;
    return bytes.subarray(start + 5, at).some((byte) => (byte & 0x7f) !== 0);
  }

  /** Narrows the cursor to the message whose length it stands at; returns the end to restore. */
  enter(): number {
    const outerEnd = this.end;
    this.end = this.readLength();
    return outerEnd;
  }

  /** Moves behind a field whose tag was just read. */
  skip(tag: number): void {
    switch (tag & 7) {
      case wireType.varint:
        this.readVarint();
        return;
      case wireType.fixed64:
        this.advance(8);
        return;
      case wireType.bytes:
        this.at = this.readLength();
        return;
      case wireType.fixed32:
        this.advance(4);
        return;
      default:
        this.fail(`wire type ${tag & 7}, which OTLP does not use`, this.at);
    }
  }

  /** Moves over `size` bytes and returns where they start. */
  advance(size: number): number {
    const start = this.at;
    if (start + size > this.end) {
      this.fail(`a number of ${size} bytes where ${this.end - start} are left`, start);
    }
    this.at = start + size;
    return start;
  }

  fail(message: string, offset: number): never {
    throw new WireFault(message, offset);
  }
}

/** The little-endian 64-bit number at `at`, unsigned. */
export function readFixed64(bytes: Uint8Array, at: number): bigint {
  return (BigInt(readFixed32(bytes, at + 4)) << 32n) | BigInt(readFixed32(bytes, at));
}

/** The little-endian 32-bit number at `at`, unsigned. */
export function readFixed32(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24)) >>>
    0
  );
}
