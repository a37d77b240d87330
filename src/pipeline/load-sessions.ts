import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bindSession } from '../documents/abs/bind.js';
import { parseVariables } from '../documents/abs/bindings.js';
import type { BoundSession } from '../documents/abs/bound-session.js';
import {
  type Dataset,
  type DatasetRow,
  filterRows,
  parseDataset,
  parseRowFilter,
  type RowFilter,
  resolveDatasetPath,
} from '../documents/abs/datasets.js';
import { parseAbs } from '../documents/abs/parse.js';
import { createProblem } from '../errors.js';
import { evaluators } from '../evaluators/index.js';
import type { Session } from '../model/document.js';
import type { Problem, Result } from '../model/problem.js';
import type { GradeOptions } from './grade-options.js';
import { loadDocumentFiles } from './load-documents.js';

/** A session with every row it can be graded by. */
export interface LoadedSession {
  readonly session: Session;
  /** Null without a dataset; then there is one binding, without a row. */
  readonly dataset: Dataset | null;
  /** One per row whose references all have a value. */
  readonly bound: readonly BoundSession[];
}

export interface LoadedSessions {
  readonly sessions: readonly LoadedSession[];
  /** Of the command line: paths, variables, filters. */
  readonly usageProblems: readonly Problem[];
  /** Of documents and datasets. */
  readonly documentProblems: readonly Problem[];
}

type Wishes = Pick<GradeOptions, 'specs' | 'variables' | 'filters' | 'dataset'>;
interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads documents and their datasets and resolves every reference, before anything is graded (semantics
 * A15). A session or row with an error is left out, with the error told; the others stay.
 */
export function loadSessions(wishes: Wishes, { cwd, env }: Surroundings): LoadedSessions {
  const files = loadDocumentFiles(wishes.specs, cwd);
  const variables = parseVariables(wishes.variables ?? []);
  const filters = readFilters(wishes.filters ?? []);
  const usageProblems = [...files.problems, ...variables.problems, ...filters.problems];
  const documentProblems: Problem[] = [];
  const sessions: LoadedSession[] = [];
  const readDataset = rememberResults((file) => loadDataset(file, cwd));
  for (const { file, text } of files.files) {
    const parsed = parseAbs(text, file, evaluators);
    documentProblems.push(...parsed.problems);
    for (const session of parsed.sessions) {
      const rows = rowsOf(session, wishes.dataset, filters.ok ? filters.value : [], readDataset);
      documentProblems.push(...rows.problems);
      if (!rows.ok || !variables.ok || !filters.ok) continue;
      const bindings = { variables: variables.value, environment: env };
      const bound = bindRows(session, rows.value, bindings);
      documentProblems.push(...bound.problems);
      sessions.push({ session, dataset: rows.value.dataset, bound: bound.sessions });
    }
  }
  return { sessions, usageProblems, documentProblems: distinct(documentProblems) };
}

function readFilters(written: readonly string[]): Result<readonly RowFilter[]> {
  const results = written.map(parseRowFilter);
  const problems = results.flatMap((result) => result.problems);
  const value = results.flatMap((result) => (result.ok ? [result.value] : []));
  return value.length === results.length ? { ok: true, value, problems } : { ok: false, problems };
}

interface Rows {
  readonly dataset: Dataset | null;
  /** Id of the document's block; null for `--dataset`, whose columns are bare names (statement 52). */
  readonly id: string | null;
  readonly rows: readonly DatasetRow[];
}

/** The rows of a session: of its own block, else of `--dataset` (statement 54). */
function rowsOf(
  session: Session,
  given: string | undefined,
  filters: readonly RowFilter[],
  readDataset: (file: string) => Result<Dataset>,
): Result<Rows> {
  const id = session.dataset?.id ?? null;
  const file =
    session.dataset === null ? given : resolveDatasetPath(session.document, session.dataset.path);
  if (file === undefined) {
    return { ok: true, value: { dataset: null, id: null, rows: [] }, problems: [] };
  }
  const read = readDataset(file);
  if (!read.ok) return read;
  const filtered = filterRows(read.value, filters, id);
  const problems = [...read.problems, ...filtered.problems];
  if (!filtered.ok) return { ok: false, problems };
  return { ok: true, value: { dataset: read.value, id, rows: filtered.value }, problems };
}

function loadDataset(file: string, cwd: string): Result<Dataset> {
  try {
    return parseDataset(readFileSync(resolve(cwd, file), 'utf8'), file);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const detail = error instanceof Error ? error.message : String(error);
    const problem = isMissing
      ? createProblem('file-not-found', {
          file,
          hint: 'the path of a dataset is relative to its document',
        })
      : createProblem('file-unreadable', { file, detail });
    return { ok: false, problems: [problem] };
  }
}

function bindRows(
  session: Session,
  { dataset, id, rows }: Rows,
  common: {
    readonly variables: ReadonlyMap<string, string>;
    readonly environment: Readonly<Record<string, string | undefined>>;
  },
): { readonly sessions: readonly BoundSession[]; readonly problems: readonly Problem[] } {
  const wanted =
    dataset === null ? [null] : rows.map(({ index, values }) => ({ index, dataset: id, values }));
  const results = wanted.map((row) => bindSession(session, { row, ...common }));
  return {
    sessions: results.flatMap((result) => (result.ok ? [result.value] : [])),
    problems: results.flatMap((result) => result.problems),
  };
}

function rememberResults<Value>(read: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = read(key);
    known.set(key, value);
    return value;
  };
}

/** Every row finds the same fault of the document again; it is told once. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  const byText = new Map<string, Problem>();
  for (const problem of problems) {
    const { code, message, position } = problem;
    const key = `${code} ${position?.file}:${position?.line}:${position?.column} ${message}`;
    if (!byText.has(key)) byText.set(key, problem);
  }
  return [...byText.values()];
}
