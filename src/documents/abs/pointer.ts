/** A JSON pointer (RFC 6901) one step further: `~` and `/` of the key are escaped. */
export function joinPointer(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The keys of a JSON pointer; null when the text is none. */
export function splitPointer(pointer: string): readonly string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer itself and every pointer above it, nearest first. */
export function pointersUpward(pointer: string): string[] {
  const result = [pointer];
  for (let at = pointer.lastIndexOf('/'); at >= 0; at = pointer.lastIndexOf('/', at - 1)) {
    result.push(pointer.slice(0, at));
    if (at === 0) break;
  }
  return result;
}
