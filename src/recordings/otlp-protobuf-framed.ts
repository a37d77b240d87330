import { ByteQueue } from './byte-queue.js';
import { startsWithResourceSpans } from './otlp-protobuf.js';
import type { RecordingFormat } from './recording.js';

const prefixBytes = 4;

/**
 * The Collector file exporter's `format: proto`: every message stands behind its length, four bytes
 * with the highest first. A first byte below 8 is no protobuf tag, so the two cannot be mixed up.
 */
export const otlpProtobufFramed: RecordingFormat = {
  name: 'otlp-protobuf-framed',
  title: 'OTLP protobuf with length prefixes (Collector file exporter, format: proto)',
  detects: ({ bytes }) =>
    bytes.length > prefixBytes &&
    (bytes[0] ?? 8) < 8 &&
    startsWithResourceSpans(bytes.subarray(prefixBytes)),

  async *pieces(chunks, limits) {
    const queue = new ByteQueue(chunks);
    for (let number = 1; ; number++) {
      const where = `message ${number}`;
      const prefix = await queue.take(prefixBytes);
      if (prefix.length === 0) return;
      const length = readLength(prefix);
      const isHeld = length <= limits.maxValueBytes;
      const bytes = isHeld ? await queue.take(length) : new Uint8Array(0);
      const count = isHeld ? bytes.length : await queue.skip(length);
      if (prefix.length < prefixBytes || count < length) {
        yield { kind: 'cut', where };
        return;
      }
      yield isHeld ? { kind: 'protobuf', where, bytes } : { kind: 'tooLarge', where };
    }
  },
};

function readLength(prefix: Uint8Array): number {
  return prefix.reduce((length, byte) => length * 256 + byte, 0);
}
