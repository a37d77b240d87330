import { createProblem } from '../errors.js';
import type { Problem } from '../model/problem.js';
import type { Report, UnitReport } from '../model/report.js';
import { readVersion } from '../util/version.js';
import { buildUnit, type ChosenUnits, chooseUnits, countSpans } from './build-units.js';
import { countTotals } from './count-totals.js';
import { decideExit } from './decide-exit.js';
import { toDiagnostic } from './diagnostics.js';
import type { GradeOptions, PipelineIo } from './grade-options.js';
import { openJudging } from './judge-setup.js';
import { type LoadedSessions, loadSessions } from './load-sessions.js';
import { type LoadedSpans, loadSpans, noTraces } from './load-spans.js';
import { suggestNextStep } from './next-step.js';
import { createPacer } from './pacer.js';
import { UnitGrader } from './unit-grader.js';

/**
 * Grades recordings by documents: from paths to the report (contract.md §3). What is wrong with an input
 * becomes a diagnostic and an exit code while everything else is still graded. When `io.signal` aborts,
 * the report tells what was graded until then.
 */
export async function gradeRecordings(options: GradeOptions, io: PipelineIo): Promise<Report> {
  const documents = loadSessions(options, io);
  const loaded = await loadSpans(options.recordings, io);
  const chosen = chooseUnits(loaded.traces, options.unit ?? 'auto', options.traces ?? []);
  const judging = openJudging(options.judging, documents, io);
  const grader = new UnitGrader(documents.sessions, options, judging.judges);
  const pace = createPacer(io);
  const total = chosen.units.length;
  for (let done = 0; done < total; done += grader.unitsAtOnce) {
    if (io.signal?.aborted === true) break;
    await grader.grade(
      chosen.units
        .slice(done, done + grader.unitsAtOnce)
        .map((unit) => buildUnit(unit, options.reconstruction)),
    );
    await pace(() => ({ label: 'grading', done, total }));
  }
  const isInterrupted = io.signal?.aborted === true;
  const judgeProblems = judging.finish();
  return writeReport({ options, documents, loaded, chosen, grader, isInterrupted, judgeProblems });
}

interface Findings {
  readonly options: GradeOptions;
  readonly documents: LoadedSessions;
  readonly loaded: LoadedSpans;
  readonly chosen: ChosenUnits;
  readonly grader: UnitGrader;
  readonly isInterrupted: boolean;
  readonly judgeProblems: readonly Problem[];
}

function writeReport(findings: Findings): Report {
  const { options, documents, loaded, chosen, grader, isInterrupted } = findings;
  const usageProblems = [
    ...findings.judgeProblems,
    ...documents.usageProblems,
    ...wrongSession(documents, options.session),
    ...flagsWithoutDataset(documents, options),
    ...loaded.problems,
  ];
  const problems = [
    ...usageProblems,
    // How a document may be improved is told by `check`.
    ...documents.documentProblems.filter(({ severity }) => severity !== 'info'),
    ...noTraces(loaded),
    ...chosen.problems,
    ...(options.unit === 'trace' ? sharedConversations(chosen) : []),
    ...grader.problems,
  ];
  const { ungraded } = grader;
  const units = [...grader.units].sort(compareEntries);
  const spans = { read: countSpans(loaded.traces), rejected: loaded.rejected };
  const totals = countTotals(units, spans, ungraded.length);
  const diagnostics = problems.map(toDiagnostic);
  const exit = decideExit({
    totals,
    ungraded,
    inputErrors: {
      usage: countErrors(usageProblems),
      document: countErrors(documents.documentProblems),
    },
    isInterrupted,
    allowEmpty: options.allowEmpty === true,
    inconclusiveAs: options.inconclusive ?? 'inconclusive',
  });
  return {
    retrial: { version: readVersion(), reportVersion: 1 },
    ...exit,
    nextStep: suggestNextStep(exit, { units, ungraded, diagnostics }),
    unit: options.unit ?? 'auto',
    totals,
    units,
    ungraded,
    diagnostics,
  };
}

function wrongSession(
  { sessions }: LoadedSessions,
  wanted: string | undefined,
): readonly Problem[] {
  const names = sessions.map(({ session }) => session.name);
  if (wanted === undefined || names.includes(wanted)) return [];
  const candidates = [...new Set(names)].sort().join(', ') || 'none';
  return [createProblem('no-such-session', { session: wanted, candidates })];
}

/** A choice of rows that would choose nothing is a mistake, not a wish to ignore. */
function flagsWithoutDataset(
  { sessions }: LoadedSessions,
  { row, filters = [] }: GradeOptions,
): readonly Problem[] {
  if (sessions.length === 0 || sessions.some(({ dataset }) => dataset !== null)) return [];
  const flags = [
    ...(row === undefined ? [] : ['--row']),
    ...(filters.length > 0 ? ['--filter'] : []),
  ];
  return flags.map((flag) => createProblem('flag-without-dataset', { flag }));
}

function sharedConversations({ sharedKeys }: ChosenUnits): readonly Problem[] {
  return sharedKeys.map(({ key, traceIds }) =>
    createProblem('traces-share-conversation', { key, count: traceIds.length }),
  );
}

function countErrors(problems: readonly Problem[]): number {
  return problems.filter(({ severity }) => severity === 'error').length;
}

/** By id, document, session (contract.md §3), compared by UTF-16 unit on every machine. */
function compareEntries(a: UnitReport, b: UnitReport): number {
  const keysOfA = [a.id, a.document, a.session];
  const keysOfB = [b.id, b.document, b.session];
  for (const [at, key] of keysOfA.entries()) {
    const other = keysOfB[at] ?? '';
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
}
