import type { BehaviorOptions } from '../behaviors/behavior-options.js';
import { reconstructUnit } from '../behaviors/reconstruct-unit.js';
import type { UnitInput } from '../behaviors/trace-input.js';
import type { When } from '../config/when.js';
import { dialects } from '../dialects/index.js';
import { selectRow } from '../grading/select-row.js';
import { selectSessions } from '../grading/select-sessions.js';
import type { Unit } from '../model/behavior.js';
import type { Judge } from '../model/evaluator.js';
import type { ReleaseReason, UnitReport } from '../model/report.js';
import { type Candidate, type GradedBySessions, gradeBySessions } from './grade-by-sessions.js';
import type { EarlyViolation } from './live-alerts.js';
import { EarlyRules } from './live-early.js';
import { admitsUnit } from './live-selection.js';

export interface GradedUnit extends GradedBySessions {
  readonly unit: Unit;
}

/** How a unit left the hold. */
interface UnitRelease {
  readonly reason: ReleaseReason;
  readonly generation: number;
}

/** Grading as the live pipeline sees it. */
export interface LiveGrader {
  /** Grades a released unit by every session that fits it. */
  grade(input: UnitInput, release: UnitRelease, judge: Judge | null): GradedUnit;
  /**
   * Violations that are certain although the unit goes on (design.md §6). `isSettled`: every parent that a
   * span named has ended, so nothing that comes can collapse what looks like two.
   */
  findEarly(
    input: UnitInput,
    isSettled: boolean,
  ): { readonly unit: Unit; readonly violations: readonly EarlyViolation[] };
  /** False when no rule could ever be violated early. */
  readonly canBeViolatedEarly: boolean;
  /** Whether a failed `count` exceeded its maximum, rather than missing its minimum. */
  isCountAboveMax(entry: UnitReport, rule: string, via: string | undefined, seen: number): boolean;
}

/** A session with the expression that chooses its units; `null` admits by name, or as the only one. */
export interface LiveCandidate extends Omit<Candidate, 'admits'> {
  readonly when: When | null;
}

/** Grades live units by the same functions as `grade` (design.md §1, promise 1). */
export function createLiveGrader(
  sessions: readonly LiveCandidate[],
  behaviorOptions: BehaviorOptions,
): LiveGrader {
  const early = new EarlyRules(sessions.map(({ loaded }) => loaded));
  const candidatesFor = (input: UnitInput): readonly Candidate[] =>
    sessions.map(({ when, ...session }) => ({
      ...session,
      admits: when === null ? null : () => admitsUnit(when, input),
    }));
  return {
    canBeViolatedEarly: early.canBeViolated,
    isCountAboveMax: ({ document, session }, rule, via, seen) =>
      sessions.some(
        ({ loaded }) =>
          loaded.session.document === document &&
          loaded.session.name === session &&
          loaded.session.evaluations
            .concat(loaded.session.steps.flatMap((step) => step.evaluations))
            .some(
              (one) =>
                one.rule === rule &&
                one.via === (via ?? null) &&
                typeof one.fields.max === 'number' &&
                seen >= Number(one.fields.min ?? 0),
            ),
      ),
    grade(input, { reason, generation }, judge) {
      if (sessions.length === 0) return leaveUngraded(input);
      const unit = reconstructUnit(input, dialects, behaviorOptions);
      const choices = { releaseReason: reason, generation, judge };
      return { unit, ...gradeBySessions(unit, candidatesFor(input), choices) };
    },
    findEarly(input, isSettled) {
      const unit = reconstructUnit(input, dialects, behaviorOptions);
      const choice = selectSessions(unit, candidatesFor(input));
      if (choice.kind === 'ungraded') return { unit, violations: [] };
      const violations = choice.sessions.flatMap(({ loaded }) => {
        const row = selectRow(unit, loaded);
        return row.kind === 'bound' ? early.find(row.bound, unit, isSettled) : [];
      });
      return { unit, violations };
    },
  };
}

/** Without any document nothing needs to be rebuilt. */
function leaveUngraded({ id, kind, traces }: UnitInput): GradedUnit {
  const unit: Unit = {
    id,
    kind,
    traceIds: traces.map(({ traceId }) => traceId),
    behaviors: [],
    losses: [],
    complete: false,
    sources: [],
    labels: {},
    isAgentTrace: false,
  };
  return { unit, entries: [], ungraded: [{ id, reason: 'no_spec' }], problems: [] };
}
