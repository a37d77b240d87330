import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../src/evaluators/json-schema.js';
import type { JsonObject, JsonValue } from '../../src/util/json.js';
import { parseJson } from '../../src/util/json-parse.js';

function validate(schema: JsonObject, json: string): string | null {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(compiled.message);
  const parsed = parseJson(json);
  if (!parsed.ok) throw new Error(parsed.message);
  const fault = compiled.schema.validate(parsed.value);
  return fault === null ? null : `${fault.path} ${fault.message}`;
}

describe('JSON Schema in rules (semantics A32)', () => {
  it('tells where a value is wrong', () => {
    const schema = { properties: { items: { items: { type: 'integer' } } } };
    expect(validate(schema, '{"items":[1,2]}')).toBeNull();
    expect(validate(schema, '{"items":[1,"2"]}')).toBe('/items/1 must be integer');
  });

  it('takes prototype keys as data', () => {
    expect(validate({ required: ['toString'] }, '{}')).toMatch(/toString/);
    expect(validate({ required: ['toString'] }, '{"toString":1}')).toBeNull();
    expect(validate({ additionalProperties: false }, '{"__proto__":1}')).toMatch(/__proto__/);
    expect(validate({ properties: { constructor: { type: 'string' } } }, '{}')).toBeNull();
  });

  it.each([
    ['date', '2026-11-30', '2026-02-30'],
    ['date-time', '2026-11-30T10:00:00Z', '2026-11-30 10 o clock'],
    ['email', 'a@example.org', 'a@@example.org'],
    ['uri', 'https://example.org/a?b=c', 'not a uri'],
    ['ipv4', '192.168.0.1', '192.168.0.256'],
    ['ipv6', '::1', ':::1'],
    ['uuid', '0af76519-16cd-43dd-8448-eb211c80319c', '0af76519'],
    ['regex', 'a+', '(['],
  ])('asserts the format %s', (format, good, bad) => {
    const schema = { type: 'string', format };
    expect(validate(schema, JSON.stringify(good))).toBeNull();
    expect(validate(schema, JSON.stringify(bad))).toMatch(/format/);
  });

  it('follows the draft that $schema names, draft-07 without one', () => {
    const tuple = { prefixItems: [{ type: 'string' }], items: false };
    const draft2020 = 'https://json-schema.org/draft/2020-12/schema';
    expect(validate({ $schema: draft2020, ...tuple }, '["a"]')).toBeNull();
    expect(validate({ $schema: draft2020, ...tuple }, '["a","b"]')).not.toBeNull();
    const draft07 = { items: [{ type: 'string' }], additionalItems: false };
    expect(validate(draft07, '["a","b"]')).not.toBeNull();
    const draft06 = 'http://json-schema.org/draft-06/schema#';
    expect(validate({ $schema: draft06, const: 1 }, '2')).not.toBeNull();
    const draft2019 = 'https://json-schema.org/draft/2019-09/schema';
    expect(
      validate({ $schema: draft2019, dependentRequired: { a: ['b'] } }, '{"a":1}'),
    ).not.toBeNull();
  });

  it.each<[string, JsonObject, RegExp]>([
    ['a draft nobody knows', { $schema: 'https://example.org/mine' }, /is not known/],
    [
      'a reference that leaves the schema',
      { $ref: 'https://example.org/other.json' },
      /example\.org/,
    ],
    ['a type that is none', { type: 'text' }, /type/],
    ['a pattern that is none', { pattern: '([' }, /pattern/],
    ['a pattern that could run forever', { pattern: '(?=a)a+' }, /lookaround/],
  ])('refuses %s', (_name, schema, message) => {
    const compiled = compileSchema(schema);
    expect(compiled.ok ? '' : compiled.message).toMatch(message);
  });

  it('resolves references inside the schema, recursive ones too', () => {
    const schema = {
      $ref: '#/definitions/node',
      definitions: {
        node: { type: 'object', properties: { next: { $ref: '#/definitions/node' } } },
      },
    };
    expect(validate(schema, '{"next":{"next":{}}}')).toBeNull();
    expect(validate(schema, '{"next":{"next":1}}')).toBe('/next/next must be object');
  });

  it('compares list entries by value, in linear time', () => {
    expect(validate({ uniqueItems: true }, '[{"a":1,"b":2},{"b":2,"a":1}]')).toMatch(/uniqueItems/);
    expect(validate({ uniqueItems: true }, '[1,"1",{"a":1}]')).toBeNull();
    const many: JsonValue = Array.from({ length: 20_000 }, (_, n) => ({ id: n, text: 'x' }));
    const compiled = compileSchema({ uniqueItems: true });
    expect(compiled.ok && compiled.schema.validate(many)).toBeNull();
  });

  it('accepts integers that no double holds', () => {
    expect(validate({ type: 'integer', minimum: 1 }, '12345678901234567890')).toBeNull();
  });

  it('does not let a text of megabytes meet a quadratic expression', () => {
    const long = `"http://${'a'.repeat(200_000)}@"`;
    expect(validate({ type: 'string', format: 'url' }, long)).toMatch(/format/);
    const nested = `"${'a'.repeat(100_000)}!"`;
    expect(validate({ type: 'string', pattern: '^(a+)+$' }, nested)).toMatch(/pattern/);
  });
});
