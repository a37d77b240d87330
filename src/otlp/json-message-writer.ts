import { createJsonCounters } from './json-counters.js';
import { JsonCursor, mark } from './json-cursor.js';
import { type Field, keyValueTable, type MessageTable } from './json-fields.js';
import { type IdEncoding, ScalarWriter, SpanFaultSignal } from './json-scalars.js';
import { copyUsualAttribute } from './json-usual-attribute.js';
import type { OtlpLimits } from './limits.js';
import { tooDeep, tooManyElements } from './span-fault.js';
import { spanIdBytes, traceIdBytes } from './span-id-check.js';
import { WireWriter } from './wire-writer.js';

const slotsPerFrame = 16;

/**
 * Writes the messages inside a span, resource or scope from their JSON objects, by the tables of
 * json-fields. Members are written in the order they come. Of members with the same name, or of the
 * same oneof, the last one counts: the output of the earlier one is taken out. Recursion is bounded
 * by the depth limit of values.
 */
export abstract class JsonMessageWriter {
  readonly counters = createJsonCounters();
  readonly out: WireWriter;

  protected readonly cursor: JsonCursor;
  protected readonly scalars: ScalarWriter;
  /** Output range of every slot, start and end; one frame per message being written. */
  private readonly ranges: Int32Array;
  private frame = -1;
  private valueDepth = 0;
  private elements = 0;

  constructor(
    body: Buffer,
    protected readonly limits: OtlpLimits,
    ids: IdEncoding,
  ) {
    this.cursor = new JsonCursor(body);
    this.out = new WireWriter(body.length + 64);
    this.scalars = new ScalarWriter(this.cursor, this.out, this.counters, ids);
    // A value takes three frames per level (KeyValue, AnyValue, list), the messages around it a few.
    this.ranges = new Int32Array((limits.maxValueDepth * 3 + 16) * slotsPerFrame * 2);
  }

  /** Writes a field that spans stand in or share. */
  protected abstract writeGroupField(field: Field): void;

  /**
   * Writes the members of the object at the cursor and returns the slots that were seen, one bit each;
   * `slotRange` tells where their output is until the next message is written.
   */
  protected writeMembers(table: MessageTable): number {
    const { cursor } = this;
    let seen = 0;
    this.frame += 1;
    cursor.at += 1;
    if (!cursor.takes(mark.closeBrace)) {
      do {
        const field = this.readKey(table);
        if (field === null) cursor.skipValue();
        else if (!cursor.takesNull()) seen = this.writeSlot(field, seen);
        else if ((seen & (1 << field.slot)) !== 0) seen = this.clearSlot(field.slot, seen);
      } while (cursor.takes(mark.comma));
      cursor.expect(mark.closeBrace, 'or "," in an object');
    }
    this.frame -= 1;
    return seen;
  }

  /** Start and end of the output of a slot in the message that was written last at this level. */
  protected slotRange(slot: number): readonly [number, number] {
    const at = ((this.frame + 1) * slotsPerFrame + slot) * 2;
    return [this.ranges[at] ?? 0, this.ranges[at + 1] ?? 0];
  }

  /** Runs `write` for something that has limits of its own; `undone` is called when it is refused. */
  protected attempt(write: () => void, undone: (signal: SpanFaultSignal) => void): void {
    const { frame, valueDepth } = this;
    this.elements = 0;
    try {
      write();
    } catch (signal) {
      if (!(signal instanceof SpanFaultSignal)) throw signal;
      this.frame = frame;
      this.valueDepth = valueDepth;
      undone(signal);
    }
  }

  private readKey(table: MessageTable): Field | null {
    const { cursor, counters } = this;
    if (cursor.peek() !== mark.quote) cursor.fail('expected a key in quotes');
    const start = cursor.at;
    let field: Field | null;
    if (cursor.skipString()) {
      const end = cursor.at;
      cursor.at = start;
      const key = Buffer.from(cursor.readString());
      cursor.at = end;
      field = table.keys.match(key, 0, key.length);
    } else {
      field = table.keys.match(cursor.bytes, start + 1, cursor.at - 1);
    }
    cursor.expect(mark.colon, 'after a key');
    if (field === null) {
      counters.unknownFields += 1;
      return null;
    }
    if (table.keys.wasSnakeCase) counters.snakeCaseKeys += 1;
    if (field.isDeprecated) counters.deprecatedKeys += 1;
    return field;
  }

  private writeSlot(field: Field, seen: number): number {
    if (field.kind === 'groups') {
      this.writeGroupField(field);
      return seen;
    }
    const bit = 1 << field.slot;
    const kept = (seen & bit) === 0 ? seen : this.clearSlot(field.slot, seen);
    const at = (this.frame * slotsPerFrame + field.slot) * 2;
    const start = this.out.at;
    this.writeField(field);
    this.ranges[at] = start;
    this.ranges[at + 1] = this.out.at;
    return kept | bit;
  }

  /** Takes the output of a slot out again. */
  private clearSlot(slot: number, seen: number): number {
    const { ranges, out } = this;
    this.counters.replacedMembers += 1;
    const base = this.frame * slotsPerFrame * 2;
    const start = ranges[base + slot * 2] ?? 0;
    const end = ranges[base + slot * 2 + 1] ?? 0;
    out.remove(start, end);
    for (let other = 0; other < slotsPerFrame; other += 1) {
      const at = base + other * 2;
      if ((seen & (1 << other)) === 0 || (ranges[at] ?? 0) < end) continue;
      ranges[at] = (ranges[at] ?? 0) - (end - start);
      ranges[at + 1] = (ranges[at + 1] ?? 0) - (end - start);
    }
    return seen & ~(1 << slot);
  }

  private writeField(field: Field): void {
    const { scalars } = this;
    switch (field.kind) {
      case 'string':
        scalars.string(field);
        break;
      case 'message':
        this.writeMessage(field);
        break;
      case 'messages':
        this.writeMessages(field);
        break;
      case 'fixed64':
        scalars.fixed64(field);
        break;
      case 'int64':
        scalars.int64(field);
        break;
      case 'traceId':
        scalars.id(field, traceIdBytes);
        break;
      case 'spanId':
        scalars.id(field, spanIdBytes);
        break;
      case 'bool':
        scalars.bool(field);
        break;
      case 'double':
        scalars.double(field);
        break;
      case 'bytes':
        scalars.bytes(field);
        break;
      case 'fixed32':
        scalars.fixed32(field);
        break;
      case 'uint32':
        scalars.uint32(field);
        break;
      case 'enum':
        scalars.enum(field);
        break;
      case 'ignored':
        this.counters.stringIndexes += 1;
        this.cursor.skipValue();
        break;
      case 'holder':
      case 'groups':
        this.writeGroupField(field);
        break;
    }
  }

  /** Writes the message at the cursor, tag and length included. */
  protected writeMessage(field: Field): void {
    const { cursor, out } = this;
    const { message } = field;
    if (message === null || cursor.peek() !== mark.openBrace) {
      this.refuse(
        field,
        message?.level === 'value' ? 'an object such as {"stringValue": …}' : 'an object',
      );
    }
    out.varint(field.tag);
    const start = out.beginMessage();
    if (message.level === 'value') {
      this.valueDepth += 1;
      if (this.valueDepth > this.limits.maxValueDepth) {
        throw new SpanFaultSignal(tooDeep(this.limits.maxValueDepth));
      }
      this.writeMembers(message);
      this.valueDepth -= 1;
    } else {
      this.writeMembers(message);
    }
    out.endMessage(start);
  }

  private writeMessages(field: Field): void {
    const { cursor, out } = this;
    if (cursor.peek() !== mark.openBracket) this.refuse(field, 'an array');
    cursor.at += 1;
    if (cursor.takes(mark.closeBracket)) return;
    // The usual attribute is one level deep.
    const isAttribute =
      field.message === keyValueTable && this.valueDepth < this.limits.maxValueDepth;
    do {
      this.elements += 1;
      if (this.elements > this.limits.maxSpanElements) {
        throw new SpanFaultSignal(tooManyElements(this.limits.maxSpanElements));
      }
      if (isAttribute && cursor.peek() === mark.openBrace) {
        if (!copyUsualAttribute(cursor, out, field.tag)) this.writeMessage(field);
      } else if (!cursor.takesNull()) {
        this.writeMessage(field);
      } else if (field.message?.level === 'value') {
        // A null among values keeps its place, as an empty value (opentelemetry-specification#4392).
        out.varint(field.tag);
        out.byte(0);
      }
    } while (cursor.takes(mark.comma));
    cursor.expect(mark.closeBracket, 'or "," in an array');
  }

  protected refuse(field: Field, expected: string): never {
    const message = `${field.name} is ${this.cursor.describe()}; expected ${expected}`;
    throw new SpanFaultSignal({ reason: 'bad_structure', message });
  }
}
