import type { Report } from '../model/report.js';
import type { Paint } from '../util/terminal.js';

export interface RenderOptions {
  readonly paint: Paint;
  /** `failures`: units and rules that passed are only counted. */
  readonly detail: 'all' | 'failures';
}

/** One way to write a report down. One file and one row of the table each. */
export interface ReportFormat {
  readonly name: string;
  /** File name endings that choose it, with the dot. */
  readonly extensions: readonly string[];
  readonly summary: string;
  /** The report in pieces, so that a large one is never one string. */
  render(report: Report, options: RenderOptions): Iterable<string>;
}
