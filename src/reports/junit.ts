import type { EvaluationReport, Report, Ungraded, UnitReport } from '../model/report.js';
import type { NearestMiss } from '../model/verdict.js';
import type { ReportFormat } from './report-format.js';
import { missedSteps, nameUnit, placeOf, titleOf } from './rule-title.js';
import { xmlText } from './xml-text.js';

/**
 * JUnit XML: a suite per graded unit, a test case per rule (nested rules are told in their parent's
 * text). JUnit knows no "inconclusive": such a rule is `<skipped>` with its reason, because it neither
 * passed nor failed; the exit code is what keeps it from being green. An evaluator that broke is
 * `<error>`.
 *
 * What would otherwise be missing from a green list has a case too: steps that were not observed, units
 * that were not graded although they should have been, and errors in the input.
 */
export const junitReport: ReportFormat = {
  name: 'junit',
  extensions: ['.xml'],
  summary: 'JUnit XML for CI servers, a test case per rule',

  *render(report) {
    const counts = countCases(report);
    yield '<?xml version="1.0" encoding="UTF-8"?>\n';
    yield `<testsuites${attributes({ name: 'retrial', ...counts })}>\n`;
    for (const suite of suitesOf(report)) yield* suiteLines(suite);
    yield '</testsuites>\n';
  },
};

interface Case {
  readonly name: string;
  readonly className: string;
  readonly file?: string;
  readonly line?: number;
  readonly durationMs?: number;
  readonly outcome: 'pass' | 'failure' | 'error' | 'skipped';
  readonly type?: string;
  readonly message?: string;
  readonly detail?: string;
}

interface Suite {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly cases: readonly Case[];
}

const outcomes = {
  pass: 'pass',
  fail: 'failure',
  inconclusive: 'skipped',
  skipped: 'skipped',
  error: 'error',
} as const;

function* suitesOf(report: Report): Generator<Suite> {
  for (const unit of report.units) yield suiteOfUnit(unit);
  const left = report.ungraded.filter(({ reason }) => !isExpected(reason));
  if (left.length > 0) yield { name: 'not graded', properties: {}, cases: left.map(ungradedCase) };
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const cases = errors.map(({ code, message, file, line }): Case => {
    const place = { ...(file !== undefined && { file }), ...(line !== undefined && { line }) };
    return {
      name: code,
      className: file ?? 'retrial',
      ...place,
      outcome: 'error',
      type: code,
      message,
    };
  });
  yield { name: 'input', properties: {}, cases };
}

/** `no_spec` and `not_an_agent_trace` do not count (contract.md §4). */
function isExpected(reason: Ungraded['reason']): boolean {
  return reason === 'no_spec' || reason === 'not_an_agent_trace';
}

function ungradedCase({ id, reason }: Ungraded): Case {
  const message = `the unit was not graded: ${reason}`;
  return { name: id, className: 'not graded', outcome: 'skipped', type: reason, message };
}

function suiteOfUnit(unit: UnitReport): Suite {
  const row = unit.row === null ? {} : { row: String(unit.row) };
  const cases = unit.evaluations
    .filter((evaluation) => evaluation.nested !== true)
    .map((evaluation) => evaluationCase(unit, evaluation));
  const isShown = unit.conformance !== 'pass' || cases.length === 0;
  return {
    name: `${unit.session} · ${nameUnit(unit)}`,
    properties: {
      document: unit.document,
      digest: unit.digest,
      ...row,
      mode: unit.mode,
      complete: String(unit.complete),
      verdict: unit.verdict,
      traceIds: unit.traceIds.join(' '),
    },
    cases: isShown ? [...cases, conformanceCase(unit)] : cases,
  };
}

function evaluationCase(unit: UnitReport, evaluation: EvaluationReport): Case {
  const { verdict, reason, code, durationMs, line } = evaluation;
  const inside = unit.evaluations.filter(
    ({ nested, rule }) => nested === true && rule.startsWith(`${evaluation.rule}/`),
  );
  const detail = [
    `${placeOf(unit, evaluation)} ${evaluation.rule}`,
    ...evaluation.witness.map(
      ({ behavior, spanId }) => `seen: behavior ${behavior}, span ${spanId}`,
    ),
    ...nearestLines(evaluation.nearest ?? null),
    ...inside.map((nested) => `${nested.verdict}: ${titleOf(nested)}: ${nested.reason}`),
  ];
  return {
    name: `${titleOf(evaluation)} ${evaluation.rule}`,
    className: `${unit.document}.${unit.session}`,
    file: unit.document,
    line,
    ...(durationMs !== undefined && { durationMs }),
    outcome: outcomes[verdict],
    type: code ?? verdict,
    message: verdict === 'inconclusive' ? `inconclusive: ${reason}` : reason,
    detail: detail.join('\n'),
  };
}

function conformanceCase(unit: UnitReport): Case {
  const missed = missedSteps(unit);
  const lines = missed.flatMap((step) => [
    `${placeOf(unit, step)} ${step.rule}: not observed`,
    ...nearestLines(step.nearest),
  ]);
  return {
    name: 'conformance',
    className: `${unit.document}.${unit.session}`,
    file: unit.document,
    outcome: outcomes[unit.conformance],
    type: missed[0]?.code ?? 'conformance',
    message: `${unit.conformance}: ${missed.length} required step(s) not observed`,
    detail: lines.join('\n'),
  };
}

function nearestLines(nearest: NearestMiss | null): readonly string[] {
  if (nearest === null) return [];
  return [`nearest: behavior ${nearest.behavior}, differs in ${nearest.failed}: ${nearest.detail}`];
}

function countCases(report: Report): Readonly<Record<string, string>> {
  const cases = [...suitesOf(report)].flatMap((suite) => suite.cases);
  return countOutcomes(cases);
}

function countOutcomes(cases: readonly Case[]): Readonly<Record<string, string>> {
  const count = (outcome: Case['outcome']): string =>
    String(cases.filter((one) => one.outcome === outcome).length);
  const timeMs = cases.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  return {
    tests: String(cases.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(timeMs),
  };
}

function* suiteLines({ name, properties, cases }: Suite): Generator<string> {
  yield `  <testsuite${attributes({ name, ...countOutcomes(cases) })}>\n`;
  const entries = Object.entries(properties);
  if (entries.length > 0) {
    const lines = entries.map(([key, value]) => `<property${attributes({ name: key, value })}/>`);
    yield `    <properties>${lines.join('')}</properties>\n`;
  }
  for (const one of cases) yield* caseLines(one);
  yield '  </testsuite>\n';
}

function* caseLines(one: Case): Generator<string> {
  const place = {
    ...(one.file !== undefined && { file: one.file }),
    ...(one.line !== undefined && { line: String(one.line) }),
  };
  const head = {
    name: one.name,
    classname: one.className,
    ...place,
    time: seconds(one.durationMs ?? 0),
  };
  if (one.outcome === 'pass') {
    yield `    <testcase${attributes(head)}/>\n`;
    return;
  }
  const message = one.message ?? '';
  const child = one.outcome === 'skipped' ? { message } : { message, type: one.type ?? '' };
  yield `    <testcase${attributes(head)}>\n`;
  yield `      <${one.outcome}${attributes(child)}>${xmlText(one.detail ?? '')}</${one.outcome}>\n`;
  yield '    </testcase>\n';
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(value)}"`)
    .join('');
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}
