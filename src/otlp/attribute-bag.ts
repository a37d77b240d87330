import type { AttributeSource } from '../model/span.js';
import type { JsonValue } from '../util/json.js';
import { decodeKey, decodeKeyValue, type TextCounters } from './any-value.js';
import { WireReader } from './wire-reader.js';

/** Start and end of a KeyValue message. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The attributes of a resource, scope, event or link: the KeyValues under one tag of a message. Keys
 * are read at the first question, values when they are asked for.
 */
export class AttributeBag implements AttributeSource {
  private ranges: Map<string, Range> | null = null;

  constructor(
    private readonly bytes: Buffer,
    private readonly start: number,
    private readonly end: number,
    private readonly tag: number,
    private readonly counters: TextCounters,
  ) {}

  attribute(key: string): JsonValue | undefined {
    const range = this.index().get(key);
    if (range === undefined) return undefined;
    return decodeKeyValue(this.bytes, range.start, range.end, this.counters);
  }

  attributeKeys(): readonly string[] {
    return [...this.index().keys()];
  }

  private index(): ReadonlyMap<string, Range> {
    if (this.ranges !== null) return this.ranges;
    const ranges = new Map<string, Range>();
    const reader = new WireReader(this.bytes, this.start, this.end);
    while (reader.at < reader.end) {
      const tag = reader.readTag();
      if (tag !== this.tag) {
        reader.skip(tag);
        continue;
      }
      const end = reader.readLength();
      const key = decodeKey(this.bytes, reader.at, end, this.counters);
      if (!ranges.has(key)) ranges.set(key, { start: reader.at, end });
      reader.at = end;
    }
    this.ranges = ranges;
    return ranges;
  }
}
