import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/util/json.js';
import { entryOf, gradeDocument } from '../support/grade-document.js';
import { createLoss, createUnit } from '../support/stated-unit.js';

const rule = { type: 'variable_consistency', variable: 'id' };

function grade(steps: readonly JsonObject[], behaviors: readonly JsonObject[], changes = {}) {
  const document = { session: 's', abs_version: '0.2', behaviors: steps, evaluations: [rule] };
  return gradeDocument(JSON.stringify(document), createUnit(behaviors, changes));
}

function verdictOf(...args: Parameters<typeof grade>) {
  const { verdict, code } = entryOf(grade(...args), '/evaluations/0');
  return [verdict, code];
}

const captures = (content: string, id: JsonObject[string] = 'A-1'): JsonObject => ({
  actor: 'user',
  action: 'says',
  content,
  capture: { id },
});
const calls = (value: JsonObject): JsonObject => ({
  actor: 'assistant',
  action: 'calls',
  target: 'T',
  with: value,
});
const uses = calls({ id: '{{id}}' });
const user = (content: string): JsonObject => ({ actor: 'user', content });
const assistant = (content: JsonObject[string]): JsonObject => ({ actor: 'assistant', content });

describe('variable_consistency reads what was observed (semantics A19, A20)', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    ['the same', uses, calls({ id: 'A-1' }), 'pass'],
    ['another value, though the step is unmatched (V01)', uses, calls({ id: 'A-2' }), 'fail'],
    ['more arguments do not matter', uses, calls({ id: 'A-2', x: 1 }), 'fail'],
    ['a number for a text', calls({ id: '{{id}}' }), calls({ id: 7 }), 'fail'],
    ['deep inside', calls({ o: { id: '{{id}}' } }), calls({ o: { id: 'A-9' } }), 'fail'],
    ['inside text', calls({ q: 'order {{id}}!' }), calls({ q: 'order A-3!' }), 'fail'],
  ])('%s', (_title, step, behavior, verdict) => {
    const found = verdictOf([captures('It is A-1.'), step], [user('It is A-1.'), behavior]);
    expect(found).toEqual([verdict, null]);
  });

  it('tells both values, where they stood, and the Behaviors', () => {
    const report = grade(
      [captures('It is A-1.'), uses],
      [user('It is A-1.'), calls({ id: 'A-2' })],
    );
    const entry = entryOf(report, '/evaluations/0');
    expect(entry.reason).toBe('id was "A-1" in the text of #0 and "A-2" in with.id of #1');
    expect(entry.nearest).toEqual({
      behavior: 1,
      failed: 'with.id',
      detail: 'id was "A-2", not "A-1"',
    });
    expect(entry.witness.map(({ behavior }) => behavior)).toEqual([1, 0]);
    expect(report.steps[1]?.matched).toBe(false);
  });

  it('a candidate that differs elsewhere too is no use', () => {
    const steps = [captures('It is A-1.'), calls({ id: '{{id}}', mode: 'fast' })];
    const behaviors = [user('It is A-1.'), calls({ id: 'A-2', mode: 'slow' })];
    expect(verdictOf(steps, behaviors)).toEqual(['inconclusive', 'evidence_missing']);
  });

  it('a text and a number that read the same are equal only inside text', () => {
    const inText = [captures('7', '7'), calls({ q: 'no {{id}}' })];
    expect(verdictOf(inText, [user('7'), calls({ q: 'no 7' })])[0]).toBe('pass');
    const typed = [
      { actor: 'tool', action: 'responds', target: 'T', capture: { id: 7 } },
      calls({ q: 'no {{id}}' }),
    ];
    const response = { actor: 'tool', action: 'responds', target: 'T', content: { id: 7 } };
    expect(verdictOf(typed, [response, calls({ q: 'no 7' })])[0]).toBe('pass');
  });

  it('reads text of the assistant by its template', () => {
    const steps = [
      captures('A-1'),
      { actor: 'assistant', action: 'informs', content: 'Refund {{id}} is made.' },
    ];
    expect(verdictOf(steps, [user('A-1'), assistant('Refund A-1 is made.')])[0]).toBe('pass');
    expect(verdictOf(steps, [user('A-1'), assistant('Refund B-7 is made.')])[0]).toBe('fail');
    // Other words, but the value is there.
    expect(verdictOf(steps, [user('A-1'), assistant('Done: A-1')])[0]).toBe('pass');
    // Other words and no such value: nothing can be read.
    expect(verdictOf(steps, [user('A-1'), assistant('All done for A-10.')])).toEqual([
      'inconclusive',
      'evidence_missing',
    ]);
  });

  it('a template that is the reference alone reads a word, not a sentence', () => {
    const steps = [captures('A-1'), { actor: 'assistant', action: 'informs', content: '{{id}}' }];
    expect(verdictOf(steps, [user('A-1'), assistant('B-7')])[0]).toBe('fail');
    expect(verdictOf(steps, [user('A-1'), assistant('It is A-1.')])[0]).toBe('pass');
    expect(verdictOf(steps, [user('A-1'), assistant('It is made.')])[0]).toBe('inconclusive');
  });

  it('reads structured content, also where it came as JSON text', () => {
    const step = { actor: 'tool', action: 'responds', target: 'T', content: { order: '{{id}}' } };
    const response = (content: JsonObject[string]) => ({ ...step, content });
    expect(verdictOf([captures('A-1'), step], [user('A-1'), response({ order: 'A-1' })])[0]).toBe(
      'pass',
    );
    expect(verdictOf([captures('A-1'), step], [user('A-1'), response({ order: 'A-2' })])[0]).toBe(
      'fail',
    );
    expect(verdictOf([captures('A-1'), step], [user('A-1'), response('{"order":"A-2"}')])[0]).toBe(
      'fail',
    );
  });

  it('the captured value is the observed one: the field of its name, else the word in the text', () => {
    const capture = { actor: 'tool', action: 'responds', target: 'T', capture: { id: 'A-1' } };
    const response = (content: JsonObject[string]) => ({
      actor: 'tool',
      action: 'responds',
      target: 'T',
      content,
    });
    expect(verdictOf([capture, uses], [response({ id: 'B-2' }), calls({ id: 'A-1' })])[0]).toBe(
      'fail',
    );
    expect(verdictOf([capture, uses], [response({ id: 'A-1' }), calls({ id: 'A-1' })])[0]).toBe(
      'pass',
    );
    expect(verdictOf([capture, uses], [response('made A-1'), calls({ id: 'A-1' })])[0]).toBe(
      'pass',
    );
    expect(verdictOf([capture, uses], [response('made A-12'), calls({ id: 'A-1' })])).toEqual([
      'inconclusive',
      'capture_unconfirmed',
    ]);
  });

  it('a capture that is never used passes when it was seen, else is open', () => {
    expect(verdictOf([captures('It is A-1.')], [user('It is A-1.')])[0]).toBe('pass');
    expect(verdictOf([captures('It is {{id}}.')], [user('It is C-3.')])[0]).toBe('pass');
    const unsaid = { actor: 'assistant', action: 'informs', capture: { id: 'A-1' } };
    expect(verdictOf([unsaid], [assistant('Hello.')])).toEqual([
      'inconclusive',
      'capture_unconfirmed',
    ]);
  });

  it('a second capture with another value fails', () => {
    const steps = [captures('A-1'), captures('A-2', 'A-2')];
    expect(verdictOf(steps, [user('A-1'), user('A-2')])[0]).toBe('fail');
  });

  it('uses in steps that were not expected to happen do not matter', () => {
    const steps = [captures('A-1'), { ...uses, optional: true }];
    expect(verdictOf(steps, [user('A-1')])[0]).toBe('pass');
  });

  describe('where evidence is lacking', () => {
    const steps = [captures('A-1'), uses];

    it('an argument that was not recorded may differ, or not', () => {
      const call = { actor: 'assistant', action: 'calls', target: 'T', withState: 'absent' };
      expect(verdictOf(steps, [user('A-1'), call])).toEqual(['inconclusive', 'evidence_missing']);
    });

    it('a use that may be missing leaves it open, a difference that was seen decides', () => {
      const lossy = { complete: false, losses: [createLoss('limit_reached')] };
      expect(verdictOf(steps, [user('A-1')], lossy)).toEqual(['inconclusive', 'trace_incomplete']);
      const other = [...steps, calls({ x: '{{id}}' })];
      const seen = [user('A-1'), calls({ id: 'A-1' }), calls({ x: 'A-9' })];
      expect(verdictOf(other, seen)[0]).toBe('fail');
    });
  });
});

describe('captures of what was observed', () => {
  const patternStep = {
    actor: 'assistant',
    action: 'informs',
    capture: { id: { pattern: 'order (\\w+-\\d+)' } },
  };

  it('are put where they are used, and the steps are aligned by them', () => {
    const steps = [patternStep, uses];
    const report = (id: string) => grade(steps, [assistant('For order Z-4.'), calls({ id })]);
    expect(report('Z-4').steps[1]?.matched).toBe(true);
    expect(report('Z-4').verdict).toBe('pass');
    expect(report('Z-5').steps[1]?.matched).toBe(false);
    expect(entryOf(report('Z-5'), '/evaluations/0').verdict).toBe('fail');
  });

  it('choose among several candidates once they are known', () => {
    const steps = [patternStep, uses];
    const behaviors = [assistant('For order Z-4.'), calls({ id: 'Y-1' }), calls({ id: 'Z-4' })];
    expect(grade(steps, behaviors).steps[1]?.behavior).toBe(2);
  });

  it('settle one after the other', () => {
    const steps = [
      { actor: 'user', action: 'says', capture: { name: { pattern: 'I am (\\w+)' } } },
      {
        actor: 'tool',
        action: 'responds',
        target: 'Find {{name}}',
        capture: { id: { path: '/found/0' } },
      },
      uses,
    ];
    const response = (target: string, found: string) => ({
      actor: 'tool',
      action: 'responds',
      target,
      content: { found: [found] },
    });
    const behaviors = [
      user('I am Ann'),
      response('Find Bob', 'B-1'),
      response('Find Ann', 'A-7'),
      calls({ id: 'B-1' }),
      calls({ id: 'A-7' }),
    ];
    expect(grade(steps, behaviors).steps.map((step) => step.behavior)).toEqual([0, 2, 4]);
  });

  it('reach rules and conditions', () => {
    const document = `
session: s
abs_version: "0.2"
behaviors:
  - {actor: user, action: says, capture: {tier: {pattern: "I am (gold|iron)"}}}
  - actor: assistant
    action: informs
    evaluations:
      - {type: contains, value: "{{tier}} member"}
      - {type: contains, value: lounge, when: '{{tier}} == "gold"'}
`;
    const verdicts = (said: string, answer: string) =>
      gradeDocument(document, createUnit([user(said), assistant(answer)])).evaluations.map(
        ({ verdict, code }) => code ?? verdict,
      );
    expect(verdicts('I am gold', 'A gold member: lounge.')).toEqual(['pass', 'pass']);
    expect(verdicts('I am gold', 'A gold member.')).toEqual(['pass', 'fail']);
    expect(verdicts('I am iron', 'A gold member.')).toEqual(['fail', 'when_false']);
    expect(verdicts('I am nobody', 'A gold member.')).toEqual([
      'capture_unconfirmed',
      'capture_unconfirmed',
    ]);
  });
});
