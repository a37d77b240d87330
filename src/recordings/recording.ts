import type { Problem } from '../model/problem.js';
import type { SpanRejection } from '../model/span.js';
import type { SpanBatch } from '../otlp/span-batch.js';
import type { JsonValue } from '../util/json.js';

/** Something to read a recording from: a file, or standard input. */
export interface ByteSource {
  /** As named on the command line, with `/` separators; `-` for standard input. */
  readonly name: string;
  /** False for a file that was found in a folder: there, a file of another kind is no error. */
  readonly isNamed: boolean;
  /** `null` where it is not known beforehand. */
  readonly sizeBytes: number | null;
  open(): AsyncIterable<Uint8Array>;
}

/** What one piece of a recording held. */
export interface RecordedBatch {
  readonly source: string;
  /** The spans of this piece; null on the last batch, which tells what the recording was like. */
  readonly batch: SpanBatch | null;
  /** Spans that were refused one by one while their neighbours were kept. */
  readonly rejections: readonly SpanRejection[];
  readonly problems: readonly Problem[];
  /** True when part of the recording could not be read, so any of its traces may lack spans. */
  readonly isLossy: boolean;
}

export interface RecordingLimits {
  /** Longest JSON line or document, and longest protobuf message, that is held in memory. */
  readonly maxValueBytes: number;
}

export const defaultRecordingLimits: RecordingLimits = { maxValueBytes: 256 * 1024 * 1024 };

/** The first bytes of a recording, after decompression. */
export interface RecordingHead {
  readonly bytes: Uint8Array;
  /** True when these are all bytes there are. */
  readonly isWhole: boolean;
}

/** One recorded format. One file and one row of the table each. */
export interface RecordingFormat {
  readonly name: string;
  /** For people: `OTLP JSON`. */
  readonly title: string;
  /** Decides by content alone. Asked in the table's order; first hit wins. */
  detects(head: RecordingHead): boolean;
  /** Cuts the stream into pieces; memory is bounded by the largest piece. */
  pieces(chunks: AsyncIterable<Uint8Array>, limits: RecordingLimits): AsyncIterable<Piece>;
}

/** A piece of a recording, as its format cut it. `where` names it for people: `line 7`. */
export type Piece =
  | { readonly kind: 'json'; readonly where: string; readonly text: Uint8Array }
  | { readonly kind: 'protobuf'; readonly where: string; readonly bytes: Uint8Array }
  /** The recording ends inside this piece. */
  | { readonly kind: 'cut'; readonly where: string }
  | { readonly kind: 'tooLarge'; readonly where: string }
  | { readonly kind: 'unreadable'; readonly where: string; readonly detail: string };

/** A format that is recognized so that it can be named, and not read. */
export interface ForeignFormat {
  readonly title: string;
  readonly hint: string;
  readonly detectsBytes?: (head: Uint8Array) => boolean;
  readonly detectsValue?: (value: JsonValue) => boolean;
}
