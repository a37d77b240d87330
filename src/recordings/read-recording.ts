import { createProblem } from '../errors.js';
import type { Problem } from '../model/problem.js';
import type { SpanRejection } from '../model/span.js';
import { indexTraces } from '../otlp/span-index.js';
import { cleanLine } from '../util/terminal.js';
import { foreignFormats } from './foreign-formats.js';
import { gunzip, isGzip } from './gunzip.js';
import { isSpace } from './json-scanner.js';
import { peekBytes } from './peek-bytes.js';
import { recognizeJson } from './recognize-json.js';
import {
  type ByteSource,
  defaultRecordingLimits,
  type Piece,
  type RecordedBatch,
  type RecordingFormat,
  type RecordingLimits,
} from './recording.js';
import { RecordingTally } from './recording-tally.js';

/** Enough to see the first lines of a recording; not held longer than that. */
const headBytes = 256 * 1024;

/**
 * Reads one recording of any format of `formats`, plain or gzipped, recognized from its content. Memory
 * is bounded by the largest piece. Never throws: what cannot be read is a problem on the last batch, and
 * everything that can is yielded before it.
 */
export async function* readRecording(
  source: ByteSource,
  formats: readonly RecordingFormat[],
  limits: RecordingLimits = defaultRecordingLimits,
): AsyncGenerator<RecordedBatch> {
  const stream = new FailSafe(source.open());
  const packed = await peekBytes(stream.chunks(), 2);
  const unpacked = new FailSafe(isGzip(packed.head.bytes) ? gunzip(packed.rest) : packed.rest);
  const { head, rest } = await peekBytes(unpacked.chunks(), headBytes);
  const format = formats.find((known) => known.detects(head));
  const known = formats.map(({ title }) => title).join(', ');

  if (format === undefined) {
    const failure = stream.failure ?? unpacked.failure;
    const problem =
      failure === null ? nameContent(source.name, head.bytes, known) : unreadable(failure);
    yield lastBatch([problem], failure !== null);
    return;
  }
  const tally = new RecordingTally(source, format, limits);
  for await (const piece of format.pieces(rest, limits)) {
    const batch = readPiece(piece, source.name, tally);
    if (batch !== null) yield batch;
  }
  const problems = [...tally.problems(known)];
  const failure = stream.failure ?? unpacked.failure;
  if (failure !== null) {
    problems.push(
      createProblem('recording-cut', { file: source.name, where: `its data: ${failure}` }),
    );
  }
  yield lastBatch(problems, tally.isLossy || failure !== null);

  function unreadable(detail: string): Problem {
    return createProblem('file-unreadable', { file: source.name, detail });
  }

  function lastBatch(problems: readonly Problem[], isLossy: boolean): RecordedBatch {
    const told = source.isNamed ? problems : problems.map(soften);
    return { source: source.name, batch: null, rejections: [], problems: told, isLossy };
  }
}

/** In a folder, a file of another kind is worth a word, no error and no advice. */
function soften(problem: Problem): Problem {
  if (problem.severity !== 'error') return problem;
  const { code, message } = problem;
  return { severity: 'warning', code, message };
}

/** A stream that ends where it fails, and remembers why. */
class FailSafe {
  readonly #chunks: AsyncIterable<Uint8Array>;
  failure: string | null = null;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#chunks;
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }
}

function readPiece(piece: Piece, source: string, tally: RecordingTally): RecordedBatch | null {
  if (piece.kind === 'protobuf') return indexPiece(piece.bytes, [], piece.where, source, tally);
  if (piece.kind !== 'json') {
    tally.addFault(piece);
    return null;
  }
  const content = recognizeJson(piece.text);
  if (content.kind === 'traces') {
    return indexPiece(content.bytes, content.rejections, piece.where, source, tally);
  }
  tally.addContent(piece.where, content);
  return null;
}

function indexPiece(
  bytes: Uint8Array,
  refused: readonly SpanRejection[],
  where: string,
  source: string,
  tally: RecordingTally,
): RecordedBatch | null {
  const indexed = indexTraces(bytes);
  if (indexed.kind === 'malformed') {
    tally.addUnreadable(where, indexed.message);
    return null;
  }
  tally.addTraces();
  const rejections = [...refused, ...indexed.rejections];
  return { source, batch: indexed.batch, rejections, problems: [], isLossy: false };
}

/** Says of a file that no format claims what it is, as far as its first bytes tell. */
function nameContent(file: string, head: Uint8Array, known: string): Problem {
  if (head.every((byte) => isSpace(byte))) return createProblem('recording-empty', { file });
  const foreign = foreignFormats.find((format) => format.detectsBytes?.(head) === true);
  if (foreign !== undefined) {
    return createProblem('recording-unsupported', {
      file,
      format: foreign.title,
      hint: foreign.hint,
    });
  }
  return createProblem('recording-unknown', { file, seen: describeStart(head), known });
}

function describeStart(head: Uint8Array): string {
  const start = Buffer.from(head.subarray(0, 48));
  const text = start.toString('utf8');
  // A character may be cut at the end.
  const isText = !/[^\P{Cc}\s]|\ufffd/u.test(text.slice(0, -2));
  if (isText) return `it begins with "${cleanLine(text).trim().slice(0, 40)}"`;
  return `it begins with the bytes ${[...start.subarray(0, 8)].map(hexByte).join(' ')}`;
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
