import type { IntRows } from './span-columns.js';

/**
 * Reads the fields of a span in `[from, end)` into its row of columns as long as they have the shapes
 * that exporters write, and returns where the first one of any other shape begins, or `end`. It does
 * nothing for that field: the caller reads it with `WireReader`, which takes every legal shape and
 * throws on illegal ones, and comes back.
 *
 * This function sees every byte that is not content, so it decides the speed of everything. It is one
 * loop without calls, and its tags and columns are literal numbers, because names imported from another
 * module are not constants for the compiler. The comments name them; the tests hold it against
 * protobufjs.
 *
 * Usual shapes: tags of one byte, lengths of up to 16 kB in one or two bytes; attributes with a short
 * key, then one value that is a string, bool, int or double.
 */
export function scanUsualFields(
  bytes: Uint8Array,
  from: number,
  end: number,
  span: Int32Array,
  base: number,
  attributes: IntRows,
): number {
  const rows = attributes.data;
  let row = attributes.count * 4;
  let at = from;
  scan: while (at < end) {
    const tag = bytes[at] ?? 0;
    const second = bytes[at + 1] ?? 0;
    if ((tag & 7) !== 2) {
      if (tag === 0x39 && at + 9 <= end) {
        span[base + 11] = at + 1; // startTime
        at += 9;
      } else if (tag === 0x41 && at + 9 <= end) {
        span[base + 12] = at + 1; // endTime
        at += 9;
      } else if (tag === 0x30 && second < 0x80 && at + 2 <= end) {
        span[base + 9] = second; // kind
        at += 2;
      } else {
        break;
      }
      continue;
    }
    let start = at + 2;
    let length = second;
    if (length >= 0x80) {
      length = (length & 0x7f) | ((bytes[start] ?? 0) << 7);
      start += 1;
      if (length >= 0x4000) break;
    }
    const stop = start + length;
    if (stop > end) break;
    switch (tag) {
      case 0x4a: {
        // attributes: key (0x0a), then value (0x12), which reaches to the end
        const keyLength = bytes[start + 1] ?? 0;
        const keyStart = start + 2;
        const keyEnd = keyStart + keyLength;
        if (bytes[start] !== 0x0a || keyLength >= 0x80 || keyEnd + 3 > stop) break scan;
        if (bytes[keyEnd] !== 0x12 || row + 4 > rows.length) break scan;
        let value = keyEnd + 2;
        let size = bytes[keyEnd + 1] ?? 0;
        if (size >= 0x80) {
          size = (size & 0x7f) | ((bytes[value] ?? 0) << 7);
          value += 1;
          if (size >= 0x4000) break scan;
        }
        if (value + size !== stop || size < 2) break scan;
        const kind = bytes[value] ?? 0;
        let content = value + 1;
        if (kind === 0x0a) {
          // string: its length must reach to the end too
          size = bytes[content] ?? 0;
          content += 1;
          if (size >= 0x80) {
            size = (size & 0x7f) | ((bytes[content] ?? 0) << 7);
            content += 1;
            if (size >= 0x4000) break scan;
          }
          if (content + size !== stop) break scan;
        } else if (kind === 0x18 || kind === 0x10) {
          // int, bool: one varint of up to ten bytes
          while (content < stop && (bytes[content] ?? 0) >= 0x80) content += 1;
          if (content + 1 !== stop || content - value > 10) break scan;
        } else if (kind !== 0x21 || value + 9 !== stop) {
          break scan; // anything but a double
        }
        rows[row] = ~keyStart;
        rows[row + 1] = keyEnd;
        rows[row + 2] = value;
        rows[row + 3] = stop;
        row += 4;
        break;
      }
      case 0x0a: // traceId
        span[base + 4] = start;
        span[base + 24] = stop;
        break;
      case 0x12: // spanId
        span[base + 5] = start;
        span[base + 25] = stop;
        break;
      case 0x22: // parentSpanId
        span[base + 6] = start;
        span[base + 26] = stop;
        break;
      case 0x2a: // name
        span[base + 7] = start;
        span[base + 8] = stop;
        break;
      case 0x7a: // status, empty or a code only
        if (length === 2 && bytes[start] === 0x18 && (bytes[start + 1] ?? 0) < 0x80) {
          span[base + 13] = bytes[start + 1] ?? 0;
        } else if (length !== 0) {
          break scan;
        }
        break;
      default:
        break scan;
    }
    at = stop;
  }
  attributes.count = row / 4;
  return at;
}
