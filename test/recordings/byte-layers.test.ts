import { gzipSync } from 'node:zlib';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { gunzip } from '../../src/recordings/gunzip.js';
import { peekBytes } from '../../src/recordings/peek-bytes.js';
import { collectAll, inChunks } from '../support/chunks.js';

async function join(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await collectAll(chunks)).toString('latin1');
}

describe('peeking', () => {
  test.prop([fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 1, max: 9 }), fc.nat(80)])(
    'gives the first bytes and leaves the stream whole',
    async (bytes, size, count) => {
      const { head, rest } = await peekBytes(inChunks(bytes, size), count);
      expect([...head.bytes]).toEqual([...bytes.subarray(0, count)]);
      if (count > bytes.length) expect(head.isWhole).toBe(true);
      if (count < bytes.length) expect(head.isWhole).toBe(false);
      expect(Buffer.concat(await collectAll(rest))).toEqual(Buffer.from(bytes));
    },
  );

  it('meets a failure where it happened, after what came before it', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('abc');
      throw new Error('disk gone');
    }
    const { head, rest } = await peekBytes(failing(), 10);
    expect(Buffer.from(head.bytes).toString()).toBe('abc');
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of rest) seen.push(Buffer.from(chunk).toString());
    })();
    await expect(reading).rejects.toThrow('disk gone');
    expect(seen).toEqual(['abc']);
  });
});

describe('decompressing', () => {
  const text = 'line of a recording\n'.repeat(20_000);

  it('reads one member and several', async () => {
    const packed = gzipSync(text);
    expect(await join(gunzip(inChunks(packed, 1000)))).toBe(text);
    expect(await join(gunzip(inChunks(Buffer.concat([packed, packed]), 777)))).toBe(text + text);
  });

  it('yields everything before the place where the data breaks off, then fails', async () => {
    // Incompressible, so that every compressed byte stands for about one byte of text.
    let state = 1;
    const noise = Buffer.alloc(50_000).map(() => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state & 0xff;
    });
    const packed = gzipSync(noise);
    const cut = packed.subarray(0, packed.length - 4000);
    const parts: Uint8Array[] = [];
    const reading = (async () => {
      for await (const part of gunzip(inChunks(cut, 512))) parts.push(part);
    })();
    await expect(reading).rejects.toThrow('unexpected end of file');
    const kept = Buffer.concat(parts);
    expect(kept.length).toBeGreaterThan(30_000);
    expect(kept.equals(noise.subarray(0, kept.length))).toBe(true);
  });
});
