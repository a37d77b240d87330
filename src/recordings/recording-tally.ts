import { createProblem } from '../errors.js';
import type { Problem } from '../model/problem.js';
import type { JsonContent } from './recognize-json.js';
import type { ByteSource, Piece, RecordingFormat, RecordingLimits } from './recording.js';

/** How often something happened, and the first time: millions of bad lines are one message. */
interface Mention {
  count: number;
  readonly where: string;
  readonly detail: string;
}

/** Keeps what a recording held besides spans, and words it once the recording is at its end. */
export class RecordingTally {
  readonly #source: ByteSource;
  readonly #format: RecordingFormat;
  readonly #limits: RecordingLimits;
  readonly #signals = new Map<string, number>();
  #recognized = 0;
  #unreadable: Mention | null = null;
  #unknown: (Mention & { readonly foreign: { title: string; hint: string } | null }) | null = null;
  #tooLarge: Mention | null = null;
  #cutWhere: string | null = null;

  constructor(source: ByteSource, format: RecordingFormat, limits: RecordingLimits) {
    this.#source = source;
    this.#format = format;
    this.#limits = limits;
  }

  /** True when spans may have been lost with what could not be read. */
  get isLossy(): boolean {
    return this.#unreadable !== null || this.#tooLarge !== null || this.#cutWhere !== null;
  }

  addTraces(): void {
    this.#recognized++;
  }

  addUnreadable(where: string, detail: string): void {
    if (this.#unreadable === null) this.#unreadable = { count: 1, where, detail };
    else this.#unreadable.count++;
  }

  /** A piece that its format could not hand on. */
  addFault(piece: Extract<Piece, { kind: 'cut' | 'tooLarge' | 'unreadable' }>): void {
    if (piece.kind === 'unreadable') this.addUnreadable(piece.where, piece.detail);
    else if (piece.kind === 'cut') this.#cutWhere = piece.where;
    else if (this.#tooLarge !== null) this.#tooLarge.count++;
    else this.#tooLarge = { count: 1, where: piece.where, detail: '' };
  }

  addContent(where: string, content: Exclude<JsonContent, { kind: 'traces' }>): void {
    if (content.kind === 'unreadable') this.addUnreadable(where, content.detail);
    else if (content.kind === 'empty') this.#recognized++;
    else if (content.kind === 'signal') {
      this.#recognized++;
      this.#signals.set(content.signal, (this.#signals.get(content.signal) ?? 0) + 1);
    } else if (this.#unknown !== null) this.#unknown.count++;
    else {
      const foreign = content.kind === 'foreign' ? content : null;
      const detail = content.kind === 'foreign' ? content.title : content.seen;
      this.#unknown = { count: 1, where, detail, foreign };
    }
  }

  /** Everything that has to be said of the recording as a whole. */
  *problems(known: string): Generator<Problem> {
    const file = this.#source.name;
    if (this.#recognized === 0 && this.#unknown !== null) {
      const { detail, foreign } = this.#unknown;
      yield foreign === null
        ? createProblem('recording-unknown', { file, seen: detail, known })
        : createProblem('recording-unsupported', {
            file,
            format: foreign.title,
            hint: foreign.hint,
          });
      return;
    }
    if (this.#unreadable !== null) {
      const { count, where, detail } = this.#unreadable;
      yield this.#recognized === 0
        ? createProblem('recording-unreadable', { file, format: this.#format.title, where, detail })
        : createProblem('recording-part-unreadable', { file, count, where, detail });
    }
    if (this.#tooLarge !== null) {
      const { count, where } = this.#tooLarge;
      const limit = this.#limits.maxValueBytes;
      yield createProblem('recording-part-too-large', { file, count, where, limit });
    }
    if (this.#cutWhere !== null) {
      yield createProblem('recording-cut', { file, where: this.#cutWhere });
    }
    if (this.#unknown !== null) {
      const { count, where, detail } = this.#unknown;
      yield createProblem('recording-part-foreign', { file, count, where, seen: detail });
    }
    if (this.#signals.size > 0) {
      const counts = [...this.#signals].map(([signal, count]) => `${count} ${signal} request(s)`);
      yield createProblem('recording-other-signals', { file, counts: counts.join(', ') });
    }
  }
}
