/**
 * The least that any reader of these bytes must do: walk to every attribute of every span and see where
 * its key begins and ends. No check, no string, nothing kept; lengths and tags up to 21 bits. Returns a
 * sum, so that it is not optimized away. Figures are told as multiples of it.
 */
export function structuralScan(bytes: Uint8Array): number {
  let sum = 0;
  forEachField(bytes, 0, bytes.length, 0x0a, (groupStart, groupEnd) =>
    forEachField(bytes, groupStart, groupEnd, 0x12, (scopeStart, scopeEnd) =>
      forEachField(bytes, scopeStart, scopeEnd, 0x12, (spanStart, spanEnd) => {
        sum += scanSpan(bytes, spanStart, spanEnd);
      }),
    ),
  );
  return sum;
}

function forEachField(
  bytes: Uint8Array,
  start: number,
  end: number,
  wanted: number,
  visit: (start: number, end: number) => void,
): void {
  let at = start;
  while (at < end) {
    const tag = bytes[at] ?? 0;
    at += 1;
    let length = bytes[at] ?? 0;
    at += 1;
    for (let shift = 7, byte = length; byte >= 0x80; shift += 7) {
      byte = bytes[at] ?? 0;
      length = (length & ((1 << shift) - 1)) | ((byte & 0x7f) << shift);
      at += 1;
    }
    if (tag === wanted) visit(at, at + length);
    at += length;
  }
}

function scanSpan(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  let sum = 0;
  while (at < end) {
    let tag = bytes[at] ?? 0;
    at += 1;
    if (tag >= 0x80) {
      tag = (tag & 0x7f) | ((bytes[at] ?? 0) << 7);
      at += 1;
    }
    const kind = tag & 7;
    if (kind === 2) {
      let length = bytes[at] ?? 0;
      at += 1;
      if (length >= 0x80) {
        const second = bytes[at] ?? 0;
        at += 1;
        length = (length & 0x7f) | ((second & 0x7f) << 7);
        if (second >= 0x80) {
          length |= (bytes[at] ?? 0) << 14;
          at += 1;
        }
      }
      // In an attribute, the key comes first; its length follows its tag.
      if (tag === 0x4a) sum += bytes[at + 1] ?? 0;
      at += length;
    } else if (kind === 1) {
      at += 8;
    } else if (kind === 5) {
      at += 4;
    } else {
      while ((bytes[at] ?? 0) >= 0x80) at += 1;
      at += 1;
    }
  }
  return sum;
}
