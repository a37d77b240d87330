import { type SpanEventData, writeSpanEvent } from './event-writer.js';
import type { SpanBatch, SpanIndex } from './span-batch.js';
import {
  cutColumn,
  type IntRows,
  resourceColumn,
  scopeColumn,
  spanColumn,
} from './span-columns.js';
import { WireWriter } from './wire-writer.js';

/** A place where the request changes: a span that gets events, or a refused span that is left out. */
interface Change {
  /** Where the tag of the span stands. */
  readonly tagStart: number;
  readonly end: number;
  readonly scope: number;
  /** Row of the span; -1 for a refused one. */
  readonly row: number;
  readonly events: readonly SpanEventData[];
}

/** What an annotated span grows by, roughly; only a hint for the first allocation. */
const expectedGrowth = 512;

/**
 * The request of `batch` with events appended to its spans (keys of `additions` are span numbers) and
 * without the spans that were refused. Apart from that, and from the length prefixes of what grew or
 * shrank, the bytes are those received, unknown fields included: a repeated field may be continued at
 * the end of its message. Nothing to change returns the received bytes themselves. Throws a RangeError
 * for a span number outside the batch.
 */
export function annotateTraces(
  batch: SpanBatch,
  additions: ReadonlyMap<number, readonly SpanEventData[]>,
): Uint8Array {
  const changes = listChanges(batch.index, additions);
  if (changes.length === 0) return batch.bytes;
  return new Splice(batch.index, changes.length * expectedGrowth).write(changes);
}

/** The changes in the order of their place. */
function listChanges(
  { spans, cuts }: SpanIndex,
  additions: ReadonlyMap<number, readonly SpanEventData[]>,
): Change[] {
  const changes: Change[] = [];
  for (const [row, events] of additions) {
    if (!(row >= 0 && row < spans.count)) throw new RangeError(`no span ${row} of ${spans.count}`);
    if (events.length === 0) continue;
    const tagStart = spans.get(row, spanColumn.tagStart);
    const end = spans.get(row, spanColumn.end);
    changes.push({ tagStart, end, scope: spans.get(row, spanColumn.scope), row, events });
  }
  for (let cut = 0; cut < cuts.count; cut += 1) {
    const tagStart = cuts.get(cut, cutColumn.tagStart);
    const end = cuts.get(cut, cutColumn.end);
    changes.push({ tagStart, end, scope: cuts.get(cut, cutColumn.scope), row: -1, events: [] });
  }
  return changes.sort((a, b) => a.tagStart - b.tagStart);
}

/** A group message that is being written with a new length. */
interface OpenGroup {
  readonly number: number;
  /** Where the message ends in the received bytes. */
  readonly end: number;
  readonly length: number;
  readonly outStart: number;
}

/** Copies the request, changing what has to change on the way. Groups without changes are not opened. */
class Splice {
  private readonly out: WireWriter;
  private copied = 0;
  private resource: OpenGroup | null = null;
  private scope: OpenGroup | null = null;

  constructor(
    private readonly index: SpanIndex,
    growth: number,
  ) {
    this.out = new WireWriter(index.buffer.length + growth);
  }

  write(changes: readonly Change[]): Uint8Array {
    const { buffer, spans } = this.index;
    for (const change of changes) {
      this.openScope(change.scope);
      if (change.row === -1) {
        this.copyTo(change.tagStart);
        this.copied = change.end;
      } else {
        const span = this.open(spans, change.row, spanColumn);
        this.copyTo(change.end);
        for (const event of change.events) writeSpanEvent(this.out, event);
        this.out.endMessage(span.outStart, span.length);
      }
    }
    this.closeScope();
    this.closeResource();
    this.copyTo(buffer.length);
    return this.out.written();
  }

  private openScope(number: number): void {
    if (this.scope?.number === number) return;
    const { resources, scopes } = this.index;
    this.closeScope();
    const resource = scopes.get(number, scopeColumn.resource);
    if (this.resource?.number !== resource) {
      this.closeResource();
      this.resource = this.open(resources, resource, resourceColumn);
    }
    this.scope = this.open(scopes, number, scopeColumn);
  }

  private closeScope(): void {
    if (this.scope !== null) this.close(this.scope);
    this.scope = null;
  }

  private closeResource(): void {
    if (this.resource !== null) this.close(this.resource);
    this.resource = null;
  }

  /** Copies up to the length of a message and leaves room for a new one. */
  private open(rows: IntRows, number: number, columns: MessageColumns): OpenGroup {
    const start = rows.get(number, columns.start);
    const end = rows.get(number, columns.end);
    // The length begins behind the tag, which is a varint of any size.
    let lengthStart = rows.get(number, columns.tagStart);
    while ((this.index.buffer[lengthStart] ?? 0) >= 0x80) lengthStart += 1;
    this.copyTo(lengthStart + 1);
    this.copied = start;
    return { number, end, length: end - start, outStart: this.out.beginMessage(end - start) };
  }

  private close(group: OpenGroup): void {
    this.copyTo(group.end);
    this.out.endMessage(group.outStart, group.length);
  }

  private copyTo(end: number): void {
    this.out.raw(this.index.buffer, this.copied, end);
    this.copied = end;
  }
}

interface MessageColumns {
  readonly tagStart: number;
  readonly start: number;
  readonly end: number;
}
