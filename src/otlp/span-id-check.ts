import type { SpanFault } from './span-fault.js';

export const traceIdBytes = 16;
export const spanIdBytes = 8;

/** True when every byte of `[start, start + length)` is zero: OTLP's invalid id. */
export function isZero(bytes: Uint8Array, start: number, length: number): boolean {
  for (let index = 0; index < length; index += 1) {
    if (bytes[start + index] !== 0) return false;
  }
  return true;
}

/**
 * Says why the id bytes `[start, end)` of a protobuf span cannot be one, in words that name the usual
 * mistake. Call it only for an id that was found wrong.
 */
export function describeBadId(
  field: string,
  bytes: Uint8Array,
  start: number,
  end: number,
  expected: number,
): SpanFault {
  const length = end - start;
  return {
    reason: 'bad_id',
    message: `${field} ${seen()}; expected ${expected} bytes, not all zero`,
  };

  function seen(): string {
    if (length === 0) return 'is missing';
    if (length === expected) return 'is all zero';
    if (length === expected * 2 && isHexText(bytes, start, end)) {
      return `has ${length} bytes that look like hex text instead of the raw id`;
    }
    if (length === expected * 1.5) {
      return `has ${length} bytes, as if hex text had been decoded as base64`;
    }
    return `has ${length} bytes`;
  }
}

function isHexText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    if (!/[0-9a-fA-F]/.test(String.fromCharCode(bytes[at] ?? 0))) return false;
  }
  return true;
}
