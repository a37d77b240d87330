import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  createSourceText,
  editDistance,
  findClosest,
  formatCodeFrame,
  joinWords,
  lineAt,
  lowerSimply,
  positionAt,
  shorten,
  valueText,
} from '../../src/util/text.js';

describe('places in a text', () => {
  const source = createSourceText('f', 'one\r\ntwo\n\nfour');

  it('line and column count from 1, line ends are LF or CRLF', () => {
    expect(positionAt(source, 0)).toEqual({ file: 'f', line: 1, column: 1 });
    expect(positionAt(source, 5)).toEqual({ file: 'f', line: 2, column: 1 });
    expect(positionAt(source, 7)).toEqual({ file: 'f', line: 2, column: 3 });
    expect(positionAt(source, 9)).toEqual({ file: 'f', line: 3, column: 1 });
    expect(positionAt(source, 999)).toEqual({ file: 'f', line: 4, column: 5 });
    expect([1, 2, 3, 4, 5].map((line) => lineAt(source, line))).toEqual([
      'one',
      'two',
      '',
      'four',
      '',
    ]);
  });

  test.prop([fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', ' ') }), fc.nat()])(
    'the place of an offset leads back to it',
    (text, seed) => {
      const some = createSourceText('f', text);
      const offset = text.length === 0 ? 0 : seed % text.length;
      const { line, column } = positionAt(some, offset);
      expect((some.lineStarts[line - 1] ?? -1) + column - 1).toBe(offset);
    },
  );

  it('a frame puts the caret under the column, tabs and long lines included', () => {
    expect(formatCodeFrame('  type: contians', 12, 9)).toBe(
      '12 |   type: contians\n   |         ^',
    );
    expect(formatCodeFrame('\tx: y', 3, 5)).toBe('3 | \tx: y\n  | \t   ^');
    const frame = formatCodeFrame(`${'a'.repeat(500)}B${'c'.repeat(500)}`, 1, 501);
    const [shown, caret] = frame.split('\n');
    expect(shown?.[(caret ?? '').indexOf('^')]).toBe('B');
    expect(shown?.length).toBeLessThan(120);
  });
});

describe('words', () => {
  it.each([
    ['', '', 0],
    ['a', '', 1],
    ['abc', 'abd', 1],
    ['abc', 'acb', 1],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
  ])('%s and %s are %i edits apart', (left, right, distance) => {
    expect(editDistance(left, right)).toBe(distance);
    expect(editDistance(right, left)).toBe(distance);
  });

  it('suggests what is near, nothing that is far, and never the word itself', () => {
    expect(findClosest('contians', ['regex', 'contains'])).toBe('contains');
    expect(findClosest('Contains', ['contains'])).toBe('contains');
    expect(findClosest('always', ['contains', 'regex'])).toBeNull();
    expect(findClosest('contains', ['contains'])).toBeNull();
    expect(findClosest('x'.repeat(100), ['x'.repeat(99)])).toBeNull();
  });

  it('joins and shortens for sentences', () => {
    expect(joinWords([])).toBe('');
    expect(joinWords(['a'])).toBe('a');
    expect(joinWords(['a', 'b', 'c'])).toBe('a, b or c');
    expect(joinWords(['a', 'b'], 'and')).toBe('a and b');
    expect(shorten('abcdef', 4)).toBe('abc…');
    expect(shorten('abcd', 4)).toBe('abcd');
  });

  it('A29: lower-cases one character at a time, without context', () => {
    expect(lowerSimply('ΟΔΟΣ')).toBe('οδοσ');
    expect(lowerSimply('İx')).toBe('ix');
    expect(lowerSimply('ÀÉ ß')).toBe('àé ß');
  });

  it('A17: texts as they are, other values as canonical JSON', () => {
    expect(valueText('a "b"')).toBe('a "b"');
    expect(valueText(1.0)).toBe('1');
    expect(valueText(9007199254740993n)).toBe('9007199254740993');
    expect(valueText(null)).toBe('null');
    expect(valueText({ z: 1, a: [true] })).toBe('{"a":[true],"z":1}');
  });
});
