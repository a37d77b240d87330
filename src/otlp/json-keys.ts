import type { Field } from './json-fields.js';

interface Entry {
  readonly bytes: Uint8Array;
  readonly field: Field;
  readonly isSnakeCase: boolean;
}

const bucketCount = 64;

/**
 * Finds the field that a key in UTF-8 bytes names, without making a string. Also knows the keys in
 * snake_case, which the JSON mapping forbids and some exporters write.
 */
export class KeyMatcher {
  /** Whether the last match was by the snake_case name. */
  wasSnakeCase = false;
  private readonly buckets: Entry[][] = Array.from({ length: bucketCount }, () => []);

  constructor(fields: readonly Field[]) {
    for (const field of fields) this.add(field);
  }

  add(field: Field): void {
    const snake = field.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    this.addName(field.name, field, false);
    if (snake !== field.name) this.addName(snake, field, true);
  }

  match(bytes: Uint8Array, start: number, end: number): Field | null {
    const bucket = this.buckets[bucketOf(bytes, start, end)] ?? [];
    for (const entry of bucket) {
      if (!isSame(entry.bytes, bytes, start, end)) continue;
      this.wasSnakeCase = entry.isSnakeCase;
      return entry.field;
    }
    return null;
  }

  private addName(name: string, field: Field, isSnakeCase: boolean): void {
    const bytes = Buffer.from(name);
    this.buckets[bucketOf(bytes, 0, bytes.length)]?.push({ bytes, field, isSnakeCase });
  }
}

function bucketOf(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const first = bytes[start] ?? 0;
  const middle = bytes[start + (length >> 1)] ?? 0;
  return (length * 7 + first * 3 + middle) & (bucketCount - 1);
}

function isSame(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let index = 0; index < name.length; index += 1) {
    if (name[index] !== bytes[start + index]) return false;
  }
  return true;
}
