import { setImmediate } from 'node:timers/promises';
import type { Explanation } from '../model/explanation.js';
import type { Problem } from '../model/problem.js';
import type { Report } from '../model/report.js';
import type { Span } from '../model/span.js';
import { systemClock } from '../util/clock.js';
import type { ReportProgress } from '../util/progress.js';
import { explainRecordings } from './explain.js';
import { gradeRecordings } from './grade.js';
import type { ExplainOptions, GradeOptions, PipelineIo } from './grade-options.js';
import { loadSpans } from './load-spans.js';

/** What a caller may decide about the surroundings; by default those of the process. */
export interface LibraryOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends the work early; the result tells what was reached. */
  readonly signal?: AbortSignal;
  readonly onProgress?: ReportProgress;
}

export interface LoadedRecording {
  /** Every accepted span, trace by trace, in the order read. */
  readonly spans: readonly Span[];
  /** How many spans were refused one by one. */
  readonly rejected: number;
  readonly problems: readonly Problem[];
}

/** Grades recordings by documents: `retrial grade`. Never rejects on bad input; see `exitCode`. */
export function grade(options: GradeOptions & LibraryOptions): Promise<Report> {
  return gradeRecordings(options, surroundings(options));
}

/** Lists what was observed in recordings: `retrial explain`. */
export function explain(options: ExplainOptions & LibraryOptions): Promise<Explanation> {
  return explainRecordings(options, surroundings(options));
}

/** Reads the spans of a recording: a file of any known format, a folder, a pattern. */
export async function loadRecording(
  path: string,
  options: LibraryOptions = {},
): Promise<LoadedRecording> {
  const { traces, rejected, problems } = await loadSpans([path], surroundings(options));
  return { spans: traces.flatMap(({ spans }) => spans), rejected, problems };
}

function surroundings(options: LibraryOptions): PipelineIo {
  return {
    cwd: options.cwd ?? process.cwd(),
    env: options.env ?? process.env,
    stdin: process.stdin,
    clock: systemClock,
    breathe: () => setImmediate(),
    ...(options.signal !== undefined && { signal: options.signal }),
    ...(options.onProgress !== undefined && { onProgress: options.onProgress }),
  };
}
