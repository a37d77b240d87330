/** Digits, letters, `+`, `-` and `.`: what numbers and the three words are made of. */
export function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e
  );
}

/** Whether `[start, end)` is decimal digits without a leading zero. */
export function isPlainInteger(bytes: Uint8Array, start: number, end: number): boolean {
  if (end === start || (bytes[start] === 0x30 && end - start > 1)) return false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x30 || byte > 0x39) return false;
  }
  return true;
}
