/**
 * Rows of 32-bit integers in one growing array: what an index keeps per span, attribute, scope and
 * resource. Row `i`, column `c` is `data[i * width + c]`.
 */
export class IntRows {
  data: Int32Array;
  count = 0;

  constructor(
    readonly width: number,
    capacity: number,
  ) {
    this.data = new Int32Array(width * Math.max(capacity, 4));
  }

  /** Makes room for one more row, all zero, and returns the offset of its first column. */
  add(): number {
    const base = this.count * this.width;
    if (base + this.width > this.data.length) {
      const grown = new Int32Array(this.data.length * 2);
      grown.set(this.data);
      this.data = grown;
    }
    this.count += 1;
    return base;
  }

  /** Takes back all rows from `row` on. */
  removeFrom(row: number): void {
    this.data.fill(0, row * this.width, this.count * this.width);
    this.count = row;
  }

  get(row: number, column: number): number {
    return this.data[row * this.width + column] ?? 0;
  }

  /** Gives back the memory that growth left unused. */
  trim(): void {
    const used = this.count * this.width;
    if (used * 2 < this.data.length) this.data = this.data.slice(0, used);
  }
}

/** Offset of a field that was not sent. */
export const notSent = -1;

/**
 * Columns of a span. Offsets count from the start of the request; `notSent` or an empty range means
 * that the field was not sent. The order is the order of writing in the indexer.
 */
export const spanColumn = {
  tagStart: 0,
  start: 1,
  end: 2,
  scope: 3,
  traceId: 4,
  spanId: 5,
  parentSpanId: 6,
  nameStart: 7,
  nameEnd: 8,
  kind: 9,
  flags: 10,
  startTime: 11,
  endTime: 12,
  statusCode: 13,
  messageStart: 14,
  messageEnd: 15,
  droppedAttributes: 16,
  droppedEvents: 17,
  droppedLinks: 18,
  firstAttribute: 19,
  attributeCount: 20,
  eventCount: 21,
  linkCount: 22,
  /** Position in its ScopeSpans as sent, refused spans counted. */
  ordinal: 23,
  // Where the ids end; of interest only until their length is checked.
  traceIdEnd: 24,
  spanIdEnd: 25,
  parentSpanIdEnd: 26,
} as const;
export const spanWidth = 27;

/**
 * Columns of an attribute. `key` is `~start` of its key until the span is first asked for an attribute,
 * then the id of the key. `valueStart` to `end` is its AnyValue message; where the attribute is of an
 * unusual shape (several values, fields in another order), `valueStart` is `~start` of its KeyValue.
 */
export const attributeColumn = { key: 0, keyEnd: 1, valueStart: 2, end: 3 } as const;
export const attributeWidth = 4;

/** Columns of a ScopeSpans: where its tag stands, the range of its message, its ResourceSpans, its position there. */
export const scopeColumn = { tagStart: 0, start: 1, end: 2, resource: 3, ordinal: 4 } as const;
export const scopeWidth = 5;

/** Columns of a ResourceSpans. */
export const resourceColumn = { tagStart: 0, start: 1, end: 2 } as const;
export const resourceWidth = 3;

/** Columns of refused spans in a row: their range from the first tag on, and their ScopeSpans. */
export const cutColumn = { tagStart: 0, end: 1, scope: 2 } as const;
export const cutWidth = 3;
