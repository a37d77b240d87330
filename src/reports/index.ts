import { jsonReport } from './json.js';
import { jsonLinesReport } from './jsonl.js';
import { junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import type { ReportFormat } from './report-format.js';
import { textReport } from './text.js';

/** Every report format. `--format`, `-o` and the help are made from this. */
export const reportFormats: readonly ReportFormat[] = [
  textReport,
  jsonReport,
  jsonLinesReport,
  junitReport,
  markdownReport,
];
