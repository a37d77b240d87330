import { isWholeObject, looksLikeJson, skipSpace, withoutMark } from './json-scanner.js';
import type { Piece, RecordingFormat, RecordingHead } from './recording.js';

const lineFeed = 0x0a;

/** OTLP JSON lines, as the Collector's file exporter writes them: one request of any signal per line. */
export const otlpJsonLines: RecordingFormat = {
  name: 'otlp-json-lines',
  title: 'OTLP JSON lines',
  detects: (head) => looksLikeJson(head.bytes) && isMadeOfLines(head),

  async *pieces(chunks, limits) {
    let lineNumber = 0;
    for await (const line of splitLines(chunks, limits.maxValueBytes)) {
      lineNumber++;
      const where = `line ${lineNumber}`;
      if (line.text === null) {
        yield { kind: 'tooLarge', where };
        continue;
      }
      const text = withoutMark(line.text);
      const start = skipSpace(text, 0);
      if (start < text.length) yield judgeLine(text.subarray(start), where, line.isLast);
    }
  },
};

/**
 * A crash cuts a recording inside its last line. Such a line is told apart from one that is merely
 * broken: nothing follows it, and its object never closes.
 */
function judgeLine(text: Uint8Array, where: string, isLast: boolean): Piece {
  return isLast && !isWholeObject(text) ? { kind: 'cut', where } : { kind: 'json', where, text };
}

/**
 * Lines, not one document over several lines: the first line is an object that closes (or is longer
 * than the head, which a document with line breaks is not), or some later line is a whole request
 * (the first may be damaged).
 */
function isMadeOfLines(head: RecordingHead): boolean {
  const bytes = withoutMark(head.bytes);
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== 0x7b) return false;
  const firstEnd = bytes.indexOf(lineFeed, start);
  if (firstEnd < 0) return !head.isWhole || isWholeObject(bytes.subarray(start));
  if (isWholeObject(bytes.subarray(start, firstEnd))) return true;
  for (let from = firstEnd + 1, end = 0; from < bytes.length; from = end + 1) {
    end = bytes.indexOf(lineFeed, from);
    if (end < 0) return false;
    if (isWholeRequest(bytes.subarray(from, end))) return true;
  }
  return false;
}

function isWholeRequest(line: Uint8Array): boolean {
  const start = Buffer.from(line.subarray(0, 32)).toString('latin1');
  return /^\{\s*"resource(Spans|Metrics|Logs)"/.test(start) && isWholeObject(line);
}

interface Line {
  /** `null` for a line over the limit. */
  readonly text: Uint8Array | null;
  /** True for a last line without a line break. */
  readonly isLast: boolean;
}

async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array): void => {
    length += part.length;
    if (length > maxBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const take = (isLast: boolean): Line => {
    const text = length > maxBytes ? null : parts.length === 1 ? parts[0] : Buffer.concat(parts);
    parts = [];
    length = 0;
    return { text: text ?? null, isLast };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, end));
      yield take(false);
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield take(true);
}
