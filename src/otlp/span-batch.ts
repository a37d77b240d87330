import type { Resource, Scope, Span } from '../model/span.js';
import { viewResource, viewScope } from './group-views.js';
import { SpanAttributes } from './span-attributes.js';
import { type IntRows, resourceColumn, scopeColumn, spanColumn } from './span-columns.js';
import { SpanView } from './span-view.js';
import type { WireCounters } from './wire-counters.js';

/** The integer columns over one request; for the files of this folder. */
export interface SpanIndex {
  readonly buffer: Buffer;
  readonly spans: IntRows;
  readonly attributes: IntRows;
  readonly scopes: IntRows;
  readonly resources: IntRows;
  /** Spans that were refused. */
  readonly cuts: IntRows;
  readonly counters: WireCounters;
}

/** The accepted spans of one request, numbered from 0 in the order sent, over the received bytes. */
export class SpanBatch {
  /** The number of accepted spans. */
  readonly size: number;
  /** The attributes of the spans; for the files of this folder. */
  readonly attributes: SpanAttributes;
  private readonly views: Span[] = [];
  private readonly resourceViews: Resource[] = [];
  private readonly scopeViews: Scope[] = [];

  constructor(readonly index: SpanIndex) {
    this.size = index.spans.count;
    this.attributes = new SpanAttributes(index);
  }

  /** The request as received, refused spans included. */
  get bytes(): Uint8Array {
    return this.index.buffer;
  }

  /** The span numbered `row`; the same object at every call. Throws a RangeError outside the batch. */
  span(row: number): Span {
    if (!(row >= 0 && row < this.size)) throw new RangeError(`no span ${row} of ${this.size}`);
    let view = this.views[row];
    if (view === undefined) {
      view = new SpanView(this, row);
      this.views[row] = view;
    }
    return view;
  }

  /** Every span, in order. */
  *[Symbol.iterator](): Iterator<Span> {
    for (let row = 0; row < this.size; row += 1) yield this.span(row);
  }

  /** The message bytes of a span exactly as received, without its tag and length. */
  spanBytes(row: number): Uint8Array {
    const { spans, buffer } = this.index;
    return buffer.subarray(spans.get(row, spanColumn.start), spans.get(row, spanColumn.end));
  }

  resourceOf(row: number): Resource {
    const { buffer, counters, resources, scopes, spans } = this.index;
    const group = scopes.get(spans.get(row, spanColumn.scope), scopeColumn.resource);
    let view = this.resourceViews[group];
    if (view === undefined) {
      const start = resources.get(group, resourceColumn.start);
      view = viewResource(buffer, start, resources.get(group, resourceColumn.end), counters);
      this.resourceViews[group] = view;
    }
    return view;
  }

  scopeOf(row: number): Scope {
    const { buffer, counters, scopes, spans } = this.index;
    const group = spans.get(row, spanColumn.scope);
    let view = this.scopeViews[group];
    if (view === undefined) {
      const start = scopes.get(group, scopeColumn.start);
      view = viewScope(buffer, start, scopes.get(group, scopeColumn.end), counters);
      this.scopeViews[group] = view;
    }
    return view;
  }
}
