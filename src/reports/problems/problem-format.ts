import type { Problem } from '../../model/problem.js';
import type { Paint } from '../../util/terminal.js';

/** What `retrial check` found. */
export interface CheckReport {
  readonly version: string;
  readonly exitCode: number;
  /** How many sessions were read. */
  readonly sessions: number;
  readonly problems: readonly Problem[];
}

/** One way to tell problems. One file and one row of the table each. */
export interface ProblemFormat {
  readonly name: string;
  render(report: CheckReport, paint: Paint): Iterable<string>;
}
