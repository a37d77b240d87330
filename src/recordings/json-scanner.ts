const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Finds where a JSON object ends without parsing it: counts braces outside of strings. It may be fed
 * in slices. What lies between the braces is judged later, by the parser.
 */
export class JsonScanner {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** Scans `bytes[from…]`; returns the index after the brace that closes the object, or -1. */
  scan(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#isInString = false;
      } else if (byte === quote) this.#isInString = true;
      else if (byte === openBrace) this.#depth++;
      else if (byte === closeBrace && --this.#depth <= 0) return at + 1;
    }
    return -1;
  }
}

/** True when `text` is one object from its first byte that closes, with only white space after it. */
export function isWholeObject(text: Uint8Array): boolean {
  if (text[0] !== openBrace) return false;
  const end = new JsonScanner().scan(text, 0);
  return end > 0 && skipSpace(text, end) === text.length;
}

/** Index of the first byte from `from` that is no JSON white space. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at++;
  return at;
}

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The text without a leading UTF-8 byte order mark. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

/**
 * True when the bytes can only be the start of JSON text, never of protobuf. A protobuf body starts
 * with 0x0A, which is a line break too, so the first structural characters are looked at together:
 * `{"` or `[{` and the like. In protobuf these would be lengths that exceed their enclosing message or
 * keys that hold control characters.
 */
export function looksLikeJson(head: Uint8Array): boolean {
  const text = withoutMark(head);
  const first = skipSpace(text, 0);
  const open = text[first];
  if (open !== openBrace && open !== openBracket) return false;
  const second = skipSpace(text, first + 1);
  const next = text[second];
  if (next === undefined) return true;
  if (open === openBrace) {
    const key = text[second + 1];
    return next === closeBrace || (next === quote && (key === undefined || key >= 0x20));
  }
  return next === openBrace || next === openBracket || next === closeBracket;
}
