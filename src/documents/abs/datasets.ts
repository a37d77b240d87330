import type { Problem, Result } from '../../model/problem.js';
import type { JsonObject, JsonValue } from '../../util/json.js';
import { parseJson } from '../../util/json-parse.js';
import { isJsonArray, isJsonObject } from '../../util/json-text.js';
import {
  createSourceText,
  joinWords,
  type SourceText,
  shorten,
  valueText,
} from '../../util/text.js';
import {
  createDocumentProblem,
  createProblemSink,
  hasErrors,
  type ProblemSink,
} from './problems.js';

/** The rows of a dataset file. */
export interface Dataset {
  readonly file: string;
  /** Never empty. */
  readonly rows: readonly DatasetRow[];
  /** Column names in the order they first appear. */
  readonly columns: readonly string[];
}

export interface DatasetRow {
  /** 0-based, as in the file: a filter leaves it as it is. */
  readonly index: number;
  readonly line: number;
  readonly values: JsonObject;
}

/**
 * Reads a dataset (statement 50): `.jsonl` is one object per line, `.json` an array of objects or a single
 * one. Numbers are exact; empty lines and a byte order mark are skipped. A file without rows is an error
 * (semantics A14). `file` names it in messages and decides the format by its ending.
 */
export function parseDataset(text: string, file: string): Result<Dataset> {
  const source = createSourceText(file, text.replace(/^\uFEFF/, ''));
  const sink = createProblemSink(source);
  const rows = readRows(sink, file);
  if (rows !== null && rows.length === 0 && sink.problems.length === 0) {
    sink.add('dataset-empty', 0, 'the dataset has no rows', 'write one object per row');
  }
  if (rows === null || hasErrors(sink.problems)) return { ok: false, problems: sink.problems };
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row.values)))];
  return { ok: true, value: { file, rows, columns }, problems: sink.problems };
}

function readRows(sink: ProblemSink, file: string): DatasetRow[] | null {
  if (/\.jsonl$/i.test(file)) return readLines(sink);
  if (/\.json$/i.test(file)) return readJson(sink);
  const hint = 'a dataset ends in .json (an array of objects) or .jsonl (one object per line)';
  sink.add('dataset-format', 0, `${file} is not a dataset`, hint);
  return null;
}

function readLines(sink: ProblemSink): DatasetRow[] {
  const rows: DatasetRow[] = [];
  const { text, lineStarts } = sink.source;
  for (const [lineIndex, start] of lineStarts.entries()) {
    const line = text.slice(start, lineStarts[lineIndex + 1]);
    if (line.trim() === '') continue;
    const value = parseAt(sink, line, start);
    if (value === undefined) continue;
    addRow(sink, rows, value, lineIndex + 1);
  }
  return rows;
}

function readJson(sink: ProblemSink): DatasetRow[] {
  const rows: DatasetRow[] = [];
  const { text } = sink.source;
  if (text.trim() === '') return rows;
  const value = parseAt(sink, text, 0);
  if (value === undefined) return rows;
  const lines = rowLines(sink.source);
  for (const [index, item] of (isJsonArray(value) ? value : [value]).entries()) {
    addRow(sink, rows, item, lines[index] ?? 1);
  }
  return rows;
}

function parseAt(sink: ProblemSink, text: string, offset: number): JsonValue | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const hint = 'a row is a JSON object: {"column": value, …}';
    sink.add('dataset-format', offset + parsed.offset, parsed.message, hint);
    return undefined;
  }
  if (parsed.duplicateKeys > 0) {
    const message = 'a key stands twice in one object; the last one counts';
    sink.add('dataset-duplicate-key', offset, message, 'name each column once');
  }
  return parsed.value;
}

function addRow(sink: ProblemSink, rows: DatasetRow[], value: JsonValue, line: number): void {
  if (isJsonObject(value)) {
    rows.push({ index: rows.length, line, values: value });
    return;
  }
  const start = sink.source.lineStarts[line - 1] ?? 0;
  const shown = shorten(valueText(value), 40);
  const hint = 'a row is a JSON object: {"column": value, …}';
  sink.add('dataset-format', start, `a row must be an object, found ${shown}`, hint);
}

/**
 * The line on which each entry of a top-level JSON array starts; of a single value, its own. The text is
 * valid JSON, so brackets and commas outside of strings are enough to go by.
 */
function rowLines({ text }: SourceText): number[] {
  const lines: number[] = [];
  const rowLevel = text.trimStart().startsWith('[') ? 1 : 0;
  let line = 1;
  let level = 0;
  let isBefore = true;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\n') line++;
    if (character.trim() === '') continue;
    if (character === ',') {
      isBefore ||= level === rowLevel;
      continue;
    }
    if (isBefore && level === rowLevel && character !== ']') {
      lines.push(line);
      isBefore = false;
    }
    if (character === '[' || character === '{') level++;
    else if (character === ']' || character === '}') level--;
    else if (character === '"') at = endOfString(text, at);
  }
  return lines;
}

/** The offset of the quote that ends the string that starts at an offset. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** `--filter column:value`. */
export interface RowFilter {
  readonly column: string;
  readonly value: string;
}

/** Reads a filter, split at the first colon: the value may hold more of them. */
export function parseRowFilter(written: string): Result<RowFilter> {
  const at = written.indexOf(':');
  if (at > 0) {
    const value = { column: written.slice(0, at), value: written.slice(at + 1) };
    return { ok: true, value, problems: [] };
  }
  const hint = 'write --filter column:value, e.g. --filter tier:gold';
  const message = `--filter ${written} is not column:value`;
  return { ok: false, problems: [createDocumentProblem('bad-filter', message, { hint })] };
}

/**
 * Keeps the rows in which every filter's column has the filter's value, compared as text (statement 66):
 * `true` fits the boolean and the text. `datasetId` is the id of the document's block, whose columns may
 * be written with it. A column that no row has, and a filter that leaves nothing, are errors.
 */
export function filterRows(
  dataset: Dataset,
  filters: readonly RowFilter[],
  datasetId: string | null = null,
): Result<readonly DatasetRow[]> {
  const problems: Problem[] = [];
  let rows = dataset.rows;
  for (const { column: written, value } of filters) {
    const column = columnOf(dataset, written, datasetId);
    if (column === null) {
      const message = `--filter ${written}: ${dataset.file} has no such column`;
      const hint = `it has ${joinWords(dataset.columns, 'and')}`;
      problems.push(createDocumentProblem('bad-filter', message, { hint }));
      continue;
    }
    rows = rows.filter((row) => {
      const found = Object.hasOwn(row.values, column) ? row.values[column] : undefined;
      return found !== undefined && valueText(found) === value;
    });
  }
  if (problems.length > 0) return { ok: false, problems };
  if (rows.length > 0) return { ok: true, value: rows, problems };
  const shown = filters.map(({ column, value }) => `${column}:${value}`).join(', ');
  const message = `no row of ${dataset.file} fits ${shown}`;
  const hint = 'check the value; numbers and booleans are compared in their JSON form';
  return { ok: false, problems: [createDocumentProblem('dataset-empty', message, { hint })] };
}

function columnOf(dataset: Dataset, written: string, datasetId: string | null): string | null {
  if (dataset.columns.includes(written)) return written;
  const prefix = `${datasetId}.`;
  const bare = datasetId !== null && written.startsWith(prefix) ? written.slice(prefix.length) : '';
  return dataset.columns.includes(bare) ? bare : null;
}

/**
 * The row that a label names (contract §7): a 0-based number, or the text of the first column. Null when
 * no row or several rows fit.
 */
export function findLabelledRow(dataset: Dataset, label: number | string): DatasetRow | null {
  if (typeof label === 'number') return dataset.rows.find(({ index }) => index === label) ?? null;
  const [first] = dataset.columns;
  if (first === undefined) return null;
  const fitting = dataset.rows.filter(({ values }) => {
    const value = Object.hasOwn(values, first) ? values[first] : undefined;
    return value !== undefined && valueText(value) === label;
  });
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** Where the dataset of a document is: its path is relative to the document (statement 53). */
export function resolveDatasetPath(documentFile: string, path: string): string {
  const written = path.replaceAll('\\', '/');
  if (/^(?:\/|[A-Za-z]:\/)/.test(written)) return written;
  const folder = documentFile.replaceAll('\\', '/').replace(/[^/]*$/, '');
  return folder + written.replace(/^(?:\.\/)+/, '');
}
