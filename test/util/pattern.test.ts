import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { compilePattern, maxPatternLength } from '../../src/util/pattern.js';

function matches(source: string, text: string): boolean {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.pattern.test(text);
}

function groups(source: string, text: string) {
  const compiled = compilePattern(source);
  return compiled.ok ? compiled.pattern.find(text) : 'refused';
}

function refusal(source: string) {
  const compiled = compilePattern(source);
  return compiled.ok ? null : [compiled.offset, compiled.message];
}

describe('user patterns (semantics A31)', () => {
  it.each([
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['ABC', 'abc', false],
    ['(?i)ABC', 'abc', true],
    ['a.c', 'a\nc', false],
    ['(?s)a.c', 'a\nc', true],
    ['^b$', 'a\nb\nc', false],
    ['(?m)^b$', 'a\nb\nc', true],
    ['a$', 'a\n', false],
    ['^\\d$', '٣', false],
    ['^\\d$', '3', true],
    ['^\\p{L}+$', 'Größe', true],
    ['^\\p{Greek}+$', 'λόγος', true],
  ])('/%s/ in %j is %s', (source, text, expected) => {
    expect(matches(source, text)).toBe(expected);
  });

  it('both forms of named groups are known; groups that took no part are null', () => {
    expect(groups('(?<a>\\d+)(?P<b>x)?', 'n 12')).toEqual(['12', '12', null]);
    expect(groups('z', 'n 12')).toBeNull();
    const compiled = compilePattern('(a)(?:b)(?<c>d)');
    expect(compiled.ok && compiled.pattern.groupCount).toBe(2);
  });

  it.each([
    ['ab(?=c)', 2, 'lookaround is not supported: (?='],
    ['(?!c)', 0, 'lookaround is not supported: (?!'],
    ['(?<=c)x', 0, 'lookaround is not supported: (?<=c)x'],
    ['x(?<!c)', 1, 'lookaround is not supported: (?<!c)'],
    ['(a)\\1', 3, 'a backreference is not supported: \\1'],
    ['(?<n>a)\\k<n>', 7, 'a backreference is not supported: \\k'],
    ['(?>a)', 0, 'atomic groups and possessive repetition are not supported: (?>'],
    ['([', 1, 'a character class is not closed: ['],
    ['*a', 0, 'there is nothing to repeat: *'],
    ['a{2000}', 1, 'the repetition is too large: {2000}'],
    ['\\', null, 'trailing backslash at end of expression'],
  ])('%s is refused at %s: %s', (source, offset, message) => {
    expect(refusal(source)).toEqual([offset, message]);
  });

  it('every refusal has a hint', () => {
    for (const source of [
      '(?=a)',
      '\\1',
      '(a',
      'a)',
      '[z-a]',
      '\\p{Nope}',
      'a{9999}',
      '(?x)a',
      '\\u0041',
      'a**',
      '(?P<n',
      '\\Z',
      'x'.repeat(maxPatternLength + 1),
    ]) {
      const compiled = compilePattern(source);
      expect(compiled.ok).toBe(false);
      if (!compiled.ok) expect(compiled.hint.length).toBeGreaterThan(5);
    }
  });

  it('patterns of known denial of service finish or are refused', () => {
    const text = `${'a'.repeat(50_000)}!`;
    const before = performance.now();
    for (const source of [
      '(a+)+$',
      '(a|aa)+$',
      '(a|a?)+$',
      '(.*a){20}b',
      '^(([a-z])+.)+[A-Z]([a-z])+$',
      '(x+x+)+y',
      '((a{1000}){1000})',
      '(a*)*b',
    ]) {
      const compiled = compilePattern(source);
      if (compiled.ok) compiled.pattern.test(text);
    }
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  it('a pattern is compiled once and kept', () => {
    const first = compilePattern('ke+p');
    expect(compilePattern('ke+p')).toBe(first);
  });

  it('keeps the youngest patterns, so the cache does not grow', () => {
    const first = compilePattern('young');
    for (let index = 0; index < 600; index++) compilePattern(`old${index}`);
    const again = compilePattern('young');
    expect(again).not.toBe(first);
    expect(again.ok).toBe(true);
  });

  test.prop([
    fc.string({
      unit: fc.constantFrom(
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        '?',
        '*',
        '+',
        '\\',
        'a',
        '1',
        ',',
        '<',
        '=',
        '!',
        'P',
        '^',
        '$',
        '|',
        '-',
        ':',
        'é',
        '\uD800',
      ),
      maxLength: 40,
    }),
    fc.string(),
  ])(
    'any pattern is compiled or refused, and any text is searched, without a throw',
    (source, text) => {
      const compiled = compilePattern(source);
      if (!compiled.ok) return;
      expect(compiled.pattern.test(text)).toBe(compiled.pattern.find(text) !== null);
    },
  );
});
