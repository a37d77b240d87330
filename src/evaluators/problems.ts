import type { Evaluation } from '../model/document.js';
import type { Problem } from '../model/problem.js';

/** A rule that cannot be run: the document is not graded (semantics decision 5). */
export function ruleError(
  evaluation: Evaluation,
  code: string,
  message: string,
  hint: string,
): Problem {
  return { severity: 'error', code, message, hint, position: evaluation.position };
}

/** A rule that runs and cannot mean what it says. */
export function ruleWarning(
  evaluation: Evaluation,
  code: string,
  message: string,
  hint: string,
): Problem {
  return { severity: 'warning', code, message, hint, position: evaluation.position };
}

export function patternProblem(
  evaluation: Evaluation,
  refusal: { readonly message: string; readonly hint: string },
): Problem {
  return ruleError(
    evaluation,
    'bad-pattern',
    `the pattern of ${evaluation.type} is not valid: ${refusal.message}`,
    refusal.hint,
  );
}
