import { resourceSpansTag, scopeSpansTag, spanTag } from './field-tags.js';
import { mark } from './json-cursor.js';
import { type Field, type MessageTable, requestField } from './json-fields.js';
import { JsonMessageWriter } from './json-message-writer.js';
import { SpanFaultSignal } from './json-scalars.js';
import { type ByteRange, repeatedFields } from './message-fields.js';
import { RejectionList } from './rejection-list.js';
import { type SpanFault, spanPath, tooManyBytes } from './span-fault.js';
import { isZero, spanIdBytes, traceIdBytes } from './span-id-check.js';

const traceIdSlot = 0;
const spanIdSlot = 1;
const otherSignals = /^resource_?(?:logs|metrics|profiles)$/i;
/** Objects that answers of trace stores put around a request. */
const wrappers = new Set(['trace', 'result']);

/**
 * Turns one OTLP/JSON trace request into protobuf in one pass over its bytes.
 *
 * Broken JSON throws a `JsonTextFault`. What is wrong with one span throws a `SpanFaultSignal` that
 * ends at that span: its output is undone, the rest of its text skipped, and the next span read.
 * What is wrong with a resource or scope refuses the spans that share it. Repeated members that hold
 * spans add up; nowhere else does a repeated member count twice.
 */
export class JsonTraceEncoder extends JsonMessageWriter {
  readonly rejections = new RejectionList(this.limits);
  /** Whether any member that holds traces was seen. */
  hasTraces = false;

  /** What is wrong with the resource or scope of the group being written. */
  private holderFault: SpanFault | null = null;
  /** Where the spans written so far stood: resource, scope and span ordinal of each. */
  private readonly accepted: number[] = [];
  private resourceOrdinal = -1;
  private scopeOrdinal = -1;
  private spanOrdinal = -1;

  encodeRequest(): void {
    const { cursor } = this;
    this.encodeEnvelope(true);
    if (cursor.peek() !== -1) cursor.fail('expected the end of the text after the request');
    this.counters.loneSurrogates = cursor.loneSurrogates;
  }

  /** The protobuf request; a copy when the writer's buffer is much larger (pretty-printed input). */
  takeBytes(): Uint8Array {
    const written = this.out.written();
    return written.length * 1.5 < this.out.buffer.length ? this.out.toBytes() : written;
  }

  private encodeEnvelope(mayWrap: boolean): void {
    const { counters, cursor } = this;
    cursor.expect(mark.openBrace, 'at the start of a trace request');
    if (cursor.takes(mark.closeBrace)) return;
    do {
      if (cursor.peek() !== mark.quote) cursor.fail('expected a key in quotes');
      const key = cursor.readString();
      cursor.expect(mark.colon, 'after a key');
      if (key === 'resourceSpans' || key === 'batches' || key === 'resource_spans') {
        if (key === 'resource_spans') counters.snakeCaseKeys += 1;
        this.hasTraces = true;
        if (!cursor.takesNull()) this.writeGroups(requestField);
      } else if (mayWrap && wrappers.has(key) && cursor.peek() === mark.openBrace) {
        this.encodeEnvelope(false);
      } else {
        if (otherSignals.test(key)) counters.otherSignals += 1;
        else counters.unknownFields += 1;
        cursor.skipValue();
      }
    } while (cursor.takes(mark.comma));
    cursor.expect(mark.closeBrace, 'or "," in an object');
  }

  protected override writeGroupField(field: Field): void {
    if (field.kind === 'holder') this.writeHolder(field);
    else this.writeGroups(field);
  }

  /** Writes a resource, scope or schema URL; a fault is kept for the end of the group. */
  private writeHolder(field: Field): void {
    const { cursor, out } = this;
    const start = out.at;
    const textStart = cursor.at;
    this.attempt(
      () => (field.message === null ? this.scalars.string(field) : this.writeMessage(field)),
      ({ fault }) => {
        this.holderFault = {
          ...fault,
          message: `in the ${field.name} of the span: ${fault.message}`,
        };
        out.at = start;
        cursor.at = textStart;
        cursor.skipValue();
      },
    );
  }

  /** Writes the elements of a repeated message that spans stand in. */
  private writeGroups(field: Field): void {
    const { cursor } = this;
    const { message } = field;
    if (cursor.peek() !== mark.openBracket) cursor.fail(`expected an array for ${field.name}`);
    if (message === null) return;
    if (message.level === 'span') this.spanOrdinal = -1;
    cursor.at += 1;
    if (cursor.takes(mark.closeBracket)) return;
    do {
      this.countGroup(message);
      if (cursor.takesNull()) continue;
      if (message.level === 'span') this.writeSpan(field, message);
      else this.writeGroup(field, message);
    } while (cursor.takes(mark.comma));
    cursor.expect(mark.closeBracket, 'or "," in an array');
  }

  private countGroup({ level }: MessageTable): void {
    if (level === 'span') {
      this.spanOrdinal += 1;
    } else if (level === 'scopeSpans') {
      this.scopeOrdinal += 1;
    } else {
      this.resourceOrdinal += 1;
      this.scopeOrdinal = -1;
    }
  }

  private writeGroup(field: Field, message: MessageTable): void {
    const { cursor, out } = this;
    if (cursor.peek() !== mark.openBrace) cursor.fail(`expected an object in ${field.name}`);
    const outerFault = this.holderFault;
    const firstAccepted = this.accepted.length;
    const tagStart = out.at;
    this.holderFault = null;
    out.varint(field.tag);
    const start = out.beginMessage();
    this.writeMembers(message);
    if (this.holderFault === null) {
      out.endMessage(start);
    } else {
      this.refuseGroup(this.holderFault, firstAccepted, start, message);
      out.at = tagStart;
    }
    this.holderFault = outerFault;
  }

  private writeSpan(field: Field, message: MessageTable): void {
    const { cursor, out } = this;
    const start = out.at;
    const textStart = cursor.at;
    this.attempt(
      () => {
        if (cursor.peek() !== mark.openBrace) this.refuse(field, 'an object for every span');
        out.varint(field.tag);
        const contentStart = out.beginMessage();
        const seen = this.writeMembers(message);
        this.checkSpan(seen, out.at - contentStart);
        out.endMessage(contentStart);
        this.accepted.push(this.resourceOrdinal, this.scopeOrdinal, this.spanOrdinal);
      },
      ({ fault }) => {
        out.at = start;
        cursor.at = textStart;
        const at = spanPath(this.resourceOrdinal, this.scopeOrdinal, this.spanOrdinal);
        const traceId = this.skipSpan();
        this.rejections.add(() => ({ ...fault, at, traceId }));
      },
    );
  }

  /** Checks the span that was just written, before its length is. */
  private checkSpan(seen: number, size: number): void {
    this.checkId('traceId', seen, traceIdSlot, traceIdBytes);
    this.checkId('spanId', seen, spanIdSlot, spanIdBytes);
    if (size > this.limits.maxSpanBytes) {
      throw new SpanFaultSignal(tooManyBytes(size, this.limits.maxSpanBytes));
    }
  }

  private checkId(name: string, seen: number, slot: number, size: number): void {
    const [start, end] = this.slotRange(slot);
    if ((seen & (1 << slot)) === 0 || start === end) this.refuseId(name, size, 'is missing');
    if (isZero(this.out.buffer, end - size, size)) this.refuseId(name, size, 'is all zero');
  }

  private refuseId(name: string, size: number, seen: string): never {
    const message = `${name} ${seen}; expected ${size * 2} hex digits, not all zero`;
    throw new SpanFaultSignal({ reason: 'bad_id', message });
  }

  /** Moves behind a refused span and returns its trace id, where it can be read. */
  private skipSpan(): string | null {
    const { cursor } = this;
    let traceId: string | null = null;
    if (cursor.peek() !== mark.openBrace) {
      cursor.skipValue();
      return null;
    }
    cursor.at += 1;
    if (cursor.takes(mark.closeBrace)) return null;
    do {
      if (cursor.peek() !== mark.quote) cursor.fail('expected a key in quotes');
      const key = cursor.readString();
      cursor.expect(mark.colon, 'after a key');
      const isId = key === 'traceId' || key === 'trace_id';
      if (isId && cursor.peek() === mark.quote) traceId = hexTraceId(cursor.readString());
      else cursor.skipValue();
    } while (cursor.takes(mark.comma));
    cursor.expect(mark.closeBrace, 'or "," in an object');
    return traceId;
  }

  /** Refuses the spans written since `firstAccepted`; the group's output begins at `start`. */
  private refuseGroup(
    fault: SpanFault,
    firstAccepted: number,
    start: number,
    { level }: MessageTable,
  ): void {
    const group = { bytes: this.out.buffer, start, end: this.out.at };
    const scopes = level === 'scopeSpans' ? [group] : fieldsOf(group, resourceSpansTag.scopeSpans);
    const spans = scopes.flatMap((scope) => fieldsOf(scope, scopeSpansTag.spans));
    for (const [index, span] of spans.entries()) {
      const at = firstAccepted + index * 3;
      const [resource = 0, scope = 0, ordinal = 0] = this.accepted.slice(at, at + 3);
      const [id] = fieldsOf(span, spanTag.traceId);
      const traceId = id === undefined ? null : id.bytes.toString('hex', id.start, id.end);
      this.rejections.add(() => ({ ...fault, at: spanPath(resource, scope, ordinal), traceId }));
    }
    this.accepted.length = firstAccepted;
  }
}

function fieldsOf({ bytes, start, end }: ByteRange, tag: number): ByteRange[] {
  return repeatedFields(bytes, start, end, tag);
}

function hexTraceId(text: string): string | null {
  return /^[0-9a-fA-F]{32}$/.test(text) ? text.toLowerCase() : null;
}
