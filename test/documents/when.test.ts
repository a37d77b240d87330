import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { evaluateWhen, type WhenLookup } from '../../src/documents/abs/evaluate-when.js';
import { parseWhen } from '../../src/documents/abs/when.js';
import type { JsonObject } from '../../src/util/json.js';

function outcome(text: string, values: JsonObject = {}) {
  const parsed = parseWhen(text);
  if (!parsed.ok) throw new Error(`${parsed.fault.message} at ${parsed.fault.offset}`);
  const lookup: WhenLookup = (name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? { kind: 'unknown' } : { kind: 'value', value };
  };
  return evaluateWhen(parsed.expression, lookup);
}

const isTrue = (text: string, values: JsonObject = {}): boolean =>
  outcome(text, values).kind === 'true';

function fault(text: string): [number, string] {
  const parsed = parseWhen(text);
  if (parsed.ok) throw new Error('parsed');
  return [parsed.fault.offset, parsed.fault.message];
}

describe('statement 94, semantics A42: when', () => {
  it.each([
    ['{{a}} == true', { a: true }, true],
    ['{{a}} == true', { a: 'true' }, false],
    ['{{a}} === 1', { a: 1 }, true],
    ['{{a}} == 1', { a: '1' }, false],
    ['{{a}} == false', { a: 0 }, false],
    ['{{a}} == null', { a: null }, true],
    ['{{a}} != null', { a: 0 }, true],
    ['{{a}} !== "x"', { a: 'y' }, true],
    ['{{a}} == {{b}}', { a: [1, { k: 2 }], b: [1.0, { k: 2 }] }, true],
    ['{{a}} == 9007199254740993', { a: 9007199254740993n }, true],
    ['{{a}} == 9007199254740993', { a: 9007199254740992 }, false],
    ['{{a}} > 9007199254740992', { a: 9007199254740993n }, true],
    ['{{a}} < 2', { a: 10 }, false],
    ['{{a}} < "2"', { a: '10' }, true],
    ['{{a}} >= -1.5e1', { a: -15 }, true],
    ['{{a}} <= "b"', { a: 'b' }, true],
    ['{{a}} < 5', { a: '1' }, false],
    ['{{a}} >= 5', { a: null }, false],
  ])('compares strictly by type: %s with %o is %s', (text, values, expected) => {
    expect(isTrue(text, values)).toBe(expected);
  });

  it.each([
    ['{{a}}', { a: true }, true],
    ['{{a}}', { a: 1 }, false],
    ['{{a}}', { a: 'true' }, false],
    ['!{{a}}', { a: false }, true],
    ['!{{a}}', { a: 'x' }, true],
    ['!!{{a}}', { a: true }, true],
    ['not not not {{a}}', { a: true }, false],
  ])('a bare reference is true only if it is true: %s with %o is %s', (text, values, expected) => {
    expect(isTrue(text, values)).toBe(expected);
  });

  it.each([
    ['{{t}} || {{f}} && {{f}}', true],
    ['({{t}} || {{f}}) && {{f}}', false],
    ['{{t}} or {{f}} AND {{f}}', true],
    ['!{{f}} && {{t}}', true],
    ['!({{f}} && {{t}})', true],
    ['!{{t}} == {{f}}', true],
    ['NOT {{t}} == False', true],
    ['{{t}} == TRUE and {{f}} == fAlSe', true],
    ['{{f}} || {{f}} || {{t}}', true],
  ])('! binds before comparison, then &&, then ||: %s is %s', (text, expected) => {
    expect(isTrue(text, { t: true, f: false })).toBe(expected);
  });

  it('texts stand in either quote, with escapes', () => {
    expect(isTrue(String.raw`{{a}} == "a\"b"`, { a: 'a"b' })).toBe(true);
    expect(isTrue(String.raw`{{a}} == 'it\'s \u0041\n\\'`, { a: "it's A\n\\" })).toBe(true);
    expect(isTrue('{{a}} == "true story"', { a: 'true story' })).toBe(true);
    expect(isTrue('{{a}} == "{{b}}"', { a: '{{b}}' })).toBe(true);
    expect(isTrue('{{a}} == "x && y"', { a: 'x && y' })).toBe(true);
  });

  it('one unknown column, wherever it stands, makes the whole unknown', () => {
    expect(outcome('{{zz}} != true')).toEqual({ kind: 'unknown', reference: 'zz' });
    expect(outcome('{{a}} == 1 || {{zz}}', { a: 1 })).toEqual({ kind: 'unknown', reference: 'zz' });
    expect(outcome('{{constructor}} == 1')).toEqual({ kind: 'unknown', reference: 'constructor' });
  });

  it('tells of a comparison of unlike kinds', () => {
    expect(outcome('{{a}} > 18', { a: '20' })).toEqual({
      kind: 'false',
      note: 'text > number: only two numbers or two texts have an order',
    });
    expect(outcome('{{a}} == "1"', { a: 1 })).toEqual({
      kind: 'false',
      note: 'number == text: different kinds of value are never equal',
    });
    expect(outcome('{{a}} == null', { a: 1 })).toEqual({ kind: 'false' });
  });

  it.each([
    ['', 0, 'the condition ends too early'],
    ['{{a}} ==', 8, 'the condition ends too early'],
    ['{{a}} = 1', 6, '= is not part of the language'],
    ['{{a}} == yes', 9, 'yes is not part of the language'],
    ['{{a}} == None', 9, 'None is not part of the language'],
    ['{{a}} 1', 6, 'an operator is missing before this'],
    ['({{a}}', 0, 'the parenthesis is not closed'],
    ['{{a}})', 5, 'this ) closes nothing'],
    ['()', 1, 'there is nothing before this )'],
    ['&& {{a}}', 0, 'a value is missing here'],
    ['{{a}} < 1 < 2', 10, 'comparisons cannot be chained'],
    ['{{a}} & {{b}}', 6, '& is not part of the language'],
    ['{{a}} == "x', 9, 'the text is not closed'],
    ['{{a}} == "\\d"', 10, '\\d is not an escape'],
    ['{{a', 0, 'the reference is not closed'],
    ['{{a b}} == 1', 0, '{{a b}} is not a reference'],
    ['{{a}} == 1e999', 9, 'the number is too large'],
    ['().__class__', 2, '. is not part of the language'],
    ['process.exit(1)', 0, 'process.exit is not part of the language'],
  ])('%s is refused at character %i', (text, offset, message) => {
    expect(fault(text)).toEqual([offset, message]);
  });

  it('nesting is bounded, negation and chains are not', () => {
    expect(fault(`${'('.repeat(50_000)}{{a}}`)[1]).toBe('parentheses are nested too deeply');
    expect(isTrue(`${'!'.repeat(50_000)}{{a}}`, { a: true })).toBe(true);
    expect(isTrue(Array.from({ length: 20_000 }, () => '{{a}}').join('&&'), { a: true })).toBe(
      true,
    );
  });

  it('doubts what parses and cannot be meant', () => {
    const doubts = (text: string) => {
      const parsed = parseWhen(text);
      return parsed.ok ? parsed.expression.doubts.map(({ message }) => message) : [];
    };
    expect(doubts('{{a}} < true')).toEqual(['< with true is never true']);
    expect(doubts('1 == 1')).toEqual(['the condition reads no variable: it is always the same']);
    expect(doubts('{{a}} < "x"')).toEqual([]);
  });

  test.prop([fc.string({ unit: 'grapheme', maxLength: 200 })])(
    'never throws on any text',
    (text) => {
      expect(typeof parseWhen(text).ok).toBe('boolean');
    },
  );

  const piece = fc.constantFrom(
    '{{a}}',
    '{{b.c}}',
    '==',
    '!=',
    '<',
    '&&',
    'or',
    'not',
    '!',
    '(',
    ')',
    '1',
    '-2.5',
    '"x"',
    'null',
    'true',
    ' ',
  );
  test.prop([fc.array(piece, { maxLength: 30 })])(
    'never throws on any mix of its own words, and an accepted one is decided',
    (pieces) => {
      const parsed = parseWhen(pieces.join(' '));
      if (!parsed.ok) return;
      const decided = evaluateWhen(parsed.expression, () => ({ kind: 'value', value: 1 }));
      expect(['true', 'false']).toContain(decided.kind);
    },
  );
});
