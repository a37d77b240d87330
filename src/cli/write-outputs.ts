import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createProblem } from '../errors.js';
import type { Problem, Result } from '../model/problem.js';
import type { Report } from '../model/report.js';
import type { ReportFormat } from '../reports/report-format.js';
import { paintNothing } from '../util/terminal.js';

/** A file that a report goes to, and how it is written. */
export interface ReportTarget {
  readonly file: string;
  readonly format: ReportFormat;
}

/** The format of an output file: by its ending, else the one that `--format` names. */
export function chooseTarget(
  file: string,
  formats: readonly ReportFormat[],
  fallback: ReportFormat | undefined,
): Result<ReportTarget> {
  const name = file.toLowerCase();
  const byEnding = formats.find(({ extensions }) => extensions.some((end) => name.endsWith(end)));
  const format = byEnding ?? fallback;
  if (format !== undefined) return { ok: true, value: { file, format }, problems: [] };
  const extensions = formats.flatMap((known) => known.extensions).join(' ');
  return { ok: false, problems: [createProblem('unknown-output-format', { file, extensions })] };
}

/** Writes a report to a file, making the folders on the way; a failure is a problem. */
export function writeReport(
  { file, format }: ReportTarget,
  report: Report,
  cwd: string,
): Problem[] {
  try {
    const path = resolve(cwd, file);
    mkdirSync(dirname(path), { recursive: true });
    const descriptor = openSync(path, 'w');
    try {
      for (const text of format.render(report, { paint: paintNothing, detail: 'all' })) {
        writeWhole(descriptor, Buffer.from(text));
      }
    } finally {
      closeSync(descriptor);
    }
    return [];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [createProblem('output-unwritable', { file, detail })];
  }
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}
