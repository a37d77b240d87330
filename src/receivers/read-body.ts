import type { IncomingMessage } from 'node:http';
import zlib from 'node:zlib';
import type { BodyCoding } from './request-headers.js';

/** A body, or why there is none. `gone`: the sender broke the connection off. */
export type BodyResult =
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'gone' };

/** Small bodies are inflated on the spot: the thread pool costs more than it saves (performance.md §6). */
const inlineLimit = 32 * 1024;

/**
 * Collects a request body and stops at `maxBytes` (H8). What comes after is read and thrown away, so that
 * the sender gets to see the answer.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<BodyResult> {
  const declared = Number(request.headers['content-length'] ?? '0');
  if (declared > maxBytes) return Promise.resolve({ kind: 'too_large' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: BodyResult): void => {
      request.removeAllListeners('data');
      request.off('end', end);
      resolve(result);
      request.resume();
    };
    const end = (): void => finish({ kind: 'body', bytes: joinChunks(chunks) });
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) finish({ kind: 'too_large' });
      else chunks.push(chunk);
    });
    request.on('end', end);
    request.on('error', () => finish({ kind: 'gone' }));
    request.on('close', () => finish({ kind: 'gone' }));
  });
}

/**
 * Undoes a content coding; at most `maxBytes` come out (H8). Every gzip member is read, zeros after the
 * last one are padding, anything else after it makes the body malformed (H7). `deflate` is read with and
 * without its zlib wrapper (mlflow#19024).
 */
export async function inflateBody(
  bytes: Buffer,
  coding: BodyCoding,
  maxBytes: number,
): Promise<BodyResult> {
  if (coding === 'identity') return { kind: 'body', bytes };
  if (bytes.length === 0) return { kind: 'malformed', detail: `an empty body is not ${coding}` };
  const inflate = chooseInflate(bytes, coding);
  const options = { maxOutputLength: maxBytes };
  try {
    if (bytes.length <= inlineLimit) return { kind: 'body', bytes: inflate.now(bytes, options) };
    return { kind: 'body', bytes: await inflateInTurn(() => runLater(inflate, bytes, options)) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      return { kind: 'too_large' };
    }
    const detail = error instanceof Error ? error.message : String(error);
    return { kind: 'malformed', detail: `not valid ${coding}: ${detail}` };
  }
}

interface Inflate {
  readonly now: (bytes: Buffer, options: zlib.ZlibOptions) => Buffer;
  readonly later: (
    bytes: Buffer,
    options: zlib.ZlibOptions,
    done: (error: Error | null, result: Buffer) => void,
  ) => void;
}

function runLater(inflate: Inflate, bytes: Buffer, options: zlib.ZlibOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    inflate.later(bytes, options, (error, result) =>
      error === null ? resolve(result) : reject(error),
    );
  });
}

/**
 * Large bodies are inflated two at a time: each may grow to the limit, so all at once would take that much
 * memory for every request that is open.
 */
const maxInflating = 2;
let inflating = 0;
const waitingToInflate: (() => void)[] = [];

async function inflateInTurn(run: () => Promise<Buffer>): Promise<Buffer> {
  while (inflating >= maxInflating) {
    await new Promise<void>((resolve) => waitingToInflate.push(resolve));
  }
  inflating += 1;
  try {
    return await run();
  } finally {
    inflating -= 1;
    waitingToInflate.shift()?.();
  }
}

function chooseInflate(bytes: Buffer, coding: 'gzip' | 'deflate'): Inflate {
  if (coding === 'gzip') return { now: zlib.gunzipSync, later: zlib.gunzip };
  const header = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  const isWrapped = ((header >> 8) & 0x0f) === 8 && header % 31 === 0;
  return isWrapped
    ? { now: zlib.inflateSync, later: zlib.inflate }
    : { now: zlib.inflateRawSync, later: zlib.inflateRaw };
}

function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
