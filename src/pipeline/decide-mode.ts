import type { Session } from '../model/document.js';

/** How a session is graded. */
export interface GradeMode {
  readonly mode: 'test' | 'monitor';
  /** The letter of ABS: whether every step was observed does not count. */
  readonly evaluationsOnly: boolean;
}

/**
 * Whether a session has anything to say in this mode. As a monitor only its own evaluations are graded;
 * with evaluations only, those and the ones of its steps; otherwise its steps too, which it always has.
 */
export function hasSomethingToGrade(
  session: Session,
  { mode, evaluationsOnly }: GradeMode,
): boolean {
  if (session.evaluations.length > 0) return true;
  if (mode === 'monitor') return false;
  return !evaluationsOnly || session.steps.some((step) => step.evaluations.length > 0);
}
