import type { Session } from '../../model/document.js';
import type { EvaluatorDefinition } from '../../model/evaluator.js';
import type { Problem } from '../../model/problem.js';
import { lintEvaluations } from './lint-evaluations.js';
import { lintReferences } from './lint-references.js';
import { lintSteps } from './lint-steps.js';
import { readAbs } from './parse.js';
import { sortProblems } from './problems.js';

/** A document file as read. */
export interface DocumentFile {
  readonly file: string;
  readonly text: string;
}

export interface CheckedDocuments {
  /** In the order of the files, then of the text. */
  readonly problems: readonly Problem[];
  /** Sessions without errors. */
  readonly sessions: readonly Session[];
}

/**
 * What `retrial check` says of documents: every error and warning of reading them, and the lint of the
 * sessions without errors. Every problem has its place and source line. Pure: datasets are not read.
 */
export function checkDocuments(
  files: readonly DocumentFile[],
  evaluators: readonly EvaluatorDefinition[],
): CheckedDocuments {
  const problems: Problem[] = [];
  const sessions: Session[] = [];
  for (const { file, text } of files) {
    const { sessions: located, sink } = readAbs(text, file, evaluators);
    for (const one of located) {
      lintSteps(sink, one);
      lintEvaluations(sink, one, evaluators);
      lintReferences(sink, one);
      sessions.push(one.session);
    }
    problems.push(...sortProblems(sink.problems));
  }
  return { problems, sessions };
}
