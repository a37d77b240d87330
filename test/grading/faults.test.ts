import { describe, expect, it } from 'vitest';
import { parseAbs } from '../../src/documents/abs/parse.js';
import { evaluators } from '../../src/evaluators/index.js';
import type { JsonObject } from '../../src/util/json.js';
import { entryOf, gradeDocument } from '../support/grade-document.js';
import { gradeRule, gradeStepRule } from '../support/session-rule.js';
import { createUnit } from '../support/stated-unit.js';

const user = (content: string): JsonObject => ({ actor: 'user', content });
const said = (content: string): JsonObject => ({ actor: 'assistant', content });
const calls = (target: string, more: JsonObject = {}): JsonObject => ({
  actor: 'assistant',
  action: 'calls',
  target,
  with: {},
  ...more,
});
const responds = (target: string, content: JsonObject[string], more: JsonObject = {}) => ({
  actor: 'tool',
  action: 'responds',
  target,
  content,
  ...more,
});

function grade(body: string, behaviors: readonly JsonObject[], options = {}) {
  return gradeDocument(`session: s\nabs_version: "0.2"\n${body}`, createUnit(behaviors), options);
}

function verdicts(...args: Parameters<typeof grade>) {
  return grade(...args).evaluations.map(({ verdict }) => verdict);
}

describe('faults of the reference implementation are not repeated (semantics part 4)', () => {
  it('B1: the values of the row reach `when`', () => {
    const body = `dataset: {id: d, path: d.jsonl}
behaviors: [{actor: assistant, action: informs, optional: true}]
evaluations: [{type: never, match: {action: calls}, when: "{{d.strict}} == true"}]
`;
    expect(verdicts(body, [calls('A')], { row: { strict: true } })).toEqual(['fail']);
    expect(verdicts(body, [calls('A')], { row: { strict: false } })).toEqual(['skipped']);
  });

  it('B2: a Behavior that no step declares, or an optional step, shifts nothing', () => {
    const body = `behaviors:
  - {actor: user, action: says}
  - {actor: assistant, action: asks, optional: true, matches_when: {type: contains, value: number}}
  - {actor: assistant, action: calls, target: B, evaluations: [{type: tool_call}]}
  - {actor: assistant, action: informs, evaluations: [{type: contains, value: done}]}
`;
    const behaviors = [user('hi'), calls('Auth'), calls('A'), calls('B'), said('done')];
    expect(verdicts(body, behaviors)).toEqual(['pass', 'pass']);
  });

  it('B3: text beside calls, and calls after results, are there', () => {
    const body = `behaviors:
  - {actor: assistant, action: informs, evaluations: [{type: contains, value: check}]}
  - {actor: assistant, action: calls, target: A}
  - {actor: tool, action: responds, target: A}
  - {actor: assistant, action: calls, target: B, evaluations: [{type: tool_call}]}
`;
    const behaviors = [said('Let me check'), calls('A'), responds('A', 1), calls('B')];
    expect(verdicts(body, behaviors)).toEqual(['pass', 'pass']);
  });

  it('B4: evaluations on tool and user steps run, on what was observed', () => {
    const body = `behaviors:
  - {actor: user, action: says, evaluations: [{type: contains, value: please}]}
  - {actor: tool, action: responds, target: A, evaluations: [{type: schema, schema: {required: [eta]}}]}
`;
    const behaviors = [user('now'), calls('A'), responds('A', { status: 'ok' })];
    expect(verdicts(body, behaviors)).toEqual(['fail', 'fail']);
  });

  it('B5: composition sees content, `expected`, `when`, blocking and judges', () => {
    const body = `behaviors:
  - id: tell
    actor: assistant
    action: informs
    evaluations:
      - {type: none_of, evaluations: [{type: contains, value: secret}]}
      - {type: all_of, evaluations: [{type: contains, value: nothing, when: "1 == 2"}, {type: contains, value: secret}]}
evaluations:
  - {type: all_of, evaluations: [{type: expected, behavior: tell}]}
  - {type: any_of, evaluations: [{type: llm_judge, criteria: kind}, {type: never, match: {action: calls}}]}
`;
    const top = grade(body, [said('the secret')]).evaluations.filter(({ nested }) => !nested);
    expect(top.map(({ verdict }) => verdict)).toEqual(['fail', 'pass', 'pass', 'pass']);
  });

  it('B6: variable_consistency reads the trace', () => {
    const body = `behaviors:
  - {actor: user, action: says, capture: {id: "1"}}
  - {actor: assistant, action: calls, target: A, with: {id: "{{id}}"}}
evaluations: [{type: variable_consistency, variable: id}]
`;
    expect(verdicts(body, [user('1'), calls('A', { with: { id: '2' } })])).toEqual(['fail']);
    expect(verdicts(body, [user('1'), calls('A', { with: { id: '1' } })])).toEqual(['pass']);
  });

  it('B7: user turns and tool responses are seen by chain rules', () => {
    const sequence = {
      type: 'sequence',
      order: [{ actor: 'user' }, { action: 'calls' }, { actor: 'tool' }, { actor: 'assistant' }],
    };
    const behaviors = [user('hi'), calls('A'), responds('A', 1), said('done')];
    expect(gradeRule(sequence, behaviors).verdict).toBe('pass');
    const within = {
      type: 'within',
      after: { actor: 'user' },
      match: { actor: 'tool' },
      max_steps: 2,
    };
    expect(gradeRule(within, behaviors).verdict).toBe('pass');
  });

  it('B8: `expected` works after a user turn, and on a user turn', () => {
    const body = `behaviors:
  - {id: hello, actor: user, action: says, content: hi}
  - {id: reply, actor: assistant, action: informs}
evaluations:
  - {type: expected, behavior: reply, after: {actor: user}}
  - {type: expected, behavior: hello}
  - {type: expected, behavior: hello, after: {actor: assistant}, reason: the agent speaks first}
`;
    const report = grade(body, [user('hi'), said('hello')]);
    expect(report.evaluations.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'fail']);
    expect(report.evaluations[2]?.reason).toMatch(/^the agent speaks first \(/);
    expect(report.evaluations[2]?.nearest).toMatchObject({ behavior: 1, failed: 'order' });
  });

  it('B9: blocking reaches what depends on the failure, and nothing else', () => {
    const body = `behaviors:
  - actor: assistant
    action: informs
    evaluations:
      - {type: all_of, blocking: true, evaluations: [{type: contains, value: aaa}]}
      - {type: llm_judge, criteria: kind}
      - {type: contains, value: bbb}
  - {actor: user, action: says}
  - {actor: assistant, action: informs, evaluations: [{type: contains, value: ccc}]}
evaluations: [{type: eventually, match: {action: calls}}]
`;
    const entries = grade(body, [said('x'), user('y'), said('z')]).evaluations;
    const top = entries.filter(({ nested }) => !nested);
    expect(top.map(({ code, verdict }) => code ?? verdict)).toEqual([
      'fail',
      'adapter.not_configured',
      'blocked_by',
      'fail',
      'fail',
    ]);
  });

  it('B10: schema is JSON Schema', () => {
    const schema = {
      type: 'array',
      minItems: 2,
      items: { oneOf: [{ const: 1 }, { type: 'null' }] },
    };
    const rule = { type: 'schema', schema };
    const step = { actor: 'tool', action: 'responds', target: 'A' };
    expect(gradeStepRule(rule, [step], [responds('A', [1, null])]).verdict).toBe('pass');
    expect(gradeStepRule(rule, [step], [responds('A', [1, 2])]).verdict).toBe('fail');
    expect(gradeStepRule(rule, [step], [responds('A', [1])]).verdict).toBe('fail');
  });

  it('B11: tool_call takes target and arguments from its step, knows ordered and with_only', () => {
    const step = { actor: 'assistant', action: 'calls', target: 'A', with_only: { id: 1 } };
    const rule = { type: 'tool_call' };
    expect(gradeStepRule(rule, [step], [calls('B', { with: { id: 1 } })]).verdict).toBe('fail');
    expect(gradeStepRule(rule, [step], [calls('A', { with: { id: 1, x: 2 } })]).verdict).toBe(
      'fail',
    );
    expect(gradeStepRule(rule, [step], [calls('A', { with: { id: 1 } })]).verdict).toBe('pass');
  });

  it('B12: a malformed rule is found before grading, with its line, and other sessions stand', () => {
    const text = `session: a
behaviors:
  - {actor: assistant, action: informs, evaluations: [{type: regex, pattern: "(["}]}
---
session: b
behaviors: [{actor: assistant, action: informs}]
`;
    const { sessions, problems } = parseAbs(text, 's.abs.yaml', evaluators);
    expect(sessions.map(({ name }) => name)).toEqual(['b']);
    const error = problems.find(({ severity }) => severity === 'error');
    expect(error?.position?.line).toBe(3);
  });

  it('B24: with_only of a fragment stays a strict check', () => {
    const body = `fragments:
  pay: [{actor: assistant, action: calls, target: Pay, with_only: {amount: 5}}]
behaviors: [{include: pay}]
`;
    expect(grade(body, [calls('Pay', { with: { amount: 5, tip: 9 } })]).verdict).toBe('fail');
    expect(grade(body, [calls('Pay', { with: { amount: 5 } })]).verdict).toBe('pass');
  });

  it('B26: references in rules are resolved, also at session level', () => {
    const body = `behaviors:
  - {actor: user, action: says, capture: {id: "77"}}
  - {actor: assistant, action: informs, evaluations: [{type: contains, value: "order {{id}}"}]}
evaluations: [{type: tool_call, target: A, with: {id: "{{id}}"}}]
`;
    const behaviors = [user('77'), calls('A', { with: { id: '77' } }), said('order 77')];
    expect(verdicts(body, behaviors)).toEqual(['pass', 'pass']);
  });

  it('B30: a session without rules in which nothing happened is no pass', () => {
    expect(grade('behaviors: [{actor: assistant, action: informs}]\n', []).verdict).toBe('fail');
  });

  it('B32: two parallel calls, each with the response to it', () => {
    const body = `behaviors:
  - {actor: assistant, action: calls, target: A}
  - {actor: assistant, action: calls, target: B}
  - {actor: tool, action: responds, target: A, evaluations: [{type: exact_match, value: a}]}
  - {actor: tool, action: responds, target: B, evaluations: [{type: exact_match, value: b}]}
`;
    const behaviors = [
      calls('A', { callId: '1', parallel: true, step: 0 }),
      calls('B', { callId: '2', parallel: true, step: 0 }),
      responds('A', 'a', { callId: '1' }),
      responds('B', 'b', { callId: '2' }),
    ];
    expect(verdicts(body, behaviors)).toEqual(['pass', 'pass']);
  });

  it('B34: a question can be forbidden by the id of its step while another is asked', () => {
    const body = `behaviors:
  - {id: ask_id, actor: assistant, action: asks, optional: true, matches_when: {type: contains, value: order id}}
  - {id: ask_mail, actor: assistant, action: asks, optional: true, matches_when: {type: contains, value: mail}}
evaluations:
  - {type: never, match: {id: ask_mail}}
  - {type: expected, behavior: ask_id}
`;
    expect(verdicts(body, [said('Your order ID, please?')])).toEqual(['pass', 'pass']);
    expect(verdicts(body, [said('Your order ID and mail?')])).toEqual(['fail', 'pass']);
  });

  it('O12, O13: conformance is told beside the rules', () => {
    const body = `behaviors:
  - {actor: assistant, action: calls, target: A}
evaluations: [{type: never, match: {action: hands_off}}]
`;
    const report = grade(body, [calls('B')]);
    expect(entryOf(report, '/evaluations/0').verdict).toBe('pass');
    expect([report.conformance, report.verdict]).toEqual(['fail', 'fail']);
  });
});
