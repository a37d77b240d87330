import type { Judges } from '../judges/judges.js';
import type { Judge } from '../model/evaluator.js';

/** Rounds of one grading: an answer to `matches_when` can align other steps, which asks new questions. */
const maxRounds = 6;

/**
 * Grades, has what could not be answered judged, and grades again, until no question is new:
 *
 *   grade -> nothing noted -> done
 *         -> questions noted, rounds left -> settle -> grade
 *
 * `grade` must be pure. Questions still open after the last round stay `not_judged`.
 */
export async function gradeWithJudges<Graded>(
  grade: (judge: Judge | null) => Graded,
  judges: Judges | null,
): Promise<Graded> {
  if (judges === null) return grade(null);
  const run = judges.startRun();
  let graded = grade(run);
  for (let round = 1; round <= maxRounds && run.pending > 0; round += 1) {
    await run.settle();
    graded = grade(run);
  }
  return graded;
}
