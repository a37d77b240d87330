import { jsonText } from '../util/json-text.js';
import type { ReportFormat } from './report-format.js';
import { summaryToJson, unitToJson } from './report-json.js';

/** The machine-readable report (contract.md §3; schemas/report.schema.json), one unit per line. */
export const jsonReport: ReportFormat = {
  name: 'json',
  extensions: ['.json'],
  summary: 'the whole report as one JSON document',

  *render(report) {
    const { ungraded, diagnostics, ...head } = summaryToJson(report);
    yield `${jsonText(head).slice(0, -1)},"units":[`;
    let separator = '\n';
    for (const unit of report.units) {
      yield separator + jsonText(unitToJson(unit));
      separator = ',\n';
    }
    yield `],\n${jsonText({ ungraded: ungraded ?? [], diagnostics: diagnostics ?? [] }).slice(1)}\n`;
  },
};
