import { describe, expect, it } from 'vitest';
import { compileWhen } from '../../src/config/when.js';
import type { Span } from '../../src/model/span.js';
import type { JsonValue } from '../../src/util/json.js';

function source(values: Record<string, JsonValue>) {
  const map = new Map(Object.entries(values));
  return { attribute: (key: string) => map.get(key), attributeKeys: () => [...map.keys()] };
}

const span = {
  name: 'crm.lookup',
  resource: source({ 'service.name': 'refund-agent', replicas: 3, debug: true }),
  scope: { ...source({}), name: 'my-scope', version: '1' },
  ...source({ 'user.tier': 'gold', big: 9_007_199_254_740_993n, nested: { deep: ['a', 'b'] } }),
} as unknown as Span;

function admits(expression: string, context = { agent: 'refunds', conversation: 'c-1' }): boolean {
  const compiled = compileWhen(expression);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.when.admits(span, context);
}

describe('when', () => {
  it.each([
    'resource["service.name"] == "refund-agent"',
    'attributes["user.tier"] in ["gold", "silver"]',
    'name.startsWith("crm.") && scope == "my-scope"',
    'agent == "refunds" && conversation != ""',
    'resource["replicas"] > 2',
    'attributes["big"] == 9007199254740993',
    '"user.tier" in attributes',
    'attributes["nested"]["deep"][1] == "b"',
    'resource["debug"]',
    'resource["missing"] == "x" || agent == "refunds"',
    'name.matches("^crm[.][a-z]+$")',
    '["a", "crm.lookup"].exists(x, x.matches("crm") && x.matches("[.]"))',
    'name.matches("\\\\.look") && "matches" != name',
  ])('admits: %s', (expression) => {
    expect(admits(expression)).toBe(true);
  });

  it.each([
    'resource["missing"] == "x"',
    'resource["service.name"] == 3',
    'attributes["user.tier"]',
    'name.matches("^lookup")',
    'resource["replicas"].matches("3")',
  ])('does not admit, and does not throw: %s', (expression) => {
    expect(admits(expression)).toBe(false);
  });

  it.each([
    ['resource["a" == "b"', /./],
    ['service == "x"', /Unknown variable: service/],
    ['name == 3', /no such overload: string == int/],
    ['name', /is a string, not true or false/],
    ['name.matches("(?=x)")', /lookaround is not supported/],
    ['name.mtches("x")', /mtches/],
    ['1 + ', /./],
    ['', /./],
  ])('T14: %s is an error at load', (expression, message) => {
    const compiled = compileWhen(expression);
    expect(compiled).toMatchObject({ ok: false, message: expect.stringMatching(message) });
    expect(JSON.stringify(compiled)).not.toContain('matchRE');
  });

  it('says where the error is', () => {
    expect(compileWhen('agent == "a" && servce == "x"')).toMatchObject({ ok: false, offset: 16 });
  });

  it('S5: a pattern that would backtrack for ever is decided at once', () => {
    const evil = { ...span, name: `${'a'.repeat(20_000)}!` } as Span;
    const compiled = compileWhen('name.matches("^(a+)+$")');
    const started = performance.now();
    expect(compiled.ok && compiled.when.admits(evil, { agent: '', conversation: '' })).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('knows what it reads', () => {
    const compiled = compileWhen('resource["name"] == "b" && (agent == "" || "scope" == "x")');
    expect(compiled.ok && [...compiled.when.reads].sort()).toEqual(['agent', 'resource']);
  });
});
