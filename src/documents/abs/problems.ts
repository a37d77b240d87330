import type { Problem, SourcePosition } from '../../model/problem.js';
import { findClosest, frameAt, positionAt, type SourceText } from '../../util/text.js';

interface ProblemRow {
  readonly severity: Problem['severity'];
  /** One line on the kind, for lists of rules such as SARIF's. */
  readonly summary: string;
}

/** Every kind of problem that reading, binding and checking a document can find. */
const documentProblems = {
  // The text.
  'document-too-large': {
    severity: 'error',
    summary: 'The file is larger than a document may be.',
  },
  'too-many-problems': { severity: 'error', summary: 'Not every problem is told.' },
  'yaml-syntax': { severity: 'error', summary: 'The text is not valid YAML 1.2.' },
  'yaml-warning': { severity: 'warning', summary: 'The YAML is valid but unusual.' },
  'yaml-depth': { severity: 'error', summary: 'Lists and maps are nested too deeply.' },
  'yaml-alias': {
    severity: 'error',
    summary: 'An alias has no anchor, or aliases expand too far.',
  },
  'yaml-merge': { severity: 'error', summary: 'A merge key does not name a map.' },
  'yaml-key': { severity: 'error', summary: 'A key of a map is not a plain text.' },
  'yaml-number': { severity: 'error', summary: 'A number has no JSON form.' },
  'duplicate-key': { severity: 'error', summary: 'A key stands twice in one map.' },
  'no-session': { severity: 'error', summary: 'The file holds no session.' },

  // The shape.
  'unknown-key': { severity: 'error', summary: 'A key is not part of the language.' },
  'missing-key': { severity: 'error', summary: 'A required key is missing.' },
  'wrong-type': { severity: 'error', summary: 'A value is of the wrong kind.' },
  'wrong-value': { severity: 'error', summary: 'A value is outside what is allowed.' },
  'unknown-evaluator': { severity: 'error', summary: 'An evaluation has an unknown type.' },
  'with-exclusive': { severity: 'error', summary: 'with and with_only stand together.' },
  'own-key-ignored': {
    severity: 'warning',
    summary: "One of Retrial's own keys has a value it does not know and is ignored.",
  },

  // Versions.
  'version-missing': { severity: 'warning', summary: 'The document declares no abs_version.' },
  'version-unknown': { severity: 'error', summary: 'abs_version is neither "0.1" nor "0.2".' },
  'version-feature': { severity: 'error', summary: 'A 0.1 document uses a key or type of 0.2.' },

  // Fragments and ids.
  'unknown-fragment': { severity: 'error', summary: 'An include names no fragment.' },
  'fragment-cycle': { severity: 'error', summary: 'Fragments include each other in a circle.' },
  'too-many-steps': { severity: 'error', summary: 'Fragments expand to too many behaviors.' },
  'nested-include': { severity: 'warning', summary: 'A fragment includes a fragment.' },
  'fragment-prelude': { severity: 'warning', summary: 'Fragments stand before the sessions.' },
  'unused-fragment': { severity: 'warning', summary: 'A fragment is never included.' },
  'duplicate-id': { severity: 'error', summary: 'Two behaviors have the same id.' },
  'unknown-id': { severity: 'error', summary: 'A rule names an id that no behavior has.' },
  'forward-requires': {
    severity: 'error',
    summary: 'requires names a behavior that is not earlier.',
  },
  'duplicate-session': { severity: 'warning', summary: 'Two sessions have the same name.' },

  // References, patterns, conditions.
  'bad-reference': { severity: 'error', summary: 'Braces do not hold a reference.' },
  'bad-pattern': { severity: 'error', summary: 'A pattern cannot be compiled.' },
  'bad-capture': { severity: 'error', summary: 'A capture cannot be read.' },
  'bad-when': { severity: 'error', summary: 'A when condition does not parse.' },
  'unresolved-reference': { severity: 'error', summary: 'A reference has no value.' },
  'value-too-large': { severity: 'error', summary: 'References build a value that is too large.' },
  'unknown-variable': {
    severity: 'error',
    summary: 'A rule names a variable of no capture or use.',
  },
  'optional-in-sequence': {
    severity: 'error',
    summary: 'A sequence waits for an optional behavior.',
  },

  // Datasets, variables, filters.
  'dataset-format': { severity: 'error', summary: 'A dataset is not .json or .jsonl of objects.' },
  'dataset-empty': {
    severity: 'error',
    summary: 'A dataset, or what a filter leaves of it, is empty.',
  },
  'dataset-duplicate-key': { severity: 'warning', summary: 'A row names a column twice.' },
  'bad-filter': { severity: 'error', summary: 'A filter is not column:value of a column.' },
  'bad-variable': { severity: 'error', summary: 'A variable is not name=value.' },

  // Lint.
  'perhaps-optional': {
    severity: 'warning',
    summary: 'A sequence may wait for an optional behavior.',
  },
  'doubtful-when': { severity: 'warning', summary: 'A when condition cannot be what was meant.' },
  'never-declared': { severity: 'warning', summary: 'A selector names what no behavior declares.' },
  'misspelt-word': { severity: 'warning', summary: 'A word is close to one of the vocabulary.' },
  'misspelt-key': { severity: 'warning', summary: 'An adapter key is close to a known one.' },
  'custom-action': { severity: 'warning', summary: 'An action outside the vocabulary.' },
  'threshold-ignored': {
    severity: 'warning',
    summary: 'A threshold on a rule that does not score.',
  },
  'capture-unused': {
    severity: 'warning',
    summary: 'A consistency rule on a variable never used.',
  },
  'reference-too-early': { severity: 'warning', summary: 'A variable is used before its capture.' },
  'reference-ignored': { severity: 'warning', summary: 'References do not resolve in this place.' },
  'nothing-to-fail': { severity: 'warning', summary: 'Nothing in a session can fail.' },
  'no-judge': { severity: 'warning', summary: 'A rule needs a judge to be decided.' },
  'decided-late': { severity: 'info', summary: 'An alerting rule is decided only at the end.' },
  'needs-variable': { severity: 'info', summary: 'A reference must be given at grading.' },
  extension: { severity: 'info', summary: "The document uses one of Retrial's own extensions." },
} as const satisfies Record<string, ProblemRow>;

export type DocumentProblemCode = keyof typeof documentProblems;

/** A problem of this part, its severity taken from the table. */
export function createDocumentProblem(
  code: DocumentProblemCode,
  message: string,
  place: {
    readonly hint?: string;
    readonly position?: SourcePosition;
    readonly frame?: string;
  } = {},
): Problem {
  return { severity: documentProblems[code].severity, code, message, ...place };
}

/** Collects the problems of one file; what was said once about a place is not said again. */
export interface ProblemSink {
  readonly source: SourceText;
  readonly problems: readonly Problem[];
  /** Adds a problem at an offset of the source. */
  add(code: DocumentProblemCode, offset: number, message: string, hint?: string): void;
  /** Adds a problem found elsewhere, with its source line when it has a position. */
  adopt(problem: Problem): void;
  /** What a person may have meant by a word; null when nothing is near. */
  readonly suggest: Suggest;
}

export type Suggest = (word: string, candidates: Iterable<string>) => string | null;

/** Comparisons that suggestions may cost, all together: a file of nothing but typos stays cheap. */
const maxComparisons = 20_000;

/** `findClosest` with an end: after many comparisons nothing is suggested any more. */
export function createSuggest(): Suggest {
  let left = maxComparisons;
  return (word, candidates) => {
    const affordable: string[] = [];
    for (const candidate of candidates) {
      if (left <= 0) break;
      left--;
      affordable.push(candidate);
    }
    return findClosest(word, affordable);
  };
}

/** Most problems of one severity that are told of one file. */
export const maxProblems = 1000;

/** Stands for everything that is not told any more. */
function describeRest({ severity, position }: Problem): Problem {
  const words = { error: 'errors', warning: 'warnings', info: 'notes' };
  return {
    severity,
    code: 'too-many-problems' satisfies DocumentProblemCode,
    message: `there are more than ${maxProblems} ${words[severity]}; the rest is not told`,
    hint: 'solve these first',
    ...(position === undefined ? {} : { position }),
  };
}

export function createProblemSink(source: SourceText): ProblemSink {
  const problems: Problem[] = [];
  const said = new Set<string>();
  const counts = new Map<Problem['severity'], number>();
  const adopt = (problem: Problem): void => {
    const { position } = problem;
    const key = `${problem.code} ${position?.line}:${position?.column} ${problem.message}`;
    if (said.has(key)) return;
    const told = (counts.get(problem.severity) ?? 0) + 1;
    counts.set(problem.severity, told);
    if (told > maxProblems) {
      if (told === maxProblems + 1) problems.push(describeRest(problem));
      return;
    }
    said.add(key);
    problems.push(
      position === undefined || problem.frame !== undefined
        ? problem
        : { ...problem, ...frameAt(source, position.line) },
    );
  };
  return {
    source,
    problems,
    adopt,
    suggest: createSuggest(),
    add: (code, offset, message, hint) => {
      const position = positionAt(source, offset);
      adopt(
        createDocumentProblem(
          code,
          message,
          hint === undefined ? { position } : { hint, position },
        ),
      );
    },
  };
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === 'error');
}

/** Problems in the order of the text; those without a place first. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  return [...problems].sort((left, right) => {
    const [a, b] = [left.position, right.position];
    if (a === undefined || b === undefined)
      return Number(b === undefined) - Number(a === undefined);
    if (a.file !== b.file) return a.file < b.file ? -1 : 1;
    return a.line - b.line || a.column - b.column;
  });
}
