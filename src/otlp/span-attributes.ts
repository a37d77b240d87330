import type { JsonValue } from '../util/json.js';
import { decodeAnyValue, decodeKeyValue } from './any-value.js';
import { KeyTable } from './key-table.js';
import type { SpanIndex } from './span-batch.js';
import { attributeColumn, attributeWidth, spanColumn } from './span-columns.js';

/**
 * Finds and decodes attributes of the spans of one batch. The keys of a span become ids when it is first
 * asked; after that, finding an attribute compares integers.
 */
export class SpanAttributes {
  private readonly keys: KeyTable;
  /** Key id to the row after the last span that had it. */
  private readonly lastHolder: number[] = [];

  constructor(private readonly index: SpanIndex) {
    this.keys = new KeyTable(index.buffer);
  }

  /** Value of the first attribute of that key; `undefined` when the span has none. */
  find(row: number, key: string): JsonValue | undefined {
    const { attributes, buffer, counters } = this.index;
    const { data } = attributes;
    const first = this.firstOf(row);
    const end = this.endOf(row, first);
    if (first < end && (data[first] ?? 0) < 0) this.internKeys(row, first, end);
    const wanted = this.keys.idOf(key);
    for (let at = first; at < end; at += attributeWidth) {
      if (data[at] !== wanted) continue;
      const valueStart = data[at + attributeColumn.valueStart] ?? 0;
      const valueEnd = data[at + attributeColumn.end] ?? 0;
      return valueStart < 0
        ? decodeKeyValue(buffer, ~valueStart, valueEnd, counters)
        : decodeAnyValue(buffer, valueStart, valueEnd, counters);
    }
    return undefined;
  }

  /** Keys in the order sent; duplicates once. */
  keysOf(row: number): readonly string[] {
    const { data } = this.index.attributes;
    const first = this.firstOf(row);
    const end = this.endOf(row, first);
    if (first < end && (data[first] ?? 0) < 0) this.internKeys(row, first, end);
    const found = new Set<string>();
    for (let at = first; at < end; at += attributeWidth) {
      found.add(this.keys.textOf(data[at] ?? 0));
    }
    return [...found];
  }

  /** Where the columns of the attributes of a span begin. */
  private firstOf(row: number): number {
    return this.index.spans.get(row, spanColumn.firstAttribute) * attributeWidth;
  }

  private endOf(row: number, first: number): number {
    return first + this.index.spans.get(row, spanColumn.attributeCount) * attributeWidth;
  }

  private internKeys(row: number, first: number, end: number): void {
    const { keys, lastHolder } = this;
    const { attributes, counters } = this.index;
    const { data } = attributes;
    for (let at = first; at < end; at += attributeWidth) {
      const key = keys.intern(~(data[at] ?? 0), data[at + attributeColumn.keyEnd] ?? 0);
      data[at] = key;
      if (lastHolder[key] === row + 1) counters.duplicateAttributeKeys += 1;
      lastHolder[key] = row + 1;
    }
  }
}
