import { putCodePoint, simpleEscape } from './json-escapes.js';
import { isPlainInteger, isWordByte } from './json-words.js';
import type { WireWriter } from './wire-writer.js';

/** Thrown inside the OTLP/JSON reader only: the text is not JSON, or not a request at all. */
export class JsonTextFault {
  constructor(
    readonly message: string,
    readonly offset: number,
  ) {}
}

export const mark = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  openBracket: 0x5b,
  closeBracket: 0x5d,
} as const;

/** Up to here a loop over bytes beats a call into native code. */
const shortRun = 48;
/** Brackets that a skipped value may open; more are taken for an attack on whoever reads it next. */
const maxSkippedDepth = 10_000;
/**
 * A cursor over JSON text in UTF-8 bytes that never makes a string it is not asked for. Raw control
 * characters inside strings are accepted.
 */
export class JsonCursor {
  at = 0;
  /** `\u` escapes of half a surrogate pair; they become U+FFFD. */
  loneSurrogates = 0;
  /** The nearest quote and backslash; true for every place from `…From` up to them. */
  private quoteFrom = 0;
  private nextQuote = -1;
  private backslashFrom = 0;
  private nextBackslash = -1;

  constructor(readonly bytes: Buffer) {}

  /** The first byte of the next token, which the cursor then stands at; -1 at the end. */
  peek(): number {
    const { bytes } = this;
    for (;;) {
      const byte = bytes[this.at];
      if (byte === undefined) return -1;
      if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) {
        return byte;
      }
      this.at += 1;
    }
  }

  /** Moves behind `byte` if it is the next token. */
  takes(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.at += 1;
    return true;
  }

  expect(byte: number, where: string): void {
    if (!this.takes(byte)) this.fail(`expected "${String.fromCharCode(byte)}" ${where}`);
  }

  /** Moves behind `null` if that is the next value. */
  takesNull(): boolean {
    if (this.peek() !== 0x6e) return false;
    this.skipWord();
    return true;
  }

  /**
   * Copies the string at the cursor into `writer` as UTF-8, without its quotes. A JSON string is never
   * shorter than what it means, so room for the rest of the input is room enough.
   */
  copyString(writer: WireWriter): void {
    const { bytes } = this;
    writer.reserve(bytes.length - this.at);
    const out = writer.buffer;
    let from = this.at + 1;
    let to = writer.at;
    let shortEnd = from + shortRun;
    for (;;) {
      const byte = bytes[from];
      if (byte === mark.quote) break;
      if (byte === mark.backslash) {
        this.at = from;
        to = this.decodeEscape(out, to);
        from = this.at;
        shortEnd = from + shortRun;
      } else if (byte === undefined) {
        this.fail('the text ends inside a string');
      } else if (from < shortEnd) {
        out[to] = byte;
        to += 1;
        from += 1;
      } else {
        const end = this.endOfRun(from);
        to += bytes.copy(out, to, from, end);
        from = end;
      }
    }
    this.at = from + 1;
    writer.at = to;
  }

  /** Where the string ends whose content begins at `from`, if it holds no escape; else -1. */
  endOfPlainText(from: number): number {
    const { bytes } = this;
    const shortEnd = from + shortRun;
    let at = from;
    for (; at < shortEnd; at += 1) {
      const byte = bytes[at];
      if (byte === mark.quote) return at;
      if (byte === undefined || byte === mark.backslash) return -1;
    }
    at = this.endOfRun(at);
    return bytes[at] === mark.quote ? at : -1;
  }

  /** Moves behind the string at the cursor; true when it holds an escape. */
  skipString(): boolean {
    const { bytes } = this;
    let from = this.at + 1;
    let hasEscape = false;
    for (;;) {
      const byte = bytes[from];
      if (byte === mark.quote) break;
      if (byte === undefined) this.fail('the text ends inside a string');
      if (byte === mark.backslash) {
        hasEscape = true;
        from += 2;
      } else {
        from = from - this.at < shortRun ? from + 1 : this.endOfRun(from);
      }
    }
    this.at = from + 1;
    return hasEscape;
  }

  /** The string at the cursor; for short ones such as ids and names. */
  readString(): string {
    const start = this.at;
    if (!this.skipString()) return this.bytes.toString('utf8', start + 1, this.at - 1);
    const end = this.at;
    const decoded = Buffer.allocUnsafe(end - start);
    let length = 0;
    let from = start + 1;
    while (from < end - 1) {
      if (this.bytes[from] === mark.backslash) {
        this.at = from;
        length = this.decodeEscape(decoded, length);
        from = this.at;
      } else {
        decoded[length] = this.bytes[from] ?? 0;
        length += 1;
        from += 1;
      }
    }
    this.at = end;
    return decoded.toString('utf8', 0, length);
  }

  /** Moves behind a number, `true`, `false` or `null`; returns where it began. Checks its grammar. */
  skipWord(): number {
    const start = this.at;
    const { bytes } = this;
    for (;;) {
      const byte = bytes[this.at];
      if (byte === undefined || !isWordByte(byte)) break;
      this.at += 1;
    }
    // 1 to 19 plain digits need no closer look; the first may not be a zero before others.
    if (!isPlainInteger(bytes, start, this.at)) {
      const word = bytes.toString('latin1', start, this.at);
      if (
        !/^(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)$/.test(word)
      ) {
        this.at = start;
        this.fail('expected a JSON value');
      }
    }
    return start;
  }

  /** Moves behind any value, however deep, without recursion. */
  skipValue(): void {
    const closers: number[] = [];
    for (;;) {
      const byte = this.peek();
      if (byte === mark.openBrace || byte === mark.openBracket) {
        this.at += 1;
        const closer = byte === mark.openBrace ? mark.closeBrace : mark.closeBracket;
        if (!this.takes(closer)) {
          if (closers.length === maxSkippedDepth) this.fail('an unknown field is nested too deep');
          closers.push(closer);
          if (closer === mark.closeBrace) this.skipKey();
          continue;
        }
      } else if (byte === mark.quote) {
        this.skipString();
      } else {
        this.skipWord();
      }
      for (;;) {
        const closer = closers.at(-1);
        if (closer === undefined) return;
        if (this.takes(mark.comma)) {
          if (closer === mark.closeBrace) this.skipKey();
          break;
        }
        this.expect(closer, 'or ","');
        closers.pop();
      }
    }
  }

  private skipKey(): void {
    if (this.peek() !== mark.quote) this.fail('expected a key in quotes');
    this.skipString();
    this.expect(mark.colon, 'after a key');
  }

  /** What the next token is, in words; never more of the text than that. */
  describe(): string {
    const byte = this.peek();
    switch (byte) {
      case -1:
        return 'the end of the text';
      case mark.quote:
        return 'a string';
      case mark.openBrace:
        return 'an object';
      case mark.openBracket:
        return 'an array';
      case 0x74:
      case 0x66:
        return 'a boolean';
      case 0x6e:
        return 'null';
      default:
        return byte === 0x2d || (byte >= 0x30 && byte <= 0x39)
          ? 'a number'
          : JSON.stringify(String.fromCharCode(byte));
    }
  }

  fail(expected: string): never {
    throw new JsonTextFault(`${expected}, saw ${this.describe()}`, this.at);
  }

  /**
   * The next quote or backslash from `from` on, or the end. Looking far ahead is paid once: a text
   * without backslashes is searched for one a single time, also when the cursor goes back.
   */
  private endOfRun(from: number): number {
    const { bytes } = this;
    if (from < this.quoteFrom || from > this.nextQuote) {
      const found = bytes.indexOf(mark.quote, from);
      this.quoteFrom = from;
      this.nextQuote = found === -1 ? bytes.length : found;
    }
    if (from < this.backslashFrom || from > this.nextBackslash) {
      const found = bytes.indexOf(mark.backslash, from);
      this.backslashFrom = from;
      this.nextBackslash = found === -1 ? bytes.length : found;
    }
    return Math.min(this.nextQuote, this.nextBackslash);
  }

  /** Decodes the escape at the cursor into `out` as UTF-8; returns where the next byte goes. */
  private decodeEscape(out: Buffer, to: number): number {
    const letter = this.bytes[this.at + 1] ?? 0;
    if (letter !== 0x75) {
      const simple = simpleEscape(letter);
      if (simple === -1) this.failAt('an unknown escape in a string', this.at);
      out[to] = simple;
      this.at += 2;
      return to + 1;
    }
    let unit = this.readHexUnit(this.at + 2);
    this.at += 6;
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    if (isHigh && this.bytes[this.at] === mark.backslash && this.bytes[this.at + 1] === 0x75) {
      const low = this.readHexUnit(this.at + 2);
      if (low >= 0xdc00 && low < 0xe000) {
        this.at += 6;
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
      }
    }
    if (unit >= 0xd800 && unit < 0xe000) {
      this.loneSurrogates += 1;
      unit = 0xfffd;
    }
    return putCodePoint(out, to, unit);
  }

  private readHexUnit(at: number): number {
    const text = this.bytes.toString('latin1', at, at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(text)) this.failAt('expected four hex digits after \\u', at);
    return Number.parseInt(text, 16);
  }

  private failAt(message: string, offset: number): never {
    throw new JsonTextFault(message, offset);
  }
}
