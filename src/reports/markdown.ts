import type { EvaluationReport, Report, UnitReport } from '../model/report.js';
import type { Verdict } from '../model/verdict.js';
import { cleanLine } from '../util/terminal.js';
import type { ReportFormat } from './report-format.js';
import { missedSteps, nameUnit, placeOf, titleOf } from './rule-title.js';

/** Markdown for a pull request comment or a step summary: a table of units, then what did not pass. */
export const markdownReport: ReportFormat = {
  name: 'markdown',
  extensions: ['.md', '.markdown'],
  summary: 'Markdown for pull request comments and step summaries',

  *render(report) {
    const { totals } = report;
    yield `### Retrial: ${totals.pass} pass, ${totals.fail} fail, ${totals.inconclusive} inconclusive\n\n`;
    if (report.units.length > 0) yield* table(report);
    for (const unit of report.units) {
      if (unit.verdict !== 'pass') yield* unitLines(unit);
    }
    for (const { id, reason } of report.ungraded) yield `- ungraded: ${code(id)} (${reason})\n`;
    for (const { severity, message, file, line } of report.diagnostics) {
      const place =
        file === undefined ? '' : ` ${code(line === undefined ? file : `${file}:${line}`)}`;
      yield `- ${severity}:${place} ${inert(message)}\n`;
    }
    if (report.nextStep !== null) yield `\nNext: ${inert(report.nextStep)}\n`;
  },
};

const marks: Readonly<Record<Verdict, string>> = {
  pass: '✅',
  fail: '❌',
  inconclusive: '❔',
  skipped: '➖',
  error: '💥',
};

function* table(report: Report): Generator<string> {
  yield '| | session | unit | rules passed | steps missed |\n|---|---|---|---|---|\n';
  for (const unit of report.units) {
    const rules = unit.evaluations.filter(({ nested }) => nested !== true);
    const passed = rules.filter(({ verdict }) => verdict === 'pass').length;
    const cells = [
      `${marks[unit.verdict]} ${unit.verdict}`,
      inert(unit.session),
      inert(nameUnit(unit)),
      `${passed} of ${rules.length}`,
      String(missedSteps(unit).length),
    ];
    yield `| ${cells.join(' | ')} |\n`;
  }
}

function* unitLines(unit: UnitReport): Generator<string> {
  yield `\n#### ${marks[unit.verdict]} ${inert(unit.session)}, ${inert(nameUnit(unit))}\n\n`;
  for (const evaluation of unit.evaluations) {
    if (evaluation.verdict !== 'pass' && evaluation.verdict !== 'skipped') {
      yield evaluationLine(unit, evaluation);
    }
  }
  for (const step of missedSteps(unit)) {
    const nearest = step.nearest === null ? '' : `; nearest: ${inert(step.nearest.detail)}`;
    yield `- ${marks.fail} step ${code(step.rule)} not observed, ${code(placeOf(unit, step))}${nearest}\n`;
  }
}

function evaluationLine(unit: UnitReport, evaluation: EvaluationReport): string {
  const { verdict, reason, witness } = evaluation;
  const spans = witness.map(({ spanId }) => code(spanId)).join(', ');
  const seen = spans === '' ? '' : ` (spans ${spans})`;
  const rule = `${inert(titleOf(evaluation))}, ${code(placeOf(unit, evaluation))}`;
  return `- ${marks[verdict]} ${rule}: ${inert(reason)}${seen}\n`;
}

/** Text that Markdown shows as it is: no markup, no HTML, no mention, no link, no new line. */
function inert(text: string): string {
  return cleanLine(text)
    .replace(/[\\`*_[\]#|~<>&]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replace(/@/g, '@\u2060')
    .replace(/:\/\//g, ':\u2060//');
}

function code(text: string): string {
  return `\`${cleanLine(text).replace(/[`|]/g, "'")}\``;
}
