import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseVariables } from '../../src/documents/abs/bindings.js';
import { parseTemplate } from '../../src/documents/abs/template.js';
import { bind, bindOne, document, errorsOf, parse, plain, row } from './support.js';

const says = (content: string, more = '') =>
  `  - {actor: user, action: says, content: ${content}${more}}\n`;
const vars = (entries: Record<string, string>) => ({ variables: new Map(Object.entries(entries)) });

describe('references (semantics A16 to A18)', () => {
  it.each(['a', '_a', 'a-b', 'a.b', 'orders.2', 'Order_Id', ' a '])(
    'A18: {{%s}} is a reference',
    (name) => {
      const parsed = parseTemplate(`x {{${name}}} y`);
      expect(parsed.ok && parsed.template.references).toEqual([
        { name: name.trim(), offset: 2, end: 6 + name.length },
      ]);
    },
  );

  it.each(['', ' ', '1a', 'a b', 'a.', '.a', 'a..b', '{a', 'a|upper', '#if x'])(
    'A18: {{%s}} is an error with line and column',
    (name) => {
      const { problems } = parse(document(`behaviors:\n${says(`'say {{${name}}}'`)}`));
      expect(errorsOf(problems)).toEqual(['4:47 bad-reference']);
    },
  );

  it('A18: braces that are never closed are text', () => {
    expect(bindOne(document(`behaviors:\n${says("'a {{b'")}`)).steps[0]?.content).toBe('a {{b');
  });

  it('statement 57: resolves at any depth of content and with', () => {
    const text = document(
      'behaviors:\n  - {actor: assistant, action: calls, target: X, with: {a: [{b: "{{v}}"}]}}\n  - {actor: tool, action: responds, content: {c: {d: "<{{v}}>"}}}\n',
    );
    const { steps } = bindOne(text, vars({ v: '7' }));
    expect(plain(steps[0]?.with ?? undefined)).toEqual({ a: [{ b: '7' }] });
    expect(plain(steps[1]?.content)).toEqual({ c: { d: '<7>' } });
  });

  it('A16: resolves in target, with_only, capture, matches_when and evaluations of both levels', () => {
    const text = document(
      'behaviors:\n  - {actor: assistant, action: calls, target: "T-{{v}}", with_only: {a: "{{v}}"}, capture: {c: "{{v}}!"}}\n  - {actor: assistant, action: asks, matches_when: {type: contains, value: "{{v}}"}, evaluations: [{type: contains, value: "{{c}}"}]}\nevaluations:\n  - {type: never, match: {target: "{{c}}"}}\n  - {type: all_of, evaluations: [{type: tool_call, target: X, with: {k: "{{v}}"}}]}\n',
    );
    const { steps, evaluations } = bindOne(text, vars({ v: '7' }));
    expect(steps[0]).toMatchObject({
      target: 'T-7',
      withOnly: { a: '7' },
      capture: [{ name: 'c', value: '7!' }],
    });
    expect(steps[1]?.matchesWhen).toEqual({ kind: 'contains', value: '7' });
    expect(steps[1]?.evaluations[0]?.fields).toMatchObject({ value: '7!' });
    expect(evaluations[0]?.fields).toMatchObject({ match: { target: '7!' } });
    expect(evaluations[1]?.children[0]?.fields).toMatchObject({ with: { k: '7' } });
  });

  it('A17: a value that is exactly one reference keeps its type; inside text it is text', () => {
    const text = document(
      'dataset: {id: d, path: d.json}\nbehaviors:\n  - {actor: tool, action: responds, content: {n: "{{d.n}}", o: "{{d.o}}", b: "{{d.b}}", z: "{{d.z}}", t: "{{d.n}} {{d.big}} {{d.o}} {{d.b}} {{d.z}} {{d.s}}"}}\n',
    );
    const values = { n: 5, big: 9007199254740993n, o: { z: 1, a: [2] }, b: true, z: null, s: 'x' };
    expect(plain(bindOne(text, row(values, 'd')).steps[0]?.content)).toEqual({
      n: 5,
      o: { z: 1, a: [2] },
      b: true,
      z: null,
      t: '5 9007199254740993 {"a":[2],"z":1} true null x',
    });
  });

  it('A17: a pattern stays a text though the value is a number', () => {
    const text = document(
      'behaviors:\n  - {actor: assistant, action: informs, evaluations: [{type: regex, pattern: "{{d.n}}"}, {type: exact_match, value: "{{d.n}}"}]}\n',
    );
    const rules = bindOne(text, row({ 'd.n': 5 })).steps[0]?.evaluations;
    expect(rules?.map(({ fields }) => [fields.pattern, fields.value])).toEqual([
      ['5', undefined],
      [undefined, 5],
    ]);
  });

  it('A18: only own keys answer', () => {
    const text = document(`behaviors:\n${says('"{{constructor}}"')}`);
    expect(errorsOf(bind(text, row({})).problems)).toEqual(['4:43 unresolved-reference']);
    expect(
      errorsOf(bind(document(`behaviors:\n${says('"{{o.toString}}"')}`), row({ o: {} })).problems),
    ).toEqual(['4:43 unresolved-reference']);
  });

  it('a dotted name reads into a value when no variable has the whole name', () => {
    const text = document(
      `behaviors:\n${says('x', ', capture: {o: {id: 7, list: [a, b]}}')}${says('"{{o.id}} {{o.list.1}} {{o.x}}"')}`,
    );
    expect(bindOne(text, vars({ 'o.x': 'var' })).steps[1]?.content).toBe('7 b var');
  });
});

describe('where values come from (semantics 1.5)', () => {
  it('statements 52, 53: columns of an in-file dataset are {{id.column}}', () => {
    const text = document(
      `dataset: {id: orders, path: o.jsonl}\nbehaviors:\n${says('"{{orders.id}}"')}`,
    );
    expect(bindOne(text, row({ id: 'A1' }, 'orders')).steps[0]?.content).toBe('A1');
    expect(
      errorsOf(
        bind(document(`behaviors:\n${says('"{{id}}"')}`), row({ id: 'A1' }, 'orders')).problems,
      ),
    ).toEqual(['4:43 unresolved-reference']);
  });

  it('statement 52: columns of --dataset are bare names', () => {
    expect(
      bindOne(document(`behaviors:\n${says('"{{id}}"')}`), row({ id: 'A1' })).steps[0]?.content,
    ).toBe('A1');
  });

  it('statements 58, 59, B13: capture, then row, then --var, then ABS_VAR_', () => {
    const text = document(`behaviors:\n${says('"{{a}} {{b}} {{c}} {{d}}"')}`);
    const everything = {
      ...row({ b: 'row' }),
      ...vars({ b: 'var', c: 'var' }),
      environment: { ABS_VAR_b: 'env', ABS_VAR_c: 'env', ABS_VAR_d: 'env', ABS_VAR_a: 'env' },
    };
    const captured = text.replace(
      'behaviors:\n',
      `behaviors:\n${says('x', ', capture: {a: cap}')}`,
    );
    expect(bindOne(text, everything).steps[0]?.content).toBe('env row var env');
    expect(bindOne(captured, everything).steps[1]?.content).toBe('cap row var env');
  });

  it('statement 60: a capture beats the dataset column of its name', () => {
    const text = document(
      `behaviors:\n${says('x', ', capture: {id: captured}')}${says('"{{id}}"')}`,
    );
    expect(bindOne(text, row({ id: 'row' })).steps[1]?.content).toBe('captured');
  });

  it('statements 55, 62: a capture counts for later behaviors, the nearest one wins, its own rules see it', () => {
    const text = document(
      `behaviors:\n${says('"{{id}}"', ', capture: {id: one}, evaluations: [{type: contains, value: "{{id}}"}]')}${says('"{{id}}"', ', capture: {id: two}')}${says('"{{id}}"')}evaluations:\n  - {type: never, match: {target: "{{id}}"}}\n`,
    );
    const { steps, evaluations } = bindOne(text, vars({ id: 'var' }));
    expect(steps.map(({ content }) => content)).toEqual(['var', 'one', 'two']);
    expect(steps[0]?.evaluations[0]?.fields.value).toBe('one');
    expect(evaluations[0]?.fields.match).toMatchObject({ target: 'two' });
  });

  it('statement 63: a variable does not leave its session', () => {
    const text = `${document(`behaviors:\n${says('x', ', capture: {id: one}')}`)}---\nsession: t\nabs_version: "0.2"\nbehaviors:\n${says('"{{id}}"')}`;
    const { sessions } = parse(text);
    expect(sessions).toHaveLength(2);
    const first = bindOne(document(`behaviors:\n${says('x', ', capture: {id: one}')}`));
    expect(first.steps).toHaveLength(1);
    expect(errorsOf(bind(text.slice(text.indexOf('---\n') + 4)).problems)).toEqual([
      '4:43 unresolved-reference',
    ]);
  });

  it('statement 28: a fragment captures for, and refers to, the session around it', () => {
    const text = document(
      `fragments:\n  f:\n  ${says('"{{a}}"', ', capture: {b: 2}')}behaviors:\n${says('x', ', capture: {a: 1}')}  - include: f\n${says('"{{b}}"')}`,
    );
    expect(bindOne(text).steps.map(({ content }) => content)).toEqual(['x', 1, 2]);
  });

  it('statement 61, A15, B27: a reference without a value is an error with line, pointer, row and hint', () => {
    const text = document(
      `behaviors:\n${says('hello')}  - actor: user\n    action: says\n    content:\n      deep:\n        - "order {{orderId}}"\n`,
    );
    const { problems } = bind(text, row({ ordrId: 1 }, null, 3));
    expect(problems).toEqual([
      {
        severity: 'error',
        code: 'unresolved-reference',
        message: '{{orderId}} at /behaviors/1/content/deep/0 has no value (row 3)',
        hint: 'did you mean {{ordrId}}?',
        position: { file: 'test.abs.yaml', line: 9, column: 18 },
        frame: '        - "order {{orderId}}"',
      },
    ]);
  });

  it('A15: a reference before its capture is an error that names the capture', () => {
    const text = document(`behaviors:\n${says('"{{id}}"')}${says('x', ', capture: {id: 1}')}`);
    const { problems } = bind(text);
    expect(errorsOf(problems)).toEqual(['4:43 unresolved-reference']);
    expect(problems[0]?.hint).toContain('line 5');
  });

  it('A15: every reference without a value is told, in rules too', () => {
    const text = document(
      `behaviors:\n${says('"{{a}} {{b}}"')}evaluations:\n  - {type: contains, value: "{{c}}"}\n`,
    );
    expect(bind(text).problems.map(({ message }) => message)).toEqual([
      '{{a}} at /behaviors/0/content has no value',
      '{{b}} at /behaviors/0/content has no value',
      '{{c}} at /evaluations/0/value has no value',
    ]);
  });

  it("statement 123: a judge's prompt keeps the names that the judge fills", () => {
    const text = document(
      'behaviors:\n  - {actor: user, action: says}\nevaluations:\n  - {type: llm_judge, criteria: kind, prompt: "{{criteria}} of {{who}}: {{response}} {{context}}"}\n',
    );
    expect(bindOne(text, vars({ who: 'Ada' })).evaluations[0]?.fields.prompt).toBe(
      '{{criteria}} of Ada: {{response}} {{context}}',
    );
  });

  it('A31: a pattern that becomes invalid through a reference is an error', () => {
    const text = document(
      'behaviors:\n  - {actor: assistant, action: asks, matches_when: {type: regex, pattern: "{{p}}"}}\nevaluations:\n  - {type: regex, pattern: "{{p}}"}\n',
    );
    expect(errorsOf(bind(text, vars({ p: '(?=x)' })).problems)).toEqual([
      '4:76 bad-pattern',
      '6:5 bad-pattern',
    ]);
  });

  it('a variable that is captured from itself ends with an error instead of using up memory', () => {
    const doubling = Array.from({ length: 60 }, () =>
      says('x', ', capture: {a: ["{{a}}", "{{a}}"]}'),
    ).join('');
    const nesting = Array.from({ length: 300 }, () => says('x', ', capture: {a: ["{{a}}"]}')).join(
      '',
    );
    for (const captures of [doubling, nesting]) {
      const { ok, problems } = bind(
        document(`behaviors:\n${says('x', ', capture: {a: 1}')}${captures}${says('"all {{a}}"')}`),
      );
      expect(ok).toBe(false);
      expect(problems[0]?.code).toBe('value-too-large');
    }
  });

  it('B14: --var splits at the first =', () => {
    const parsed = parseVariables(['k=a=b', 'empty=']);
    expect(parsed.ok && [...parsed.value]).toEqual([
      ['k', 'a=b'],
      ['empty', ''],
    ]);
    for (const written of ['k', '=v', 'a b=c']) expect(parseVariables([written]).ok).toBe(false);
    expect(parseVariables(['k=1', 'k=2']).ok).toBe(false);
  });
});

describe('what a bound session tells of its references', () => {
  it('lists every use with place, pointer, kind and source', () => {
    const text = document(
      `behaviors:\n${says('"my order is {{order}}"', ', capture: {id: "{{order}}"}')}  - {actor: assistant, action: calls, target: X, with: {orderId: "{{id}}", note: "for {{id}}"}, evaluations: [{type: tool_call, with: {orderId: "{{id}}"}, when: "{{id}} == 7"}]}\n`,
    );
    const { steps } = bindOne(text, vars({ order: '7' }));
    const short = (uses: NonNullable<(typeof steps)[0]>['uses'] | undefined) =>
      uses?.map(({ reference, place, path, whole, source, value }) => [
        reference,
        place,
        path,
        whole,
        source,
        value,
      ]);
    expect(short(steps[0]?.uses)).toEqual([
      ['order', 'capture', '/id', true, { kind: 'variable' }, '7'],
      ['order', 'content', '', false, { kind: 'variable' }, '7'],
    ]);
    expect(short(steps[1]?.uses)).toEqual([
      ['id', 'with', '/orderId', true, { kind: 'capture', step: 0 }, '7'],
      ['id', 'with', '/note', false, { kind: 'capture', step: 0 }, '7'],
    ]);
    expect(short(steps[1]?.evaluations[0]?.uses)).toEqual([
      ['id', 'evaluation', '/with/orderId', true, { kind: 'capture', step: 0 }, '7'],
      ['id', 'when', '', false, { kind: 'capture', step: 0 }, '7'],
    ]);
    expect(steps[1]?.evaluations[0]?.condition?.outcome).toEqual({
      kind: 'false',
      note: 'text == number: different kinds of value are never equal',
    });
  });

  it('a capture read from the trace is a hole: no value, text as written', () => {
    const text = document(
      `behaviors:\n${says('x', ', capture: {id: {pattern: "R-([0-9]+)"}}')}  - {actor: assistant, action: calls, target: X, with: {orderId: "{{id}}"}}\nevaluations:\n  - {type: contains, value: "{{id}}", when: "{{id}} == 7"}\n`,
    );
    const { steps, evaluations } = bindOne(text);
    expect(steps[1]?.with).toMatchObject({ orderId: '{{id}}' });
    expect(steps[1]?.uses[0]).not.toHaveProperty('value');
    expect(evaluations[0]?.condition?.outcome).toEqual({ kind: 'hole', reference: 'id' });
  });

  it('an unknown reference in when is no error: the rule is skipped', () => {
    const text = document(
      'behaviors:\n  - {actor: user, action: says}\nevaluations:\n  - {type: never, match: {action: calls}, when: "{{zz}} == 1"}\n',
    );
    expect(bindOne(text).evaluations[0]?.condition?.outcome).toEqual({
      kind: 'unknown',
      reference: 'zz',
    });
  });

  test.prop([
    fc.string({
      maxLength: 80,
      unit: fc.constantFrom('{', '}', 'a', '.', ' ', '{{a}}', '}}', 'é'),
    }),
  ])('any text of braces is parsed without a throw, and what is accepted resolves', (text) => {
    const parsed = parseTemplate(text);
    if (!parsed.ok) expect(parsed.faults.length).toBeGreaterThan(0);
    else
      for (const { offset, end } of parsed.template.references)
        expect(text.slice(offset, end)).toMatch(/^\{\{.*\}\}$/);
  });
});
