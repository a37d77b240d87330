import type { JsonCounters } from './json-counters.js';
import { type JsonCursor, mark } from './json-cursor.js';
import type { Field } from './json-fields.js';
import { type Int64Halves, parseInteger, readDigits } from './json-integer.js';
import type { SpanFault } from './span-fault.js';
import type { WireWriter } from './wire-writer.js';

/** Thrown by the OTLP/JSON encoder where one span, or what a group of spans shares, is wrong. */
export class SpanFaultSignal {
  constructor(readonly fault: SpanFault) {}
}

/** Which texts are ids: OTLP has hex only; files of Tempo and of protobuf tools have base64. */
export type IdEncoding = 'hex' | 'hex_or_base64';

interface IntegerRange {
  readonly least: bigint;
  readonly greatest: bigint;
  /** Whether every number of up to 63 bits is in it. */
  readonly has63Bits: boolean;
}

const int32Range = { least: -(2n ** 31n), greatest: 2n ** 31n - 1n, has63Bits: false };
const uint32Range = { least: 0n, greatest: 2n ** 32n - 1n, has63Bits: false };
const int64Range = { least: -(2n ** 63n), greatest: 2n ** 63n - 1n, has63Bits: true };
const uint64Range = { least: 0n, greatest: 2n ** 64n - 1n, has63Bits: true };

const maxExcerpt = 40;
const numberText = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;
const base64Text = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Reads the scalar at the cursor by the kind of its field and writes it, tag included. */
export class ScalarWriter {
  private readonly halves: Int64Halves = { low: 0, high: 0 };

  constructor(
    private readonly cursor: JsonCursor,
    private readonly out: WireWriter,
    private readonly counters: JsonCounters,
    private readonly ids: IdEncoding,
  ) {}

  string(field: Field): void {
    if (this.cursor.peek() !== mark.quote) this.refuseValue(field, 'a string');
    this.out.varint(field.tag);
    const start = this.out.beginMessage();
    this.cursor.copyString(this.out);
    this.out.endMessage(start);
  }

  bool(field: Field): void {
    const byte = this.cursor.peek();
    if (byte !== 0x74 && byte !== 0x66) this.refuseValue(field, 'true or false');
    this.cursor.skipWord();
    this.out.varint(field.tag);
    this.out.byte(byte === 0x74 ? 1 : 0);
  }

  double(field: Field): void {
    const text = this.numericText(field, 'a number');
    const isNumber = numberText.test(text) || /^(?:NaN|-?Infinity)$/.test(text);
    if (!isNumber) this.refuseNumber(field, text, 'a number, "NaN", "Infinity" or "-Infinity"');
    this.out.varint(field.tag);
    this.out.double(Number(text));
  }

  bytes(field: Field): void {
    if (this.cursor.peek() !== mark.quote) this.refuseValue(field, 'base64 text');
    const text = this.cursor.readString();
    const bytes = decodeBase64(text);
    if (bytes === null) {
      throw new SpanFaultSignal({
        reason: 'bad_value',
        message: `${field.name} is not base64 text of whole bytes`,
      });
    }
    this.out.varint(field.tag);
    this.out.varint(bytes.length);
    this.out.raw(bytes, 0, bytes.length);
  }

  int64(field: Field): void {
    this.integer(field, int64Range);
    this.out.varint(field.tag);
    this.out.varint64Halves(this.halves.low, this.halves.high);
  }

  fixed64(field: Field): void {
    this.integer(field, uint64Range);
    this.out.varint(field.tag);
    this.out.fixed32(this.halves.low);
    this.out.fixed32(this.halves.high);
  }

  fixed32(field: Field): void {
    this.integer(field, uint32Range);
    this.out.varint(field.tag);
    this.out.fixed32(this.halves.low);
  }

  uint32(field: Field): void {
    this.integer(field, uint32Range);
    this.out.varint(field.tag);
    this.out.varint(this.halves.low);
  }

  /** A number, digits in a string or, leniently, a name of the enum. */
  enum(field: Field): void {
    const { cursor } = this;
    if (cursor.peek() === mark.quote) {
      const start = cursor.at;
      const text = cursor.readString();
      const named = field.names?.get(text);
      if (named !== undefined) {
        this.counters.enumNames += 1;
        this.out.varint(field.tag);
        this.out.varint(named);
        return;
      }
      if (/^[A-Za-z_]/.test(text)) {
        const names = [...(field.names?.keys() ?? [])].join(', ');
        throw new SpanFaultSignal({
          reason: 'bad_value',
          message: `${field.name} is ${excerpt(text)}; expected a number or one of ${names}`,
        });
      }
      cursor.at = start;
    }
    this.integer(field, int32Range);
    this.out.varint(field.tag);
    this.out.varint64Halves(this.halves.low, this.halves.high);
  }

  /** An id of `size` bytes; an empty one is absent and writes nothing. */
  id(field: Field, size: number): void {
    const { cursor, out } = this;
    if (cursor.peek() !== mark.quote) {
      this.refuseId(field, size, `is ${cursor.describe()}`);
    }
    const start = cursor.at + 1;
    cursor.skipString();
    const end = cursor.at - 1;
    if (start === end) return;
    out.varint(field.tag);
    out.byte(size);
    if (end - start === size * 2 && this.copyHex(start, end)) return;
    const text = cursor.bytes.toString('latin1', start, end);
    const decoded = /^(?=.*[^0-9a-fA-F])/.test(text) ? decodeBase64(text) : null;
    if (decoded?.length !== size) this.refuseId(field, size, seenId(text, size));
    if (this.ids === 'hex') {
      this.refuseId(field, size, `has ${text.length} characters that look like base64`);
    }
    this.counters.base64Ids += 1;
    out.raw(decoded, 0, size);
  }

  private copyHex(start: number, end: number): boolean {
    const { out } = this;
    out.reserve((end - start) / 2);
    let to = out.at;
    for (let at = start; at < end; at += 2) {
      const high = hexDigit(this.cursor.bytes[at]);
      const low = hexDigit(this.cursor.bytes[at + 1]);
      if (high === -1 || low === -1) return false;
      out.buffer[to] = (high << 4) | low;
      to += 1;
    }
    out.at = to;
    return true;
  }

  /** Reads an integer of the given range into `halves`. */
  private integer(field: Field, range: IntegerRange): void {
    const { cursor, halves } = this;
    const byte = cursor.peek();
    let start = cursor.at;
    let end = start;
    if (byte === mark.quote) {
      cursor.skipString();
      start += 1;
      end = cursor.at - 1;
    } else if (isNumberStart(byte)) {
      cursor.skipWord();
      end = cursor.at;
    } else {
      this.refuseNumber(field, null, wholeNumber(range));
    }
    // The halves of a number up to 2^31 - 1 fit every range; anything else is compared exactly.
    if (readDigits(cursor.bytes, start, end, halves)) {
      if (halves.high === 0 && halves.low < 2 ** 31) return;
      if (range.has63Bits && halves.high < 2 ** 31) return;
    }
    const text = cursor.bytes.toString('latin1', start, end);
    const value = parseInteger(text);
    if (value === null || value < range.least || value > range.greatest) {
      this.refuseNumber(field, text, wholeNumber(range));
    }
    halves.low = Number(BigInt.asUintN(32, value));
    halves.high = Number(BigInt.asUintN(64, value) >> 32n);
  }

  private numericText(field: Field, expected: string): string {
    const { cursor } = this;
    const byte = cursor.peek();
    if (byte === mark.quote) return cursor.readString();
    if (!isNumberStart(byte)) this.refuseNumber(field, null, expected);
    return cursor.bytes.toString('latin1', cursor.skipWord(), cursor.at);
  }

  private refuseValue(field: Field, expected: string): never {
    const message = `${field.name} is ${this.cursor.describe()}; expected ${expected}`;
    throw new SpanFaultSignal({ reason: 'bad_value', message });
  }

  private refuseNumber(field: Field, text: string | null, expected: string): never {
    const { cursor } = this;
    const isLong = text === null && cursor.peek() === mark.openBrace;
    const seen = text === null ? cursor.describe() : excerpt(text);
    const hint = isLong ? ' (a {"low", "high"} pair of a JavaScript Long is not OTLP)' : '';
    const message = `${field.name} is ${seen}${hint}; expected ${expected}`;
    throw new SpanFaultSignal({ reason: 'bad_number', message });
  }

  private refuseId(field: Field, size: number, seen: string): never {
    const message = `${field.name} ${seen}; expected ${size * 2} hex digits`;
    throw new SpanFaultSignal({ reason: 'bad_id', message });
  }
}

function seenId(text: string, size: number): string {
  if (text.length !== size * 2) return `has ${text.length} characters`;
  return `is ${excerpt(text)}, which is not hex`;
}

/** Standard or URL-safe base64, padded or not; null for anything else. */
function decodeBase64(text: string): Buffer | null {
  if (!base64Text.test(text)) return null;
  const digits = text.replace(/=+$/, '');
  const isPadded = digits.length !== text.length;
  if (digits.length % 4 === 1 || (isPadded && text.length % 4 !== 0)) return null;
  return Buffer.from(digits, 'base64');
}

function wholeNumber({ least, greatest }: IntegerRange): string {
  return `a whole number from ${least} to ${greatest}, as a number or as digits in a string`;
}

function excerpt(text: string): string {
  const cut = text.length > maxExcerpt ? `${text.slice(0, maxExcerpt)}…` : text;
  return JSON.stringify(cut);
}

function isNumberStart(byte: number): boolean {
  return byte === 0x2d || (byte >= 0x30 && byte <= 0x39);
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
