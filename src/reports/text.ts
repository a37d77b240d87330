import { lossTable } from '../model/evidence.js';
import type { Diagnostic } from '../model/problem.js';
import type { EvaluationReport, Report, StepReport, UnitReport } from '../model/report.js';
import type { NearestMiss, Verdict, Witness } from '../model/verdict.js';
import { cleanLine, type Paint, type Style } from '../util/terminal.js';
import type { RenderOptions, ReportFormat } from './report-format.js';
import { missedSteps, nameUnit, placeOf, titleOf } from './rule-title.js';

/**
 * The report for people. Whatever comes from a trace or a document passes `cleanLine`, so that no text
 * of an agent can move the cursor, change colours or hide a line.
 */
export const textReport: ReportFormat = {
  name: 'text',
  extensions: ['.txt'],
  summary: 'for people: every verdict with its reason, its witness and where the rule stands',

  *render(report, options) {
    for (const unit of report.units) {
      yield* joinLines(unitLines(unit, options));
    }
    yield* joinLines(closingLines(report, options));
  },
};

const marks: Readonly<Record<Verdict, { readonly mark: string; readonly style: Style }>> = {
  pass: { mark: '✓', style: 'green' },
  fail: { mark: '✗', style: 'red' },
  inconclusive: { mark: '?', style: 'yellow' },
  skipped: { mark: '-', style: 'dim' },
  error: { mark: '!', style: 'red' },
};

function* joinLines(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

function* unitLines(unit: UnitReport, { paint, detail }: RenderOptions): Generator<string> {
  if (detail === 'failures' && unit.verdict === 'pass') return;
  const verdict = paint(marks[unit.verdict].style, paint('bold', unit.verdict.toUpperCase()));
  const row = unit.row === null ? '' : `, row ${unit.row}`;
  const mode = unit.mode === 'monitor' ? ', monitor' : '';
  yield `${verdict}  ${cleanLine(unit.session)}${row}${mode}  ${paint('dim', cleanLine(unit.document))}`;
  yield paint('dim', `  ${cleanLine(nameUnit(unit))}${sourcesOf(unit)}`);
  if (unit.code === 'when_false') yield '  no rule applied: every one was skipped (when_false)';
  for (const evaluation of unit.evaluations) {
    if (detail === 'all' || !isSettled(evaluation.verdict)) {
      yield* evaluationLines(unit, evaluation, paint);
    }
  }
  yield* conformanceLines(unit, paint);
  yield* lossLines(unit, paint);
  yield '';
}

function isSettled(verdict: Verdict): boolean {
  return verdict === 'pass' || verdict === 'skipped';
}

function sourcesOf(unit: UnitReport): string {
  return unit.source.length === 0 ? '' : ` in ${unit.source.map(cleanLine).join(', ')}`;
}

function* evaluationLines(
  unit: UnitReport,
  evaluation: EvaluationReport,
  paint: Paint,
): Generator<string> {
  const { mark, style } = marks[evaluation.verdict];
  const indent = '  '.repeat(nestingOf(evaluation) + 1);
  const label = paint(style, `${mark} ${evaluation.verdict}`);
  const place = paint('dim', cleanLine(placeOf(unit, evaluation)));
  yield `${indent}${label}  ${cleanLine(titleOf(evaluation))}  ${place}`;
  if (evaluation.verdict === 'pass') return;
  const code = evaluation.code === null ? '' : paint('dim', ` [${evaluation.code}]`);
  yield `${indent}    ${cleanLine(evaluation.reason)}${code}`;
  if (evaluation.score !== null && evaluation.threshold !== undefined) {
    yield `${indent}    score ${evaluation.score}, threshold ${evaluation.threshold}`;
  }
  for (const witness of evaluation.witness) yield `${indent}    seen: ${describeWitness(witness)}`;
  if (evaluation.nearest !== undefined) yield `${indent}    ${describeNearest(evaluation.nearest)}`;
}

/** Depth inside compositions, read from the pointer: `/evaluations/0/evaluations/1` is one deep. */
function nestingOf(evaluation: EvaluationReport): number {
  if (evaluation.nested !== true) return 0;
  return Math.max(evaluation.rule.split('/evaluations/').length - 2, 1);
}

function describeWitness({ behavior, traceId, spanId }: Witness): string {
  return `behavior ${behavior}, span ${cleanLine(spanId)} of trace ${cleanLine(traceId)}`;
}

function describeNearest({ behavior, failed, detail }: NearestMiss): string {
  return `nearest: behavior ${behavior}, differs in ${cleanLine(failed)}: ${cleanLine(detail)}`;
}

function* conformanceLines(unit: UnitReport, paint: Paint): Generator<string> {
  const required = unit.steps.filter((step) => step.active && !step.optional);
  if (required.length === 0 || unit.mode === 'monitor') return;
  const missed = missedSteps(unit);
  // With --evaluations-only, steps that were not observed do not count.
  if (missed.length > 0 && unit.conformance === 'pass') return;
  const { mark, style } = marks[unit.conformance];
  const seen = `${required.length - missed.length} of ${required.length} required steps observed`;
  yield `  ${paint(style, `${mark} conformance ${unit.conformance}`)}  ${seen}`;
  for (const step of missed) yield* missedStepLines(unit, step, paint);
}

function* missedStepLines(unit: UnitReport, step: StepReport, paint: Paint): Generator<string> {
  const doubt =
    step.matched === null ? 'not observed, but lost evidence could hold it' : 'not observed';
  const code = step.code === null ? '' : paint('dim', ` [${step.code}]`);
  const place = paint('dim', cleanLine(placeOf(unit, step)));
  yield `      step ${cleanLine(step.rule)}: ${doubt}${code}  ${place}`;
  if (step.nearest !== null) yield `        ${describeNearest(step.nearest)}`;
}

function* lossLines(unit: UnitReport, paint: Paint): Generator<string> {
  const weakening = unit.losses.filter(({ kind }) => lossTable[kind].hides !== 'nothing');
  if (!unit.complete) yield paint('yellow', '  the trace is incomplete');
  for (const { kind, count, detail } of weakening) {
    yield `    ${lossTable[kind].text} (${kind}, ${count}×): ${cleanLine(detail)}`;
  }
}

function* closingLines(report: Report, { paint }: RenderOptions): Generator<string> {
  for (const diagnostic of report.diagnostics) yield describeDiagnostic(diagnostic, paint);
  for (const { id, reason } of report.ungraded) yield `ungraded: ${cleanLine(id)} (${reason})`;
  if (report.diagnostics.length + report.ungraded.length > 0) yield '';
  const { totals } = report;
  const units = countVerdicts(totals, ['pass', 'fail', 'inconclusive']);
  yield paint('bold', `${countOf(totals.units, 'unit')} graded: ${units}`);
  const rules = Object.values(totals.evaluations).reduce((sum, count) => sum + count, 0);
  const { evaluations } = totals;
  const ruleCounts = countVerdicts(evaluations, [
    'pass',
    'fail',
    'inconclusive',
    'skipped',
    'error',
  ]);
  yield `${countOf(rules, 'rule')}: ${ruleCounts}`;
  const rejected = totals.spans.rejected === 0 ? '' : `, ${totals.spans.rejected} rejected`;
  const ungraded = totals.ungraded === 0 ? '' : `; ${countOf(totals.ungraded, 'unit')} ungraded`;
  yield `${countOf(totals.spans.read, 'span')} read${rejected}${ungraded}`;
  if (report.nextStep !== null) yield `${paint('cyan', 'Next:')} ${cleanLine(report.nextStep)}`;
}

function countVerdicts<Name extends string>(
  counts: Readonly<Record<Name, number>>,
  names: readonly Name[],
): string {
  return names
    .filter((name) => counts[name] > 0 || name === 'pass' || name === 'fail')
    .map((name) => `${counts[name]} ${name}`)
    .join(', ');
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** One line for people: `error: message  file:line:column [code]`. */
export function describeDiagnostic(diagnostic: Diagnostic, paint: Paint): string {
  const { severity, code, message, file, line, column } = diagnostic;
  const style = severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : 'dim';
  const numbers = [line, column].filter((part) => part !== undefined).map((part) => `:${part}`);
  const place = file === undefined ? '' : `${cleanLine(file)}${numbers.join('')}: `;
  return `${paint(style, `${severity}:`)} ${place}${cleanLine(message)} ${paint('dim', `[${code}]`)}`;
}
