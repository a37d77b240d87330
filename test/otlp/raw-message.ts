import protobuf from 'protobufjs';

/** One field of a message as raw bytes: the number and wire type, and what follows the tag. */
export interface RawField {
  readonly tag: number;
  readonly payload: Buffer;
}

/** Which length-delimited fields of a message are messages themselves, by tag. */
export interface RawShape {
  readonly [tag: number]: RawShape;
}

const anyValue: { [tag: number]: RawShape } = {};
const keyValue: RawShape = { 18: anyValue };
anyValue[0x2a] = { 10: anyValue };
anyValue[0x32] = { 10: keyValue };
const event: RawShape = { 26: keyValue };
const link: RawShape = { 34: keyValue };
export const spanShape: RawShape = { 74: keyValue, 90: event, 106: link, 122: {} };
const resource: RawShape = { 10: keyValue };
const scope: RawShape = { 26: keyValue };
export const requestShape: RawShape = {
  10: { 10: resource, 18: { 10: scope, 18: spanShape } },
};

/** Splits a message into its fields with the reader of protobufjs. */
function splitFields(bytes: Uint8Array): RawField[] {
  const reader = protobuf.Reader.create(bytes);
  const fields: RawField[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if ((tag & 7) === 2) {
      fields.push({ tag, payload: Buffer.from(reader.bytes()) });
    } else {
      const start = reader.pos;
      reader.skipType(tag & 7);
      fields.push({ tag, payload: Buffer.from(bytes.subarray(start, reader.pos)) });
    }
  }
  return fields;
}

function joinFields(fields: readonly RawField[]): Buffer {
  return Buffer.concat(
    fields.map(({ tag, payload }) =>
      (tag & 7) === 2
        ? Buffer.concat([varint(tag), varint(payload.length), payload])
        : Buffer.concat([varint(tag), payload]),
    ),
  );
}

/** Rebuilds every message inside out; `change` gets the fields of one message and its shape. */
export function mapMessages(
  bytes: Uint8Array,
  shape: RawShape,
  change: (fields: readonly RawField[], shape: RawShape) => readonly RawField[],
): Buffer {
  const fields = splitFields(bytes).map((field) => {
    const inner = shape[field.tag];
    if (inner === undefined) return field;
    return { tag: field.tag, payload: mapMessages(field.payload, inner, change) };
  });
  return joinFields(change(fields, shape));
}

export function varint(value: number): Buffer {
  return Buffer.from(protobuf.Writer.create().uint32(value).finish());
}

/** A length-delimited field. */
export function field(number: number, payload: Uint8Array | string): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}
