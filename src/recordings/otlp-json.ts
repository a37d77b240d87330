import { isSpace, JsonScanner, looksLikeJson } from './json-scanner.js';
import type { Piece, RecordingFormat } from './recording.js';

/**
 * OTLP JSON documents: one, pretty-printed or not, several one after another, or an array of requests.
 * Every outermost object is a piece of its own; brackets and commas around objects say nothing.
 */
export const otlpJson: RecordingFormat = {
  name: 'otlp-json',
  title: 'OTLP JSON',
  detects: (head) => looksLikeJson(head.bytes),

  async *pieces(chunks, limits) {
    const splitter = new ObjectSplitter(limits.maxValueBytes);
    for await (const chunk of chunks) yield* splitter.feed(chunk);
    yield* splitter.end();
  },
};

/**
 * between --'{'--> inside --closing '}'--> between
 *    |                |  ^
 *    |                |  +-- too long: bytes are let go, the scan goes on
 *    +-- any byte that is not expected there is told once, as text outside of an object
 */
class ObjectSplitter {
  readonly #maxBytes: number;
  #scanner: JsonScanner | null = null;
  #parts: Uint8Array[] = [];
  #length = 0;
  #line = 1;
  #startLine = 1;
  #isInText = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *feed(chunk: Uint8Array): Generator<Piece> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#scanner !== null) {
        const end = this.#scanner.scan(chunk, at);
        this.#keep(chunk.subarray(at, end < 0 ? chunk.length : end));
        if (end < 0) return;
        yield this.#finish();
        at = end;
      } else {
        const byte = chunk[at];
        if (byte === 0x7b) this.#begin();
        else {
          if (byte === 0x0a) this.#line++;
          if (!this.#isInText && !isBetween(byte)) {
            this.#isInText = true;
            yield this.#strayText();
          }
          at++;
        }
      }
    }
  }

  *end(): Generator<Piece> {
    if (this.#scanner === null) return;
    yield { kind: 'cut', where: `${this.#where()}, at line ${this.#line}` };
  }

  #begin(): void {
    this.#scanner = new JsonScanner();
    this.#startLine = this.#line;
    this.#isInText = false;
  }

  #keep(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) this.#line++;
    this.#length += bytes.length;
    if (this.#length > this.#maxBytes) this.#parts = [];
    else this.#parts.push(bytes);
  }

  #finish(): Piece {
    const where = this.#where();
    const piece: Piece =
      this.#length > this.#maxBytes
        ? { kind: 'tooLarge', where }
        : { kind: 'json', where, text: Buffer.concat(this.#parts) };
    this.#scanner = null;
    this.#parts = [];
    this.#length = 0;
    return piece;
  }

  #strayText(): Piece {
    const where = `line ${this.#line}`;
    return { kind: 'unreadable', where, detail: 'text outside of a JSON object' };
  }

  #where(): string {
    return `the document that begins in line ${this.#startLine}`;
  }
}

/** White space, a bracket or comma of an array, or a byte of the mark that `cat` leaves between files. */
function isBetween(byte: number | undefined): boolean {
  return isSpace(byte) || (byte !== undefined && betweenBytes.has(byte));
}

const betweenBytes: ReadonlySet<number> = new Set([0x2c, 0x5b, 0x5d, 0xef, 0xbb, 0xbf]);
