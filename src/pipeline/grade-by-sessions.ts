import { createProblem } from '../errors.js';
import { gradeUnit } from '../grading/grade-unit.js';
import { selectRow } from '../grading/select-row.js';
import { type SelectableSession, selectSessions } from '../grading/select-sessions.js';
import type { Unit } from '../model/behavior.js';
import type { Judge } from '../model/evaluator.js';
import type { Problem } from '../model/problem.js';
import type { ReleaseReason, Ungraded, UngradedReason, UnitReport } from '../model/report.js';
import type { LoadedSession } from './load-sessions.js';

/** A loaded session with the mode it grades in and the units it grades. */
export interface Candidate extends SelectableSession {
  readonly loaded: LoadedSession;
  /** False for a session that has nothing to say in this mode. */
  readonly isUseful: boolean;
}

export interface GradingChoices {
  /** `--session`. */
  readonly session?: string;
  /** `--row`. */
  readonly row?: number;
  readonly evaluationsOnly?: boolean;
  readonly userMatch?: 'template' | 'ignore';
  readonly withBehaviors?: boolean;
  readonly releaseReason?: ReleaseReason;
  readonly generation?: number;
  /** Null or absent: rules that need a judge are inconclusive. */
  readonly judge?: Judge | null;
}

/** What came of one unit. */
export interface GradedBySessions {
  /** One per session that fits. */
  readonly entries: readonly UnitReport[];
  /** Why it was not graded, by each reason once. */
  readonly ungraded: readonly Ungraded[];
  readonly problems: readonly Problem[];
}

/** Grades a unit by every session that is its own (contract.md §2); the one way of `grade` and `serve`. */
export function gradeBySessions(
  unit: Unit,
  candidates: readonly Candidate[],
  choices: GradingChoices,
): GradedBySessions {
  if (isOfSomethingElse(unit)) return leftOut(unit, ['not_an_agent_trace'], []);
  const choice = selectSessions(unit, candidates, choices.session ?? null);
  if (choice.kind === 'ungraded') {
    const names = [...choice.candidates].sort().join(', ');
    const values = { unit: nameOf(unit), candidates: names };
    const isTold = choice.reason === 'no_session';
    return leftOut(unit, [choice.reason], isTold ? [createProblem('no-session-fits', values)] : []);
  }
  const graded = choice.sessions
    .filter(({ isUseful }) => isUseful)
    .map((candidate) => gradeByOne(unit, candidate, choices));
  const reasons = graded.flatMap(({ reason }) => reason ?? []);
  return {
    ...leftOut(
      unit,
      reasons,
      graded.flatMap(({ problem }) => problem ?? []),
    ),
    entries: graded.flatMap(({ entry }) => entry ?? []),
  };
}

interface GradedByOne {
  readonly entry?: UnitReport;
  readonly reason?: UngradedReason;
  readonly problem?: Problem;
}

function gradeByOne(unit: Unit, { loaded, mode }: Candidate, choices: GradingChoices): GradedByOne {
  // References of the session have no value, which was told as an error of the document.
  if (loaded.bound.length === 0) return { reason: 'no_spec' };
  const { row = null, evaluationsOnly = false, userMatch = 'template' } = choices;
  const choice = selectRow(unit, loaded, row);
  if (choice.kind === 'no_row') {
    const candidates = choice.candidates.join(', ') || 'none';
    const { name: session } = loaded.session;
    const values = { unit: nameOf(unit), session, detail: choice.why, candidates };
    return { reason: 'no_row', problem: createProblem('no-row-fits', values) };
  }
  const { withBehaviors = false, releaseReason, generation, judge = null } = choices;
  const entry = gradeUnit(unit, choice.bound, {
    mode,
    evaluationsOnly,
    userMatch,
    withBehaviors,
    judge,
    ...(releaseReason !== undefined && { releaseReason }),
    ...(generation !== undefined && { generation }),
  });
  return { entry: evaluationsOnly ? { ...entry, conformance: 'pass' } : entry };
}

function leftOut(
  { id }: Unit,
  reasons: readonly UngradedReason[],
  problems: readonly Problem[],
): GradedBySessions {
  const ungraded = [...new Set(reasons)].map((reason) => ({ id, reason }));
  return { entries: [], ungraded, problems };
}

/** A trace of other software; not one of which spans were refused, as those could have been the agent's. */
function isOfSomethingElse({ isAgentTrace, losses }: Unit): boolean {
  return !isAgentTrace && !losses.some(({ kind }) => kind === 'span_rejected');
}

function nameOf({ kind, id }: Unit): string {
  return `${kind} ${id}`;
}
