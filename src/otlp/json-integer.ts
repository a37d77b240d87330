const twoTo16 = 0x10000;
const twoTo32 = 0x100000000;
const billion = 1e9;

/** A 64-bit integer in two unsigned halves, two's complement when negative. */
export interface Int64Halves {
  low: number;
  high: number;
}

/**
 * Reads 1 to 20 decimal digits in `[start, end)` as an unsigned 64-bit integer into `into`, without a
 * bigint. Returns false when the bytes are anything else or do not fit: then `parseInteger` decides.
 */
export function readDigits(
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Int64Halves,
): boolean {
  const length = end - start;
  if (length === 0 || length > 20) return false;
  // value = upper * 10^9 + lower, both exact doubles.
  const split = length > 9 ? end - 9 : start;
  let upper = 0;
  let lower = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return false;
    if (at < split) upper = upper * 10 + digit;
    else lower = lower * 10 + digit;
  }
  const upperLow = upper % twoTo16;
  const partLow = upperLow * billion + lower;
  const partHigh = ((upper - upperLow) / twoTo16) * billion;
  const low = (partHigh % twoTo16) * twoTo16 + (partLow % twoTo32);
  const high =
    Math.floor(partHigh / twoTo16) + Math.floor(partLow / twoTo32) + Math.floor(low / twoTo32);
  if (high >= twoTo32) return false;
  into.low = low % twoTo32;
  into.high = high;
  return true;
}

/** Digits an integer literal may have, exponent counted; more than any 64-bit integer needs. */
const maxDigits = 400;

/**
 * The integer that a decimal literal means, as protojson has it: digits with an optional minus, and
 * also `1.0` or `1e3`, whose value is integral. Null for everything else: `1.5`, ` 12`, `0x10`, ``, `+5`.
 */
export function parseInteger(text: string): bigint | null {
  const match = /^(-?)([0-9]{1,400})(?:\.([0-9]{1,400}))?(?:[eE]([-+]?[0-9]{1,3}))?$/.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const scale = Number(exponent) - fraction.length;
  const digits = (whole + fraction).replace(/^0+(?=.)/, '');
  if (digits === '0') return 0n;
  if (scale < 0 && !/^0+$/.test(digits.slice(scale))) return null;
  const integral = scale < 0 ? digits.slice(0, scale) : digits + '0'.repeat(scale);
  if (integral === '' || integral.length > maxDigits) return null;
  return BigInt(sign + integral);
}
