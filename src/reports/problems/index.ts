import { githubProblems } from './github.js';
import { jsonProblems } from './json.js';
import type { ProblemFormat } from './problem-format.js';
import { sarifProblems } from './sarif.js';
import { textProblems } from './text.js';

/** Every way `retrial check` can tell its problems. */
export const problemFormats: readonly ProblemFormat[] = [
  textProblems,
  jsonProblems,
  githubProblems,
  sarifProblems,
];
