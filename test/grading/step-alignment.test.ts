import { describe, expect, it } from 'vitest';
import type { GradeUnitOptions } from '../../src/grading/grade-unit.js';
import type { JsonObject } from '../../src/util/json.js';
import { gradeDocument } from '../support/grade-document.js';
import { createUnit } from '../support/stated-unit.js';

const user = (content?: string, more: JsonObject = {}): JsonObject => ({
  actor: 'user',
  action: 'says',
  ...(content !== undefined && { content }),
  ...more,
});
const calls = (target: string, more: JsonObject = {}): JsonObject => ({
  actor: 'assistant',
  action: 'calls',
  target,
  ...more,
});
const responds = (target: string, more: JsonObject = {}): JsonObject => ({
  actor: 'tool',
  action: 'responds',
  target,
  ...more,
});
const informs = (more: JsonObject = {}): JsonObject => ({
  actor: 'assistant',
  action: 'informs',
  ...more,
});
const said = (content: string): JsonObject => ({ actor: 'assistant', content });

function align(
  steps: readonly JsonObject[],
  behaviors: readonly JsonObject[],
  options: GradeUnitOptions = {},
) {
  const document = { session: 's', abs_version: '0.2', behaviors: steps };
  return gradeDocument(JSON.stringify(document), createUnit(behaviors), options);
}

/** The position each step matched, null where none. */
function positions(...args: Parameters<typeof align>): readonly (number | null)[] {
  return align(...args).steps.map((step) => step.behavior);
}

describe('which Behavior a step matches', () => {
  it('what is not declared shifts nothing (B2, M01)', () => {
    const steps = [user('hi'), calls('Orders'), calls('Refund')];
    const observed = [user('hi'), calls('Auth'), calls('Orders'), said('…'), calls('Refund')];
    expect(positions(steps, observed)).toEqual([0, 2, 4]);
  });

  it('one swapped call costs one step, not the rest of the session', () => {
    const steps = [calls('A'), calls('B'), calls('C')];
    const [a, b, c] = positions(steps, [calls('B'), calls('A'), calls('C')]);
    expect([a, b].filter((position) => position === null)).toHaveLength(1);
    expect(c).toBe(2);
  });

  it('an early greedy match is given up for more matched steps', () => {
    const steps = [calls('A', { with: { id: 1 } }), calls('B')];
    const observed = [calls('B', { with: {} }), calls('A', { with: { id: 1 } })];
    // Either step can be matched, not both: the one that fits better is.
    expect(positions(steps, observed)).toEqual([1, null]);
    expect(positions(steps, [...observed, calls('B', { with: {} })])).toEqual([1, 2]);
  });

  it('the call with the declared arguments is preferred, extra arguments are fine', () => {
    const steps = [calls('A', { with: { id: 2 } })];
    const observed = [calls('A', { with: { id: 1 } }), calls('A', { with: { id: 2, x: 0 } })];
    expect(positions(steps, observed)).toEqual([1]);
    expect(positions([calls('A', { with_only: { id: 2 } })], observed)).toEqual([null]);
  });

  it('an act of the same category will do, the same act is better (S3)', () => {
    const steps = [{ actor: 'assistant', action: 'asks' }];
    const stated = [
      informs({ content: 'A' }),
      { actor: 'assistant', action: 'asks', content: 'B' },
    ];
    expect(positions(steps, stated)).toEqual([1]);
    expect(positions(steps, [informs({ content: 'A' })])).toEqual([0]);
    expect(positions(steps, [calls('A')])).toEqual([null]);
  });

  it('evaluations never influence it: a failure does not look for a better Behavior', () => {
    const rule = { type: 'contains', value: 'first' };
    const observed = [said('first'), user('more?'), said('second')];
    const report = align([informs({ evaluations: [rule] }), user('more?')], observed);
    expect(report.steps.map((step) => step.behavior)).toEqual([0, 1]);
    const onlyLast = align([user('more?'), informs({ evaluations: [rule] })], observed);
    expect(onlyLast.steps.map((step) => step.behavior)).toEqual([1, 2]);
    expect(onlyLast.evaluations[0]?.verdict).toBe('fail');
  });
});

describe('which of several messages of a turn (semantics A22)', () => {
  const turn = [user('hi'), said('Let me check.'), calls('A'), said('One moment.'), said('Done.')];

  it('the declared answer is the last of its turn', () => {
    expect(positions([user('hi'), informs()], turn)).toEqual([0, 4]);
    expect(positions([user('hi'), calls('A'), informs()], turn)).toEqual([0, 2, 4]);
  });

  it('a message that is declared before something else is the earliest', () => {
    expect(positions([user('hi'), informs(), calls('A')], turn)).toEqual([0, 1, 2]);
    expect(positions([user('hi'), informs(), informs()], turn)).toEqual([0, 1, 4]);
  });

  it('the turn ends where the user speaks again, declared or not', () => {
    const observed = [...turn, user('thanks'), said('Bye.')];
    expect(positions([user('hi'), informs()], observed)).toEqual([0, 4]);
    expect(positions([user('hi'), informs(), user('thanks'), informs()], observed)).toEqual([
      0, 4, 5, 6,
    ]);
  });

  it('what follows optionally keeps its own message free', () => {
    const offer = {
      ...informs({ action: 'suggests' }),
      optional: true,
      matches_when: { type: 'contains', value: 'anything else' },
    };
    const observed = [user('hi'), said('Checking.'), said('Done.'), said('Anything else?')];
    expect(positions([user('hi'), informs(), offer], observed)).toEqual([0, 2, 3]);
    expect(positions([user('hi'), informs(), offer], observed.slice(0, 3))).toEqual([0, 2, null]);
  });

  it('a response is that of the very call that was matched', () => {
    const steps = [calls('A', { with: { id: 2 } }), responds('A')];
    const observed = [
      calls('A', { with: { id: 1 }, callId: 'c1' }),
      calls('A', { with: { id: 2 }, callId: 'c2' }),
      responds('A', { callId: 'c1', content: 1 }),
      responds('A', { callId: 'c2', content: 2 }),
    ];
    expect(positions(steps, observed)).toEqual([1, 3]);
  });
});

describe('user turns (semantics A13)', () => {
  it('must read like the declared text, white space at the ends aside', () => {
    expect(positions([user('hello')], [user(' hello\n')])).toEqual([0]);
    const report = align([user('hello')], [user('hello!')]);
    expect(report.steps[0]).toMatchObject({
      matched: false,
      code: 'step_unmatched',
      nearest: { behavior: 0, failed: 'content' },
    });
    expect(report.conformance).toBe('fail');
  });

  it('need not with userMatch ignore, nor where no text is declared', () => {
    expect(positions([user('hello')], [user('hey')], { userMatch: 'ignore' })).toEqual([0]);
    expect(positions([user()], [user('hey')])).toEqual([0]);
  });

  it('a text that was not recorded may have been the declared one', () => {
    const report = align([user('hello')], [{ actor: 'user', contentState: 'absent' }]);
    expect(report.steps[0]).toMatchObject({ matched: null, code: 'evidence_missing' });
    expect(report.conformance).toBe('inconclusive');
  });

  it('what the step captures itself is read from the text', () => {
    const steps = [user('It is {{id}}.', { capture: { id: 'A-1' } })];
    expect(positions(steps, [user('It is B-2.')])).toEqual([0]);
    expect(positions(steps, [user('Is it B-2?')])).toEqual([null]);
  });

  it('an interaction of the user may be any message of the user (semantics A5)', () => {
    const steps = [{ actor: 'user', action: 'selects', target: 'Refund' }];
    expect(positions(steps, [{ actor: 'user', content: 'The second one.' }])).toEqual([0]);
    expect(positions(steps, [{ actor: 'user', action: 'asks', content: 'Which?' }])).toEqual([
      null,
    ]);
  });
});

describe('optional steps and requires (semantics 1.7, A26)', () => {
  const ask = (id: string, value: string, more: JsonObject = {}): JsonObject => ({
    id,
    actor: 'assistant',
    action: 'asks',
    optional: true,
    matches_when: { type: 'contains', value },
    ...more,
  });

  it('an optional step that did not happen takes no reply from others (O01)', () => {
    const report = align([user('hi'), ask('a', 'number'), informs()], [user('hi'), said('Hello')]);
    expect(report.steps.map((step) => step.behavior)).toEqual([0, null, 1]);
    expect(report.verdict).toBe('pass');
  });

  it('several optional steps, and a required one, may share a reply (statement 87)', () => {
    const steps = [ask('a', 'number'), ask('b', 'mail'), informs()];
    expect(positions(steps, [said('Number and mail, please.')])).toEqual([0, 0, 0]);
  });

  it('two required steps never share', () => {
    expect(positions([informs(), informs()], [said('Hello')])).toEqual([0, null]);
  });

  it('what requires an unmatched step is inactive, and what requires that too', () => {
    const steps = [
      ask('a', 'number'),
      user('It is 5.', { id: 'b', requires: 'a' }),
      informs({ id: 'c', requires: 'b', evaluations: [{ type: 'contains', value: 'x' }] }),
    ];
    const report = align(steps, [said('Hello'), user('It is 5.'), said('Thanks')]);
    expect(report.steps.map(({ active, behavior }) => [active, behavior])).toEqual([
      [true, null],
      [false, null],
      [false, null],
    ]);
    expect(report.evaluations[0]?.verdict).toBe('skipped');
    expect(report.conformance).toBe('pass');
  });

  it('an active required step that requires a matched one must happen', () => {
    const steps = [ask('a', 'number'), user('It is 5.', { requires: 'a' })];
    expect(align(steps, [said('Number?'), user('It is 5.')]).conformance).toBe('pass');
    expect(align(steps, [said('Number?')]).conformance).toBe('fail');
  });

  it('requires on an unmatched required step deactivates too', () => {
    const steps = [calls('A', { id: 'a' }), responds('A', { requires: 'a' })];
    const report = align(steps, [responds('A', { content: 1 })]);
    expect(report.steps[1]).toMatchObject({ active: false, behavior: null });
  });

  it('an optional step is given up where that activates more', () => {
    // Matching "a" early would leave nothing for the steps that require "b".
    const steps = [ask('a', 'number'), ask('b', 'mail'), user('me@example.org', { requires: 'b' })];
    const observed = [said('mail?'), user('me@example.org'), said('number?')];
    expect(positions(steps, observed)).toEqual([null, 0, 1]);
  });

  it('matches_when looks at actor and text, not at the act', () => {
    const step = { ...ask('a', 'order'), actor: 'tool' };
    expect(positions([step], [said('order?')])).toEqual([null]);
    const regex = { ...ask('a', ''), matches_when: { type: 'regex', pattern: '\\?$' } };
    expect(positions([regex], [informs({ content: 'No.' }), informs({ content: 'So?' })])).toEqual([
      1,
    ]);
  });

  it('without a judge a judged matches_when is open, and says so', () => {
    const judged = { ...ask('a', ''), matches_when: { type: 'llm_judge', criteria: 'asks' } };
    const report = align([judged, informs({ requires: 'a' })], [said('order?')]);
    expect(report.steps[0]).toMatchObject({ matched: null, code: 'adapter.not_configured' });
    expect(report.conformance).toBe('inconclusive');
  });

  it('with a judge it is matched as the judge says', () => {
    const judged = { ...ask('a', ''), matches_when: { type: 'llm_judge', criteria: 'asks' } };
    const judge = {
      answer: ({ response }: { response: string }) =>
        ({ kind: 'scored', score: response.endsWith('?') ? 1 : 0, reason: 'mark' }) as const,
    };
    expect(positions([judged], [said('No.'), said('So?')], { judge })).toEqual([1]);
  });
});

describe('structured content (semantics A24)', () => {
  it.each([
    ['{"status":"a"}', '{"status":"b","more":1}', true],
    ['{"status":"a"}', '{"state":"b"}', false],
    ['{"n":1}', '{"n":2.5}', true],
    ['{"n":1}', '{"n":"1"}', false],
    ['{"n":null}', '{"n":null}', true],
    ['{"n":null}', '{"n":0}', false],
    ['{"a":[1,"x"]}', '{"a":[2,"y"]}', true],
    ['{"a":[1,"x"]}', '{"a":["y",2]}', false],
    ['{"a":[1]}', '{"a":[1,2,3]}', true],
    ['{"a":[1]}', '{"a":[1,"2",3]}', false],
    ['{"a":[{"id":1}]}', '{"a":[{"id":2,"x":1},{"id":3}]}', true],
    ['{"a":{"b":{"c":true}}}', '{"a":{"b":{"c":false,"d":1}}}', true],
    ['{"a":{"b":{"c":true}}}', '{"a":{"b":{}}}', false],
    ['{"toString":1}', '{}', false],
    ['{"a":1}', '"{\\"a\\": 2}"', true],
    ['{"a":1}', '"shipped"', false],
    ['"shipped"', '{"a":1}', true],
  ])('declared %s, observed %s: %s', (declared, observed, fits) => {
    const steps = [responds('A', { content: JSON.parse(declared) })];
    const behaviors = [responds('A', { content: JSON.parse(observed) })];
    expect(positions(steps, behaviors)).toEqual([fits ? 0 : null]);
  });

  it('the report names the place that differs', () => {
    const steps = [responds('A', { content: { order: { eta: 'x' } } })];
    const report = align(steps, [responds('A', { content: { order: { eta: 5 } } })]);
    expect(report.steps[0]?.nearest).toEqual({
      behavior: 0,
      failed: 'structure',
      detail: 'content at /order/eta: expected a text, was a number',
    });
  });
});

describe('why a step is unmatched', () => {
  it.each<[string, JsonObject, readonly JsonObject[], JsonObject | null]>([
    [
      'an argument differs',
      calls('A', { with: { id: 1 } }),
      [calls('A', { with: { id: 999 } })],
      { behavior: 0, failed: 'with', detail: '`id` was 999, expected 1' },
    ],
    [
      'an argument is missing',
      calls('A', { with: { id: 1 } }),
      [calls('A', { with: {} })],
      { behavior: 0, failed: 'with', detail: '`id` was missing, expected 1' },
    ],
    [
      'an argument is too many',
      calls('A', { with_only: { id: 1 } }),
      [calls('A', { with: { id: 1, force: true } })],
      { behavior: 0, failed: 'with', detail: '`force` was not declared' },
    ],
    [
      'another tool',
      calls('A'),
      [said('hm'), calls('B')],
      { behavior: 1, failed: 'target', detail: 'target was "B", expected "A"' },
    ],
    [
      'another actor',
      { actor: 'user', action: 'asks' },
      [{ actor: 'assistant', action: 'asks', content: '?' }],
      { behavior: 0, failed: 'actor', detail: 'actor was assistant, expected user' },
    ],
    ['nothing like it', calls('A'), [said('hm')], null],
  ])('%s', (_title, step, behaviors, nearest) => {
    expect(align([step], behaviors).steps[0]?.nearest).toEqual(nearest);
  });

  it('in the wrong order, with the time between', () => {
    const report = align(
      [calls('A'), calls('B', { with: { x: 1 } })],
      [calls('B', { with: { x: 1 }, seconds: 10 }), calls('A', { with: {}, seconds: 14 })],
    );
    expect(report.steps[0]?.nearest).toEqual({
      behavior: 1,
      failed: 'order',
      detail: 'came 4 s after #0 assistant calls "B"',
    });
  });

  it('the only candidate is what another step matched', () => {
    const report = align([calls('A'), calls('A')], [calls('A')]);
    expect(report.steps[1]?.nearest).toMatchObject({ behavior: 0, failed: 'taken' });
  });

  it('a candidate that no other step has comes before one that is taken', () => {
    const steps = [calls('A', { with: { id: 1 } }), calls('A', { with: { id: 2 } })];
    const behaviors = [calls('A', { with: { id: 1 } }), calls('A', { with: { id: 3 } })];
    expect(align(steps, behaviors).steps[1]?.nearest).toMatchObject({
      behavior: 1,
      failed: 'with',
    });
  });
});

describe('unordered groups (statement 72, semantics A33)', () => {
  const group = (...targets: string[]): readonly JsonObject[] =>
    targets.map((target, at) =>
      calls(target, {
        ...(at === targets.length - 1 && { evaluations: [{ type: 'tool_call', ordered: false }] }),
      }),
    );

  it('may come in any order, what follows comes after all of them', () => {
    const steps = [...group('A', 'B', 'C'), informs()];
    const observed = [calls('C'), calls('A'), calls('B'), said('Done.')];
    expect(positions(steps, observed)).toEqual([1, 2, 0, 3]);
    expect(align(steps, observed).verdict).toBe('pass');
  });

  it('each call is needed: two of one tool are two calls', () => {
    expect(positions(group('A', 'B', 'A'), [calls('A'), calls('B')])).toEqual([0, 1, null]);
    const report = align(group('A', 'B', 'A'), [calls('A'), calls('B')]);
    expect(report.evaluations[0]?.verdict).toBe('fail');
    expect(positions(group('A', 'B', 'A'), [calls('A'), calls('A'), calls('B')])).toEqual([
      0, 2, 1,
    ]);
  });

  it('a group too large to be solved exactly is matched in its window', () => {
    const names = Array.from({ length: 14 }, (_, n) => `T${n}`);
    const observed = [user('go'), ...names.toReversed().map((name) => calls(name)), said('Done.')];
    const found = positions([user('go'), ...group(...names), informs()], observed);
    expect(found).toEqual([0, ...names.map((_, n) => 14 - n), 15]);
  });
});
