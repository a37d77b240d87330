import { jsonText } from '../../util/json-text.js';
import { withoutAbsent } from '../behavior-json.js';
import type { ProblemFormat } from './problem-format.js';

/** `{ exitCode, sessions, diagnostics }`; a diagnostic as in the report (contract.md §3), and its hint. */
export const jsonProblems: ProblemFormat = {
  name: 'json',

  *render({ exitCode, sessions, problems }) {
    const diagnostics = problems.map(({ severity, code, message, hint, position }) =>
      withoutAbsent({
        severity,
        code,
        message,
        hint,
        file: position?.file,
        line: position?.line,
        column: position?.column,
      }),
    );
    yield `${jsonText({ exitCode, sessions, diagnostics })}\n`;
  },
};
