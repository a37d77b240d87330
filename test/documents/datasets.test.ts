import { describe, expect, it } from 'vitest';
import {
  filterRows,
  findLabelledRow,
  parseDataset,
  parseRowFilter,
  resolveDatasetPath,
} from '../../src/documents/abs/datasets.js';
import { errorsOf, plain } from './support.js';

function rows(text: string, file = 'd.jsonl') {
  const parsed = parseDataset(text, file);
  if (!parsed.ok) throw new Error(errorsOf(parsed.problems).join());
  return parsed.value;
}

const faults = (text: string, file = 'd.jsonl') => errorsOf(parseDataset(text, file).problems);

describe('datasets (semantics 1.5)', () => {
  it('statement 50: .jsonl has one object per line; empty lines, BOM and CRLF are fine', () => {
    const { rows: found, columns } = rows('\uFEFF{"a":1}\r\n\r\n{"b":2,"a":9007199254740993}\r\n');
    expect(found.map(({ index, line, values }) => [index, line, plain(values)])).toEqual([
      [0, 1, { a: 1 }],
      [1, 3, { b: 2, a: '9007199254740993n' }],
    ]);
    expect(columns).toEqual(['a', 'b']);
  });

  it('statement 50: .json is an array of objects, or one object', () => {
    const { rows: found } = rows('[\n  {"a": "]"},\n  {"a": [1, {"x": 2}]}, {"a": 3}\n]', 'd.json');
    expect(found.map(({ index, line }) => [index, line])).toEqual([
      [0, 2],
      [1, 3],
      [2, 3],
    ]);
    expect(
      rows('\n{"a": 1}', 'd.json').rows.map(({ line, values }) => [line, plain(values)]),
    ).toEqual([[2, { a: 1 }]]);
  });

  it('a fault is told with file, line and column', () => {
    expect(faults('{"a":1}\n{"a":}\n')).toEqual(['2:6 dataset-format']);
    expect(faults('{"a":1}\n[1]\n7\n')).toEqual(['2:1 dataset-format', '3:1 dataset-format']);
    expect(faults('[\n {"a": 1},\n 5\n]', 'd.json')).toEqual(['3:1 dataset-format']);
    expect(faults('[\n {"a": 1},\n', 'd.json')).toHaveLength(1);
    expect(faults('a: 1', 'd.yaml')).toEqual(['1:1 dataset-format']);
  });

  it('A14, B18: a dataset without rows is an error', () => {
    expect(faults('')).toEqual(['1:1 dataset-empty']);
    expect(faults('\n\n')).toEqual(['1:1 dataset-empty']);
    expect(faults('[]', 'd.json')).toEqual(['1:1 dataset-empty']);
    expect(faults(' ', 'd.json')).toEqual(['1:1 dataset-empty']);
  });

  it('a row of many megabytes is read', () => {
    for (const piece of ['x', '\\n', '\\"']) {
      const text = `[{"a": 1},\n{"a": "${piece.repeat(3_000_000)}"}]`;
      expect(rows(text, 'd.json').rows.map(({ line }) => line)).toEqual([1, 2]);
    }
  });

  it('statement 53: the path is relative to the document', () => {
    expect(resolveDatasetPath('specs/a.abs.yaml', './data/o.jsonl')).toBe('specs/data/o.jsonl');
    expect(resolveDatasetPath('a.abs.yaml', 'o.jsonl')).toBe('o.jsonl');
    expect(resolveDatasetPath('specs/a.abs.yaml', '../o.jsonl')).toBe('specs/../o.jsonl');
    expect(resolveDatasetPath('specs\\a.abs.yaml', 'o.jsonl')).toBe('specs/o.jsonl');
    expect(resolveDatasetPath('specs/a.abs.yaml', '/data/o.jsonl')).toBe('/data/o.jsonl');
  });

  const dataset = rows(
    '{"tier":"gold","n":1,"url":"http://x:80"}\n{"tier":"free","n":2}\n{"tier":"gold","n":2,"ok":true}\n',
  );
  const filtered = (...written: string[]) => {
    const filters = written.flatMap((one) => {
      const parsed = parseRowFilter(one);
      return parsed.ok ? [parsed.value] : [];
    });
    return filterRows(dataset, filters, 'users');
  };
  const indexes = (...written: string[]) => {
    const result = filtered(...written);
    return result.ok
      ? result.value.map(({ index }) => index)
      : result.problems.map(({ code }) => code);
  };

  it('statement 66: a filter keeps the rows whose column has the value; several all hold', () => {
    expect(indexes()).toEqual([0, 1, 2]);
    expect(indexes('tier:gold')).toEqual([0, 2]);
    expect(indexes('tier:gold', 'n:2')).toEqual([2]);
    expect(indexes('ok:true')).toEqual([2]);
    expect(indexes('users.tier:free')).toEqual([1]);
  });

  it('B14: a filter splits at the first colon', () => {
    expect(indexes('url:http://x:80')).toEqual([0]);
    expect(parseRowFilter('tier').ok).toBe(false);
    expect(parseRowFilter(':x').ok).toBe(false);
  });

  it('B18: a filter with no hit, or on an unknown column, is an error', () => {
    expect(indexes('tier:silver')).toEqual(['dataset-empty']);
    expect(indexes('teir:gold')).toEqual(['bad-filter']);
    expect(indexes('constructor:x')).toEqual(['bad-filter']);
  });

  it('a label names a row by number, or by the text of the first column where only one fits', () => {
    expect(findLabelledRow(dataset, 2)?.index).toBe(2);
    expect(findLabelledRow(dataset, 3)).toBeNull();
    expect(findLabelledRow(dataset, 'free')?.index).toBe(1);
    expect(findLabelledRow(dataset, 'gold')).toBeNull();
  });
});
