import type { RecordingHead } from './recording.js';

/**
 * The first `count` bytes of a stream, and the stream as if they had not been taken. A stream that
 * fails while it is peeked at keeps what came before: the failure is met again when `rest` gets there.
 */
export async function peekBytes(
  chunks: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ head: RecordingHead; rest: AsyncIterable<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let length = 0;
  let end: { readonly failure: unknown } | 'done' | null = null;
  while (length < count && end === null) {
    try {
      const step = await iterator.next();
      if (step.done) end = 'done';
      else {
        taken.push(step.value);
        length += step.value.length;
      }
    } catch (failure) {
      end = { failure };
    }
  }
  const whole = Buffer.concat(taken);
  const head = { bytes: whole.subarray(0, count), isWhole: end !== null && length <= count };
  return { head, rest: resume() };

  async function* resume(): AsyncGenerator<Uint8Array> {
    try {
      if (whole.length > 0) yield whole;
      if (end !== null && end !== 'done') throw end.failure;
      for (let next = end; next === null; ) {
        const step = await iterator.next();
        if (step.done) next = 'done';
        else yield step.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
}
