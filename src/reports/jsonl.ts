import { jsonText } from '../util/json-text.js';
import type { ReportFormat } from './report-format.js';
import { summaryToJson, unitToJson } from './report-json.js';

/** One JSON object per line: every unit, then a last line with everything else of the report. */
export const jsonLinesReport: ReportFormat = {
  name: 'jsonl',
  extensions: ['.jsonl', '.ndjson'],
  summary: 'one JSON object per graded unit and line, the totals last',

  *render(report) {
    for (const unit of report.units) yield `${jsonText(unitToJson(unit))}\n`;
    yield `${jsonText(summaryToJson(report))}\n`;
  },
};
