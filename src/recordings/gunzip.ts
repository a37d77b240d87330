import { createGunzip } from 'node:zlib';

export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

// A slice of this size grows to 16 MiB at worst, so a bomb meets the limits of its reader in time.
const sliceBytes = 16 * 1024;

/**
 * Decompresses gzip, also of several members. Throws where the data is broken or ends too early, but
 * only after everything before that was yielded: slices are written one by one and the end is told
 * apart from the last slice, because zlib drops the output of the step that fails.
 */
export async function* gunzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = createGunzip();
  const ready: Uint8Array[] = [];
  stream.on('data', (chunk: Uint8Array) => ready.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    stream.once('end', resolve);
    stream.once('error', reject);
  });
  // The failure is thrown below; this keeps Node from calling it unhandled before that.
  ended.catch(() => undefined);
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += sliceBytes) {
        const slice = chunk.subarray(at, at + sliceBytes);
        await new Promise<void>((resolve, reject) => {
          stream.write(slice, (error) => (error ? reject(error) : resolve()));
        });
        yield* ready.splice(0);
      }
    }
    stream.end();
    await ended;
    yield* ready.splice(0);
  } catch (error) {
    yield* ready.splice(0);
    throw error;
  } finally {
    stream.destroy();
  }
}
