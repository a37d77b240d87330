import { describe, expect, it } from 'vitest';
import { check, document, errorsOf, oneStep, parse, parseOne, warningsOf } from './support.js';

const pay =
  'fragments:\n  pay:\n    - {actor: assistant, action: calls, target: Pay, with: {id: "{{id}}"}}\n    - {actor: tool, action: responds, target: Pay, capture: {ref: R1}, evaluations: [{type: contains, value: x}]}\n';

describe('fragments (semantics 1.2)', () => {
  it('statements 21 to 24, 26: an include is put in place, wherever it stands', () => {
    const session = parseOne(
      document(
        `${pay}behaviors:\n  - {actor: user, action: says, capture: {id: A1}}\n  - include: pay\n  - {actor: assistant, action: informs}\n`,
      ),
    );
    expect(session.steps.map(({ index, rule, via, action }) => [index, rule, via, action])).toEqual(
      [
        [0, '/behaviors/0', null, 'says'],
        [1, '/fragments/pay/0', '/behaviors/1', 'calls'],
        [2, '/fragments/pay/1', '/behaviors/1', 'responds'],
        [3, '/behaviors/2', null, 'informs'],
      ],
    );
    expect(session.steps[1]?.position.line).toBe(5);
    expect(session.steps[2]?.evaluations.map(({ rule, via }) => [rule, via])).toEqual([
      ['/fragments/pay/1/evaluations/0', '/behaviors/1'],
    ]);
  });

  it('statement 21: an include has no sibling keys', () => {
    const { problems } = parse(
      document(`${pay}behaviors:\n  - include: pay\n    optional: true\n`),
    );
    expect(errorsOf(problems)).toEqual(['9:5 unknown-key']);
    expect(problems.find(({ code }) => code === 'unknown-key')?.hint).toContain('stands alone');
  });

  it('statement 25: an unknown fragment is an error with a suggestion', () => {
    const { problems } = parse(document(`${pay}behaviors:\n  - include: pya\n`));
    expect(errorsOf(problems)).toEqual(['8:14 unknown-fragment']);
    expect(problems.find(({ code }) => code === 'unknown-fragment')?.hint).toBe(
      'did you mean "pay"?',
    );
  });

  it('statements 22, 40, A48: ids are unique after expansion', () => {
    const text = document(
      'fragments:\n  f:\n    - {id: a, actor: user, action: says}\nbehaviors:\n  - include: f\n  - include: f\n',
    );
    expect(errorsOf(parse(text).problems)).toEqual(['5:12 duplicate-id']);
  });

  it('statement 23, A46: fragments include fragments, with a warning, and via names every include', () => {
    const text = document(
      'fragments:\n  a:\n    - {actor: user, action: says}\n  b:\n    - include: a\n    - include: a\nbehaviors:\n  - include: b\n  - include: b\n',
    );
    const { sessions, problems } = parse(text);
    expect(warningsOf(problems)).toEqual(['7:16 nested-include', '8:16 nested-include']);
    expect(sessions[0]?.steps.map(({ rule, via }) => [rule, via])).toEqual([
      ['/fragments/a/0', '/behaviors/0,/fragments/b/0'],
      ['/fragments/a/0', '/behaviors/0,/fragments/b/1'],
      ['/fragments/a/0', '/behaviors/1,/fragments/b/0'],
      ['/fragments/a/0', '/behaviors/1,/fragments/b/1'],
    ]);
  });

  it('A46: a circle of includes is an error that names it', () => {
    const text = document(
      'fragments:\n  a:\n    - include: b\n  b:\n    - include: a\nbehaviors:\n  - include: a\n',
    );
    const { problems } = parse(text);
    expect(errorsOf(problems)).toEqual(['7:16 fragment-cycle']);
    expect(problems.find(({ code }) => code === 'fragment-cycle')?.message).toContain('a → b → a');
  });

  it('fragments that double with every level end with an error', () => {
    const levels = Array.from(
      { length: 40 },
      (_, level) => `  f${level + 1}: [{include: f${level}}, {include: f${level}}]\n`,
    );
    const text = document(
      `fragments:\n  f0: [{actor: user, action: says}]\n${levels.join('')}behaviors:\n  - include: f40\n`,
    );
    expect(
      errorsOf(parse(text).problems).some((problem) => problem.endsWith('too-many-steps')),
    ).toBe(true);
  });

  it('a chain of includes that is too long ends with an error', () => {
    const levels = Array.from(
      { length: 3000 },
      (_, level) => `  f${level + 1}: [{include: f${level}}]\n`,
    );
    const text = document(
      `fragments:\n  f0: [{actor: user, action: says}]\n${levels.join('')}behaviors:\n  - include: f3000\n`,
    );
    expect(
      errorsOf(parse(text).problems).some((problem) => problem.endsWith('too-many-steps')),
    ).toBe(true);
  });

  it('statement 27: a fragment holds behaviors only', () => {
    const text = document(
      'fragments:\n  f: {behaviors: [], evaluations: []}\nbehaviors:\n  - include: f\n',
    );
    expect(errorsOf(parse(text).problems)).toEqual(['4:6 wrong-type']);
  });

  it('statement 29: fragments belong to their document', () => {
    const text = `${document(`${pay}behaviors:\n  - include: pay\n`)}---\n${document('behaviors:\n  - include: pay\n')}`;
    const { sessions, problems } = parse(text);
    expect(sessions).toHaveLength(1);
    expect(errorsOf(problems)).toEqual(['13:14 unknown-fragment']);
  });

  it('statement 29, A46: a first document of fragments serves the whole file, with a warning', () => {
    const text = `${pay}---\n${document('behaviors:\n  - include: pay\n')}---\n${document(`fragments:\n  pay: [{actor: user, action: says}]\nbehaviors:\n  - include: pay\n`).replace('session: s', 'session: t')}`;
    const { sessions, problems } = parse(text);
    expect(errorsOf(problems)).toEqual([]);
    expect(warningsOf(problems)).toEqual(['1:1 fragment-prelude']);
    expect(
      sessions.map(({ steps }) =>
        steps.map(({ rule, action, position }) => [rule, action, position.line]),
      ),
    ).toEqual([
      [
        ['/fragments/pay/0', 'calls', 3],
        ['/fragments/pay/1', 'responds', 4],
      ],
      [['/fragments/pay/0', 'says', 14]],
    ]);
  });

  it('A46: a fault in the first document takes down the sessions that include it, and no other', () => {
    const text = `fragments:\n  bad: [{actor: user}]\n---\n${document('behaviors:\n  - include: bad\n')}---\n${document(oneStep)}`;
    const { sessions, problems } = parse(text);
    expect(errorsOf(problems)).toEqual(['2:9 missing-key']);
    expect(sessions.map(({ position }) => position.line)).toEqual([9]);
  });

  it('a file of fragments alone holds no session', () => {
    expect(errorsOf(parse(pay).problems)).toEqual(['1:1 missing-key', '1:1 missing-key']);
  });

  it('a fragment that nothing includes is warned of, and its faults are told', () => {
    const text = document(
      `fragments:\n  f: [{actor: user, action: says, evaluations: [{type: regex, pattern: "(["}]}]\n${oneStep}`,
    );
    expect(warningsOf(check(text))).toEqual(['4:3 unused-fragment']);
    expect(errorsOf(check(text))).toEqual(['4:49 bad-pattern']);
  });

  it('B24: id and with_only of a fragment are kept', () => {
    const text = document(
      'fragments:\n  f: [{id: a, actor: assistant, action: calls, target: X, with_only: {k: 1}}]\nbehaviors:\n  - include: f\n',
    );
    expect(parseOne(text).steps[0]).toMatchObject({ id: 'a', withOnly: { k: 1 }, with: null });
  });
});
