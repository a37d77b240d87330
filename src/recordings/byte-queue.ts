/** Takes exact numbers of bytes from a stream, however it was cut. */
export class ByteQueue {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #position = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#iterator = chunks[Symbol.asyncIterator]();
  }

  /** Bytes taken or passed over so far. */
  get position(): number {
    return this.#position;
  }

  /** The next `count` bytes; fewer at the end of the stream. */
  async take(count: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    await this.#advance(count, (part) => parts.push(part));
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  /** Passes over `count` bytes without holding them; returns how many there were. */
  skip(count: number): Promise<number> {
    return this.#advance(count, () => undefined);
  }

  async #advance(count: number, see: (part: Uint8Array) => void): Promise<number> {
    let missing = count;
    while (missing > 0) {
      if (this.#chunk.length === 0) {
        const step = await this.#iterator.next();
        if (step.done) break;
        this.#chunk = step.value;
        continue;
      }
      const part = this.#chunk.subarray(0, missing);
      this.#chunk = this.#chunk.subarray(part.length);
      missing -= part.length;
      see(part);
    }
    this.#position += count - missing;
    return count - missing;
  }
}
