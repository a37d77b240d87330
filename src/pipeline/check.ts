import { checkDocuments as checkTexts } from '../documents/abs/check.js';
import { evaluators } from '../evaluators/index.js';
import type { Problem } from '../model/problem.js';
import type { CheckReport } from '../reports/problems/problem-format.js';
import { readVersion } from '../util/version.js';
import { loadDocumentFiles } from './load-documents.js';

export interface CheckOptions {
  readonly cwd: string;
  /** Warnings are errors. */
  readonly isStrict: boolean;
}

/**
 * Reads the documents that the paths name and tells everything that is wrong or doubtful in them. The
 * exit code is 2 when anything is an error, else 0 (contract.md §4).
 */
export function checkDocuments(paths: readonly string[], options: CheckOptions): CheckReport {
  const loaded = loadDocumentFiles(paths, options.cwd);
  const checked = checkTexts(loaded.files, evaluators);
  const found = [...loaded.problems, ...checked.problems];
  const problems = options.isStrict ? found.map(raise) : found;
  const isWrong = problems.some(({ severity }) => severity === 'error');
  const sessions = checked.sessions.length;
  return { version: readVersion(), exitCode: isWrong ? 2 : 0, sessions, problems };
}

function raise(problem: Problem): Problem {
  return problem.severity === 'warning' ? { ...problem, severity: 'error' } : problem;
}
