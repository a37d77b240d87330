/** The byte that the escape `\` and `letter` means, or -1 for letters that make no escape of one byte. */
export function simpleEscape(letter: number): number {
  switch (letter) {
    case 0x22: // "
    case 0x5c: // \
    case 0x2f: // /
      return letter;
    case 0x6e: // n
      return 0x0a;
    case 0x72: // r
      return 0x0d;
    case 0x74: // t
      return 0x09;
    case 0x62: // b
      return 0x08;
    case 0x66: // f
      return 0x0c;
    default:
      return -1;
  }
}

/** Writes a code point as UTF-8; returns where the next byte goes. */
export function putCodePoint(out: Buffer, to: number, point: number): number {
  if (point < 0x80) {
    out[to] = point;
    return to + 1;
  }
  if (point < 0x800) {
    out[to] = 0xc0 | (point >> 6);
    out[to + 1] = 0x80 | (point & 0x3f);
    return to + 2;
  }
  if (point < 0x10000) {
    out[to] = 0xe0 | (point >> 12);
    out[to + 1] = 0x80 | ((point >> 6) & 0x3f);
    out[to + 2] = 0x80 | (point & 0x3f);
    return to + 3;
  }
  out[to] = 0xf0 | (point >> 18);
  out[to + 1] = 0x80 | ((point >> 12) & 0x3f);
  out[to + 2] = 0x80 | ((point >> 6) & 0x3f);
  out[to + 3] = 0x80 | (point & 0x3f);
  return to + 4;
}
