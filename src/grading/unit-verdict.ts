import type { EvaluationReport, StepReport } from '../model/report.js';
import type { UnitVerdict, VerdictCode } from '../model/verdict.js';

/** `fail` if a required active step is unmatched, `inconclusive` if lost evidence could have held one (A23). */
export function decideConformance(steps: readonly StepReport[]): UnitVerdict {
  const required = steps.filter((step) => !step.optional && step.active);
  if (required.some((step) => step.matched === false)) return 'fail';
  return required.some((step) => step.matched === null) ? 'inconclusive' : 'pass';
}

export interface VerdictQuestion {
  readonly evaluations: readonly EvaluationReport[];
  /** Null where steps do not count: monitors, `--evaluations-only`. */
  readonly conformance: UnitVerdict | null;
  /** A required step was active, so that conformance says something. */
  readonly hasRequiredSteps: boolean;
}

/**
 * The verdict of a unit (design.md §6, semantics A41): fail if anything failed, else inconclusive if anything
 * is open or broken, else pass. Only rules that are not nested count. Where every rule was skipped and no
 * step was required nothing was graded, which is no pass.
 */
export function decideVerdict(question: VerdictQuestion): {
  readonly verdict: UnitVerdict;
  readonly code: VerdictCode | null;
} {
  const verdicts = question.evaluations
    .filter((evaluation) => evaluation.nested !== true)
    .map((evaluation) => evaluation.verdict);
  const all = [...verdicts, ...(question.conformance === null ? [] : [question.conformance])];
  if (all.includes('fail')) return { verdict: 'fail', code: null };
  if (all.includes('inconclusive') || all.includes('error')) {
    return { verdict: 'inconclusive', code: null };
  }
  const isGraded =
    verdicts.includes('pass') || (question.conformance !== null && question.hasRequiredSteps);
  if (isGraded) return { verdict: 'pass', code: null };
  return { verdict: 'inconclusive', code: verdicts.length > 0 ? 'when_false' : null };
}
