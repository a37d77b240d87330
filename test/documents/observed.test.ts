import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { dependentSteps } from '../../src/documents/abs/dependents.js';
import { equalsAroundHoles, fillHoles } from '../../src/documents/abs/holes.js';
import { type ObservedPayload, observeCapture } from '../../src/documents/abs/observe-capture.js';
import { parseTemplate } from '../../src/documents/abs/template.js';
import { unifyTemplate } from '../../src/documents/abs/unify-template.js';
import { bindOne, document } from './support.js';

function template(text: string) {
  const parsed = parseTemplate(text);
  if (!parsed.ok) throw new Error('no template');
  return parsed.template;
}

function unify(text: string, observed: string, known: Record<string, string | number> = {}) {
  const result = unifyTemplate(template(text), observed, new Map(Object.entries(known)));
  return result.ok ? Object.fromEntries(result.bindings) : null;
}

describe('templates and observed text (semantics A13)', () => {
  it.each([
    ['hi', '  hi\n', {}],
    ['hi', 'hi!', null],
    ['my order is {{id}}', 'my order is R-1', { id: 'R-1' }],
    ['my order is {{id}}.', 'my order is R-1.', { id: 'R-1' }],
    ['{{a}} and {{b}}', 'x and y and z', { a: 'x', b: 'y and z' }],
    ['{{a}}-{{a}}', '7-7', { a: '7' }],
    ['{{a}}-{{a}}', '7-8', null],
    ['ab{{x}}ba', 'aba', null],
    ['{{x}}', '', { x: '' }],
    [' {{x}} \n', ' y ', { x: 'y' }],
    ['a {{x}} b {{y}} c', 'a 1 b 2', null],
    ['a {{x}} b', 'A 1 b', null],
  ])('%j reads %j as %o', (text, observed, expected) => {
    expect(unify(text, observed)).toEqual(expected);
  });

  it('a known value is plain text', () => {
    expect(unify('{{n}} of {{all}}', '3 of 10', { n: 3 })).toEqual({ all: '10' });
    expect(unify('{{n}} of {{all}}', '4 of 10', { n: 3 })).toBeNull();
    expect(unify('{{n}}{{all}}', '310', { n: 3 })).toEqual({ all: '10' });
  });

  const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  test.prop([fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 5 })])(
    'what fills a template is read back out of it, where the plain parts do not occur in the values',
    (pairs) => {
      const text = pairs.map(([plain], index) => `<${plain}> {{v${index}}}`).join(' ');
      const filled = pairs.map(([plain, value]) => `<${plain}> ${value}`).join(' ');
      expect(unify(text, filled)).toEqual(
        Object.fromEntries(pairs.map(([, value], index) => [`v${index}`, value])),
      );
    },
  );
});

describe('captures and what was observed (semantics A19)', () => {
  const observe = (
    step: string,
    observed: ObservedPayload,
    variables: Record<string, string> = {},
  ) => {
    const bound = bindOne(document(`behaviors:\n  - ${step}\n`), {
      variables: new Map(Object.entries(variables)),
    });
    const [capture] = bound.steps[0]?.capture ?? [];
    if (capture === undefined) throw new Error('no capture');
    const result = observeCapture(bound, 0, capture, observed);
    return result.ok ? result.value : null;
  };

  it('reads a field of its name, from content, JSON text or arguments', () => {
    const step = '{actor: tool, action: responds, content: {orderId: A1}, capture: {orderId: A1}}';
    expect(observe(step, { content: { orderId: 'B2' } })).toBe('B2');
    expect(observe(step, { content: '{"orderId": 7}' })).toBe(7);
    expect(observe(step, { with: { orderId: 'C3' } })).toBe('C3');
  });

  it("reads what stands in the place of the reference in the step's text", () => {
    const step =
      '{actor: user, action: says, content: "order {{id}}, please", capture: {orderId: "{{id}}"}}';
    expect(observe(step, { content: 'order B2, please' }, { id: 'A1' })).toBe('B2');
    const own =
      '{actor: user, action: says, content: "order {{orderId}}, please", capture: {orderId: A1}}';
    expect(observe(own, { content: 'order B2, please' })).toBe('B2');
  });

  it('finds the literal as a whole word of the text, else does not confirm it', () => {
    const step =
      '{actor: assistant, action: informs, content: Your refund is on its way, capture: {ref: R-55}}';
    expect(observe(step, { content: 'It is R-55.' })).toBe('R-55');
    expect(observe(step, { content: 'It is R-551.' })).toBeNull();
    expect(observe(step, { content: 'It is XR-55.' })).toBeNull();
    expect(observe(step, {})).toBeNull();
    expect(
      observe('{actor: assistant, action: informs, capture: {n: 5}}', {
        content: 'exactly 5 of them',
      }),
    ).toBe(5);
  });

  it('a pattern reads its group, a path its pointer', () => {
    expect(
      observe(
        '{actor: assistant, action: informs, capture: {ref: {pattern: "R-(\\\\d+)"}}}'.replace(
          '\\\\',
          '\\\\',
        ),
        { content: 'It is R-55.' },
      ),
    ).toBe('55');
    expect(
      observe('{actor: assistant, action: informs, capture: {ref: {pattern: "Q-([0-9]+)"}}}', {
        content: 'It is R-55.',
      }),
    ).toBeNull();
    const path = '{actor: tool, action: responds, capture: {ref: {path: /order/items/1}}}';
    expect(observe(path, { content: { order: { items: [1, 2] } } })).toBe(2);
    expect(observe(path, { content: {}, with: { order: { items: [1, null] } } })).toBeNull();
  });
});

describe('holes: values that only the trace shows', () => {
  const bound = bindOne(
    document(
      'behaviors:\n  - {actor: tool, action: responds, capture: {id: {path: /id}}}\n  - {actor: assistant, action: calls, target: X, with: {orderId: "{{id}}", note: "order {{id}} of {{who}}", n: 1}}\nevaluations:\n  - {type: any_of, evaluations: [{type: tool_call, target: X, with: {a: ["{{id.no}}"], t: "is {{id.no}} {{who}}"}, when: "{{id.no}} == 7"}]}\n',
    ),
    { variables: new Map([['who', 'Ada']]) },
  );

  it('a hole fits anything as a whole value, and what its text allows inside text', () => {
    const step = bound.steps[1];
    const equals = (observed: Record<string, string | number>) =>
      equalsAroundHoles(
        step?.with ?? null,
        observed,
        step?.uses.filter(({ place }) => place === 'with') ?? [],
      );
    expect(equals({ orderId: 5, note: 'order 5 of Ada', n: 1 })).toBe(true);
    expect(equals({ orderId: 5, note: 'order 5 of Bob', n: 1 })).toBe(false);
    expect(equals({ orderId: 5, note: 'order 5 of Ada', n: 2 })).toBe(false);
    expect(equals({ orderId: 5, note: 'order 5 of Ada' })).toBe(false);
  });

  it('a rule is filled with what was captured, its when is decided then', () => {
    const rule = bound.evaluations[0];
    if (rule === undefined) throw new Error('no rule');
    const filled = fillHoles(rule, (step, variable) =>
      step === 0 && variable === 'id' ? { no: 7 } : undefined,
    );
    if (!filled.ok) throw new Error('not filled');
    const [child] = filled.evaluation.children;
    expect(child?.fields.with).toMatchObject({ a: [7], t: 'is 7 Ada' });
    expect(child?.condition?.outcome).toEqual({ kind: 'true' });
    expect(fillHoles(rule, () => undefined)).toEqual({ ok: false, variable: 'id' });
  });
});

describe('what a failed step explains (semantics A40)', () => {
  it('users of its captures, transitively, what requires it, and the response to its call', () => {
    const bound = bindOne(
      document(`behaviors:
  - {id: ask, actor: user, action: says, capture: {a: 1}}
  - {actor: assistant, action: calls, target: X, with: {k: "{{a}}"}, capture: {b: 2}}
  - {actor: tool, action: responds, target: X}
  - {actor: assistant, action: informs, content: "{{b}}"}
  - {actor: assistant, action: informs, evaluations: [{type: all_of, evaluations: [{type: contains, value: "{{b}}"}]}]}
  - {actor: assistant, action: calls, target: Y}
  - {actor: tool, action: responds, target: Y}
  - {id: c, actor: assistant, action: asks, requires: ask}
  - {actor: user, action: says, requires: c}
`),
    );
    expect([...dependentSteps(bound, 0)]).toEqual([0, 1, 2, 3, 4, 7, 8]);
    expect([...dependentSteps(bound, 5)]).toEqual([5, 6]);
    expect([...dependentSteps(bound, 3)]).toEqual([3]);
  });
});
