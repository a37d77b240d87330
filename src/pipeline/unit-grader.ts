import { createProblem } from '../errors.js';
import type { Judges } from '../judges/judges.js';
import type { Unit } from '../model/behavior.js';
import type { Problem } from '../model/problem.js';
import type { Ungraded, UnitReport } from '../model/report.js';
import { hasSomethingToGrade } from './decide-mode.js';
import { type Candidate, gradeBySessions } from './grade-by-sessions.js';
import type { GradeOptions } from './grade-options.js';
import { gradeWithJudges } from './judge-grading.js';
import type { LoadedSession } from './load-sessions.js';

/** Bounds the units that are kept in memory while their judges think. */
const unitsJudgedTogether = 32;

/** Grades one unit after the other and keeps what came of it. */
export class UnitGrader {
  readonly units: UnitReport[] = [];
  readonly ungraded: Ungraded[] = [];
  readonly problems: Problem[] = [];
  readonly #candidates: readonly Candidate[];
  readonly #options: GradeOptions;
  readonly #judges: Judges | null;

  constructor(sessions: readonly LoadedSession[], options: GradeOptions, judges: Judges | null) {
    const { mode = 'test', evaluationsOnly = false, session: wanted } = options;
    this.#options = options;
    this.#judges = judges;
    // On the command line there is no `when`.
    this.#candidates = sessions.map((loaded) => ({
      name: loaded.session.name,
      mode,
      admits: null,
      loaded,
      isUseful: hasSomethingToGrade(loaded.session, { mode, evaluationsOnly }),
    }));
    for (const { name, isUseful, loaded } of this.#candidates) {
      if (isUseful || (wanted !== undefined && wanted !== name)) continue;
      const values = { session: name, file: loaded.session.document };
      this.problems.push(createProblem('nothing-to-grade', values));
    }
  }

  /** How many units are graded together: their judges are asked at the same time. */
  get unitsAtOnce(): number {
    return this.#judges === null ? 1 : unitsJudgedTogether;
  }

  async grade(units: readonly Unit[]): Promise<void> {
    const graded = await Promise.all(
      units.map((unit) =>
        gradeWithJudges(
          (judge) => gradeBySessions(unit, this.#candidates, { ...this.#options, judge }),
          this.#judges,
        ),
      ),
    );
    for (const { entries, ungraded, problems } of graded) {
      this.units.push(...entries);
      this.ungraded.push(...ungraded);
      this.problems.push(...problems);
    }
  }
}
