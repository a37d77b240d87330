import type { ReasonCode, Report, UnitReport } from '../model/report.js';
import type { VerdictCode } from '../model/verdict.js';
import type { Exit } from './decide-exit.js';

type Findings = Pick<Report, 'units' | 'ungraded' | 'diagnostics'>;

/**
 * The one thing a person would do next, or null when all is well. Advice follows the reason of the exit
 * code; of several inconclusive rules the most frequent code decides.
 */
export function suggestNextStep({ reasonCode }: Exit, findings: Findings): string | null {
  return advice[reasonCode](findings);
}

const advice: Readonly<Record<ReasonCode, (findings: Findings) => string | null>> = {
  ok: () => null,
  interrupted: () => 'run it again: what was not reached before the interruption is missing',
  usage: () => 'correct the command line or the files it names; see the diagnostics',
  config: () => 'correct the configuration; see the diagnostics',
  document: ({ diagnostics }) => {
    const file = diagnostics.find(({ severity, file }) => severity === 'error' && file)?.file;
    return `correct the document: retrial check ${file === undefined ? 'FILE' : shellWord(file)}`;
  },
  violations: ({ units }) =>
    explainUnit(units.find(({ verdict }) => verdict === 'fail') ?? units[0]),
  grader_failed: () => 'look at the rules with verdict error: the evaluator itself broke',
  inconclusive: ({ units, ungraded }) => {
    const code = mostFrequentCode(units);
    const settle = code === null ? undefined : adviceByCode[code];
    return settle ?? adviseUngraded(ungraded) ?? explainUnit(units.find(isInconclusive));
  },
  nothing_graded: ({ ungraded }) =>
    adviseUngraded(ungraded) ??
    (ungraded.length > 0
      ? 'no span of a known agent instrumentation was found; retrial explain shows what was read'
      : 'check that the recordings hold traces and that the document has rules that apply'),
};

const adviceByCode: Partial<Readonly<Record<VerdictCode, string>>> = {
  'adapter.not_configured':
    'judged rules need a judge: configure one under `adapters` in retrial.yaml, or grade without those rules',
  budget_exhausted:
    'raise --budget, or run again: answers that were bought are kept and cost nothing',
  'adapter.error':
    'look at the reasons of the judged rules, which say what the judge did; --verbose lists all',
  unclassified_message:
    'settle what the messages named in the reasons are: a step with `matches_when`, or `abs.action` on the span',
  order_parallel:
    'the order rests on parallel calls; drop `strict_order` or record them one by one',
  capture_unconfirmed: 'capture what was observed: `capture: {name: {pattern: …}}` or `{path: …}`',
  when_false:
    'every rule was skipped by its `when`; grade recordings of that kind, or widen the conditions',
  when_unknown_column: 'a `when` names a column that the dataset does not have',
};

function adviseUngraded(ungraded: Report['ungraded']): string | null {
  const reasons = new Set(ungraded.map(({ reason }) => reason));
  if (reasons.has('no_session')) return 'say which session grades: --session NAME';
  if (reasons.has('no_row')) return 'say which dataset row the recording belongs to: --row N';
  return null;
}

function isInconclusive({ verdict }: UnitReport): boolean {
  return verdict === 'inconclusive';
}

function mostFrequentCode(units: readonly UnitReport[]): VerdictCode | null {
  const counts = new Map<VerdictCode, number>();
  const add = (code: VerdictCode | null): void => {
    if (code !== null) counts.set(code, (counts.get(code) ?? 0) + 1);
  };
  for (const unit of units) {
    add(unit.code);
    for (const { verdict, code } of unit.evaluations) if (verdict === 'inconclusive') add(code);
  }
  const [most] = [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  return most?.[0] ?? null;
}

/** Recordings are not named: the same spans give the same report, whatever files they came in. */
function explainUnit(unit: UnitReport | undefined): string | null {
  const [traceId] = unit?.traceIds ?? [];
  if (traceId === undefined) return null;
  return `see what was observed: retrial explain RECORDINGS --trace ${traceId}`;
}

function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
