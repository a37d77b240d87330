import { ByteQueue } from './byte-queue.js';
import type { RecordingFormat } from './recording.js';

const resourceSpansTag = 0x0a;

/**
 * OTLP protobuf: one `TracesData` message, or several written one after another, which protobuf reads
 * as one. Every `ResourceSpans` is a piece; other fields of the outermost message are passed over.
 */
export const otlpProtobuf: RecordingFormat = {
  name: 'otlp-protobuf',
  title: 'OTLP protobuf',
  detects: ({ bytes }) => startsWithResourceSpans(bytes),

  async *pieces(chunks, limits) {
    const queue = new ByteQueue(chunks);
    for (;;) {
      const where = `the message at byte ${queue.position}`;
      const tag = await takeVarint(queue);
      if (tag === 'end') return;
      const field =
        typeof tag === 'number' ? await takeField(queue, tag, limits.maxValueBytes) : tag;
      if (field === 'cut') yield { kind: 'cut', where };
      else if (field === 'bad') yield { kind: 'unreadable', where, detail: 'no protobuf field' };
      else if (field !== null) yield { ...field, where };
      if (field === 'cut' || field === 'bad') return;
    }
  },
};

/**
 * True when the bytes begin with a field 1 that itself begins like `ResourceSpans`: with a resource,
 * scope spans, a schema URL, or the deprecated field 1000. JSON after a line break can begin like this,
 * so it is looked for first.
 */
export function startsWithResourceSpans(bytes: Uint8Array): boolean {
  if (bytes[0] !== resourceSpansTag) return false;
  let at = 1;
  while ((bytes[at] ?? 0) >= 0x80 && at < 6) at++;
  const length = bytes[at];
  if (length === undefined) return bytes.length > 1;
  const inner = bytes[at + 1];
  const isEmpty = length === 0 && at === 1;
  if (isEmpty) return inner === undefined || inner === resourceSpansTag;
  if (inner === 0xc2) return bytes[at + 2] === undefined || bytes[at + 2] === 0x3e;
  return inner === undefined || inner === 0x0a || inner === 0x12 || inner === 0x1a;
}

type Varint = number | 'end' | 'cut' | 'bad';
type Field = { kind: 'protobuf'; bytes: Uint8Array } | { kind: 'tooLarge' } | null | 'cut' | 'bad';

/** `end` where nothing is left, `cut` where the stream ends inside, `bad` beyond what lengths need. */
async function takeVarint(queue: ByteQueue): Promise<Varint> {
  let value = 0;
  for (let count = 0; count < 7; count++) {
    const [byte] = await queue.take(1);
    if (byte === undefined) return count === 0 ? 'end' : 'cut';
    value += (byte & 0x7f) * 2 ** (7 * count);
    if (byte < 0x80) return value;
  }
  return 'bad';
}

async function takeField(queue: ByteQueue, tag: number, maxBytes: number): Promise<Field> {
  const wireType = tag & 7;
  if (tag < 8) return 'bad';
  if (wireType === 0) return passVarint(queue);
  if (wireType === 1) return (await queue.skip(8)) < 8 ? 'cut' : null;
  if (wireType === 5) return (await queue.skip(4)) < 4 ? 'cut' : null;
  if (wireType !== 2) return 'bad';
  const length = await takeVarint(queue);
  if (typeof length === 'string') return length === 'bad' ? 'bad' : 'cut';
  if (tag !== resourceSpansTag || length > maxBytes) {
    if ((await queue.skip(length)) < length) return 'cut';
    return tag === resourceSpansTag ? { kind: 'tooLarge' } : null;
  }
  const payload = await queue.take(length);
  if (payload.length < length) return 'cut';
  return { kind: 'protobuf', bytes: Buffer.concat([encodeHeader(length), payload]) };
}

async function passVarint(queue: ByteQueue): Promise<Field> {
  for (let count = 0; count < 10; count++) {
    const [byte] = await queue.take(1);
    if (byte === undefined) return 'cut';
    if (byte < 0x80) return null;
  }
  return 'bad';
}

function encodeHeader(length: number): Uint8Array {
  const header = [resourceSpansTag];
  let rest = length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) header.push((rest % 0x80) | 0x80);
  return Uint8Array.from([...header, rest]);
}
