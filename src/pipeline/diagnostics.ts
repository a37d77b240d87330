import type { Diagnostic, Problem } from '../model/problem.js';

/** A problem in the flat form of reports; the hint becomes part of the message. */
export function toDiagnostic({ severity, code, message, hint, position }: Problem): Diagnostic {
  const text = hint === undefined ? message : `${message}; ${hint}`;
  return { severity, code, message: text, ...position };
}
