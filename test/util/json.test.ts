import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/util/json.js';
import { parseJson } from '../../src/util/json-parse.js';
import { parseJsonPrefix } from '../../src/util/json-prefix.js';
import { canonicalJson, jsonEquals, jsonText } from '../../src/util/json-text.js';

function parsed(text: string): JsonValue {
  const result = parseJson(text);
  if (!result.ok) throw new Error(`${result.message} at ${result.offset}`);
  return result.value;
}

const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.string({ unit: 'grapheme' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 200n }),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('parsing', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['123456789012345678901234567890', 123456789012345678901234567890n],
    ['1.0', 1],
    ['1e3', 1000],
    ['-0', -0],
    ['1E-2', 0.01],
  ] as const)('%s keeps its value', (text, expected) => {
    expect(parsed(text)).toBe(expected);
  });

  it('agrees with JSON.parse on every text that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(JSON.parse(jsonText(parsed(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses exactly what JSON.parse refuses, at any mutation', () => {
    const change = fc.tuple(
      fc.nat(),
      fc.constantFrom('', '"', '{', ']', ',', '0', '-', '\\', 'e', ' ', '\u0001', 'é'),
    );
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), change, (text, [place, insert]) => {
        const at = place % (text.length + 1);
        const mutated = text.slice(0, at) + insert + text.slice(at + (place % 2));
        // A number beyond every double is JSON for JSON.parse and an error here: tested below.
        fc.pre(!/e\+?\d{3}/i.test(mutated));
        let isJson = true;
        try {
          JSON.parse(mutated);
        } catch {
          isJson = false;
        }
        expect([mutated, parseJson(mutated).ok]).toEqual([mutated, isJson]);
      }),
      { numRuns: 1000 },
    );
  });

  it('objects have no prototype, so every key is data', () => {
    const value = parsed('{"__proto__":{"a":1},"constructor":2}');
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
    expect(jsonText(value)).toBe('{"__proto__":{"a":1},"constructor":2}');
  });

  it('of duplicate keys the last wins, and each one set aside is counted', () => {
    expect(parseJson('{"a":1,"b":{"c":1,"c":2},"a":3}')).toMatchObject({
      ok: true,
      duplicateKeys: 2,
    });
    expect(jsonText(parsed('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}');
  });

  it.each([
    ['', 'expected a JSON value, saw the end of the text', 1, 1],
    ['{"a":1,\n "b":}', 'expected a JSON value, saw "}"', 2, 6],
    ['[1 2]', 'expected "]" or "," in an array, saw "2"', 1, 4],
    ['{"a" 1}', 'expected ":" after the key "a", saw "1"', 1, 6],
    ['{a:1}', 'expected a key in quotes, saw "a"', 1, 2],
    ['"abc', 'the text ends inside a string', 1, 5],
    ['"a\nb"', 'a control character inside a string must be escaped', 1, 3],
    ['"\\x"', 'unknown escape \\x', 1, 2],
    ['01', 'unexpected "1" after the end of the JSON value', 1, 2],
    ['1e400', 'the number 1e400 is too large for a double', 1, 1],
    ['nul', 'expected a JSON value, saw "n"', 1, 1],
  ])('%j is refused: %s', (text, message, line, column) => {
    expect(parseJson(text)).toMatchObject({ ok: false, message, line, column });
  });

  it('nesting has a limit; a million brackets are no crash', () => {
    expect(parseJson('[[1]]', { maxJsonDepth: 2 }).ok).toBe(true);
    expect(parseJson('[[[1]]]', { maxJsonDepth: 2 })).toMatchObject({
      ok: false,
      message: 'nested more than 2 levels deep',
      offset: 2,
    });
    expect(parseJson('['.repeat(1_000_000)).ok).toBe(false);
    expect(parseJson('{"a":'.repeat(200_000)).ok).toBe(false);
  });
});

describe('text and equality', () => {
  it('what jsonText writes is read back equal', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(jsonEquals(parsed(jsonText(value)), value)).toBe(true);
      }),
    );
  });

  it('a double beyond the safe integers keeps its value', () => {
    for (const value of [-34638652042906790, 2 ** 53, 2 ** 60 + 4096, 1e21, -1.5e300]) {
      expect(jsonEquals(parsed(jsonText(value)), value)).toBe(true);
    }
  });

  it('values are equal exactly when their canonical texts are', () => {
    fc.assert(
      fc.property(jsonValue, jsonValue, (a, b) => {
        expect(jsonEquals(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
        expect(jsonEquals(a, a)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['1', '1.0', true],
    ['1', '1e0', true],
    ['0', '-0', true],
    ['9007199254740993', '9007199254740992', false],
    ['1152921504606846976', '1152921504606846976.0', true],
    ['1152921504606846977', '1152921504606846976.0', false],
    ['1e21', '1000000000000000000000', true],
    ['{"a":1,"b":2}', '{"b":2,"a":1.0}', true],
    ['{"a":1}', '{"a":1,"b":null}', false],
    ['{"a":null}', '{"b":null}', false],
    ['{"toString":1}', '{}', false],
    ['[1,2]', '[2,1]', false],
    ['[]', '{}', false],
    ['"1"', '1', false],
    ['null', 'false', false],
  ])('%s and %s: equal is %s', (a, b, expected) => {
    expect(jsonEquals(parsed(a), parsed(b))).toBe(expected);
    expect(canonicalJson(parsed(a)) === canonicalJson(parsed(b))).toBe(expected);
  });

  it('the canonical text has sorted keys and no spaces', () => {
    const value = parsed('{ "b": [1, 2.50, "ü"], "a": {"d": null, "c": 12345678901234567890} }');
    expect(canonicalJson(value)).toBe('{"a":{"c":12345678901234567890,"d":null},"b":[1,2.5,"ü"]}');
  });
});

describe('cut-off text', () => {
  it.each([
    ['{"a":1,"b":"hel', '{"a":1,"b":"hel"}'],
    ['{"a":1,"b":', '{"a":1}'],
    ['{"a":1,"b', '{"a":1}'],
    ['{"a":1,"b"', '{"a":1}'],
    ['{"a":1,', '{"a":1}'],
    ['{"a":12', '{}'],
    ['{"a":true', '{"a":true}'],
    ['{"a":tru', '{}'],
    ['{"a":[1,{"b":[2,3', '{"a":[1,{"b":[2]}]}'],
    [
      '[{"role":"user","content":"x"},{"role":"ass',
      '[{"role":"user","content":"x"},{"role":"ass"}]',
    ],
    ['"abc', '"abc"'],
    ['"abc\\', '"abc"'],
    ['"abc\\u00', '"abc"'],
    ['"abc\\\\', '"abc\\\\"'],
    ['[', '[]'],
    ['{"a":"x", ...', '{"a":"x"}'],
    ['[1,2,…', '[1,2]'],
    ['{"a":["b"...[truncated 300 characters]', '{"a":["b"]}'],
    ['[{"a":"}]"},{"b":"[', '[{"a":"}]"},{"b":"["}]'],
  ])('%j is read as %s', (text, expected) => {
    const result = parseJsonPrefix(text);
    if (!result.ok) throw new Error(result.message);
    expect([jsonText(result.value), result.truncated]).toEqual([expected, true]);
  });

  it.each(['hello', '', "{'a': 1}", '{"a":1}}', '{"a":1} and more', '{a:', '[1,}', '{"a":nope'])(
    '%j is not JSON that was cut',
    (text) => {
      expect(parseJsonPrefix(text).ok).toBe(false);
    },
  );

  it('a whole text is read whole; every cut of it is read as some beginning of it', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(), (value, place) => {
        const text = JSON.stringify(value);
        expect(parseJsonPrefix(text)).toMatchObject({ ok: true, truncated: false });
        const cut = text.slice(0, 1 + (place % (text.length - 1)));
        const result = parseJsonPrefix(cut);
        expect([cut, result.ok && result.truncated]).toEqual([cut, true]);
      }),
      { numRuns: 500 },
    );
  });
});
