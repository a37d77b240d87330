import { describe, expect, it } from 'vitest';
import type { JudgeRequest } from '../../src/model/evaluator.js';
import type { JsonObject } from '../../src/util/json.js';
import { bindDocument, entryOf, gradeDocument } from '../support/grade-document.js';
import { gradeRule, gradeStepRule } from '../support/session-rule.js';
import { createLoss, createUnit } from '../support/stated-unit.js';

const informs = { actor: 'assistant', action: 'informs' };
const said = (content: string): JsonObject => ({ actor: 'assistant', content });
const calls = (target: string, more: JsonObject = {}): JsonObject => ({
  actor: 'assistant',
  action: 'calls',
  target,
  with: {},
  ...more,
});

describe('the report of a unit (contract.md §3)', () => {
  const document = `session: refund
abs_version: "0.2"
behaviors:
  - {actor: user, action: says, content: hi}
  - actor: assistant
    action: informs
    evaluations:
      - {type: contains, value: hello, title: greets, blocking: true, severity: info}
      - {type: f1, ground_truth: hello you, threshold: 0.6}
evaluations:
  - {type: never, match: {action: calls}}
`;

  it('has every key, in the words of the contract', () => {
    const unit = createUnit([{ actor: 'user', content: 'hi' }, said('hello')]);
    const report = gradeDocument(document, unit);
    const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: '0000000000000002' };
    expect(report).toEqual({
      id: '0af7651916cd43dd8448eb211c80319c',
      kind: 'trace',
      traceIds: ['0af7651916cd43dd8448eb211c80319c'],
      source: ['unit.json'],
      session: 'refund',
      document: 'case.abs.yaml',
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      row: null,
      mode: 'test',
      verdict: 'pass',
      code: null,
      conformance: 'pass',
      complete: true,
      releaseReason: 'end_of_input',
      generation: 1,
      unclassifiedMessages: 0,
      steps: [
        {
          rule: '/behaviors/0',
          line: 4,
          matched: true,
          code: null,
          optional: false,
          active: true,
          behavior: 0,
          nearest: null,
        },
        {
          rule: '/behaviors/1',
          line: 5,
          matched: true,
          code: null,
          optional: false,
          active: true,
          behavior: 1,
          nearest: null,
        },
      ],
      evaluations: [
        {
          rule: '/behaviors/1/evaluations/0',
          line: 8,
          type: 'contains',
          title: 'greets',
          verdict: 'pass',
          score: 1,
          reason: 'found "hello" in #1 assistant responds "hello"',
          code: null,
          blocking: true,
          severity: 'info',
          witness: [{ behavior: 1, ...span }],
        },
        {
          rule: '/behaviors/1/evaluations/1',
          line: 9,
          type: 'f1',
          title: null,
          verdict: 'pass',
          score: 2 / 3,
          threshold: 0.6,
          reason: 'compared with "hello you" (score 0.6667, threshold 0.6)',
          code: null,
          severity: 'warning',
          witness: [{ behavior: 1, ...span }],
        },
        {
          rule: '/evaluations/0',
          line: 11,
          type: 'never',
          title: null,
          verdict: 'pass',
          score: 1,
          reason: '`calls` was not observed',
          code: null,
          severity: 'critical',
          witness: [],
        },
      ],
      losses: [],
    });
  });

  it('is the same for the same input, however often and in whatever company', () => {
    const unit = createUnit([{ actor: 'user', content: 'hi' }, said('hello')]);
    const bound = bindDocument(document);
    expect(bound).toEqual(bindDocument(document));
    const first = gradeDocument(document, unit);
    gradeDocument(document, createUnit([calls('A')]));
    expect(gradeDocument(document, unit)).toEqual(first);
  });

  it('counts the messages whose act no step explains', () => {
    const unit = createUnit([
      said('a'),
      { actor: 'user', content: 'hi' },
      said('hello'),
      said('b'),
    ]);
    expect(gradeDocument(document, unit).unclassifiedMessages).toBe(2);
  });
});

describe('the verdict of a unit (design.md §6, semantics A23, A41)', () => {
  const grade = (rules: readonly JsonObject[], steps: readonly JsonObject[], options = {}) =>
    gradeDocument(
      JSON.stringify({ session: 's', abs_version: '0.2', behaviors: steps, evaluations: rules }),
      createUnit([said('hello')]),
      options,
    );
  const passes = { type: 'eventually', match: { actor: 'assistant' } };
  const fails = { type: 'eventually', match: { action: 'calls' } };
  const open = { type: 'never', match: { actor: 'assistant', action: 'asks' } };
  const skips = { ...fails, when: '1 == 2' };
  const other = { actor: 'assistant', action: 'calls', target: 'X' };
  const optional = { ...other, optional: true };

  it.each<[string, JsonObject[], JsonObject[], string, string]>([
    ['everything passes', [passes], [informs], 'pass', 'pass'],
    ['one rule fails', [passes, fails], [optional], 'fail', 'pass'],
    ['one rule is open', [passes, open], [optional], 'inconclusive', 'pass'],
    ['a failure outweighs an open rule', [fails, open], [optional], 'fail', 'pass'],
    ['a required step did not happen', [passes], [other], 'fail', 'fail'],
    ['no rules, and the steps happened', [], [informs], 'pass', 'pass'],
    ['no rules, and a step did not happen', [], [other], 'fail', 'fail'],
    ['a skipped rule does not count', [passes, skips], [optional], 'pass', 'pass'],
  ])('%s', (_title, rules, steps, verdict, conformance) => {
    const report = grade(rules, steps);
    expect([report.verdict, report.conformance]).toEqual([verdict, conformance]);
    expect(report.code).toBeNull();
  });

  it('a unit in which everything was skipped and nothing required is no pass', () => {
    const report = grade([skips], [optional]);
    expect([report.verdict, report.code]).toEqual(['inconclusive', 'when_false']);
    expect(grade([skips], [informs]).verdict).toBe('pass');
  });

  it('with evaluations only, conformance is told and does not count', () => {
    const report = grade([passes], [other], { evaluationsOnly: true });
    expect([report.verdict, report.conformance]).toEqual(['pass', 'fail']);
    expect(grade([], [informs], { evaluationsOnly: true }).verdict).toBe('inconclusive');
    expect(grade([skips], [informs], { evaluationsOnly: true }).code).toBe('when_false');
  });

  it('as a monitor only the rules of the session count', () => {
    const step = { ...other, evaluations: [{ type: 'tool_call' }] };
    const report = grade([passes], [step], { mode: 'monitor' });
    expect([report.verdict, report.conformance, report.mode]).toEqual(['pass', 'pass', 'monitor']);
    expect(report.evaluations.map(({ type }) => type)).toEqual(['eventually']);
    expect(report.steps[0]?.matched).toBe(false);
  });

  it('a monitor still learns acts from the steps', () => {
    const asks = {
      actor: 'assistant',
      action: 'asks',
      matches_when: { type: 'contains', value: 'h' },
    };
    expect(grade([open], [asks], { mode: 'monitor' }).verdict).toBe('fail');
  });
});

describe('what alignment tells chain rules (design.md §5, §6)', () => {
  const grade = (steps: JsonObject[], rules: JsonObject[], behaviors: JsonObject[]) =>
    gradeDocument(
      JSON.stringify({ session: 's', abs_version: '0.2', behaviors: steps, evaluations: rules }),
      createUnit(behaviors),
    ).evaluations.map(({ verdict }) => verdict);

  it('a message keeps its base act beside the act of its step', () => {
    const rules = ['asks', 'responds', 'informs'].map((action) => ({
      type: 'eventually',
      match: { actor: 'assistant', action },
    }));
    expect(grade([{ actor: 'assistant', action: 'asks' }], rules, [said('Which?')])).toEqual([
      'pass',
      'pass',
      'fail',
    ]);
  });

  it('a call that spans show is a call whatever a step calls it, a stated act stands alone', () => {
    const step = { actor: 'assistant', action: 'submits', target: 'F' };
    const rules = ['submits', 'calls'].map((action) => ({ type: 'never', match: { action } }));
    expect(grade([step], rules, [calls('F', { inferred: true })])).toEqual(['fail', 'fail']);
    expect(grade([step], rules, [calls('F')])).toEqual(['pass', 'fail']);
  });

  it('a selector may name the id of a step (semantics A51)', () => {
    const ask = (id: string, value: string) => ({
      id,
      actor: 'assistant',
      action: 'asks',
      optional: true,
      matches_when: { type: 'contains', value },
    });
    const steps = [ask('number', 'number'), ask('mail', 'mail')];
    const rules = ['number', 'mail'].map((id) => ({ type: 'never', match: { id } }));
    expect(grade(steps, rules, [said('Your mail?')])).toEqual(['pass', 'fail']);
    expect(grade(steps, rules, [said('Your mail and number?')])).toEqual(['fail', 'fail']);
  });
});

describe('rules that wait for a judge (semantics A39)', () => {
  const judged = { type: 'llm_judge', criteria: 'kind', threshold: 0.7 };

  it.each([
    [judged, 'configure one under `adapters:`'],
    [{ ...judged, adapter: 'strict' }, 'configure "strict" under `adapters:`'],
    [{ type: 'Violence' }, 'adapters:'],
    [{ type: 'Groundedness', query: 'self', context: 'self' }, 'adapters:'],
    [{ type: 'custom', id: 'mine' }, 'no evaluator is registered as "mine"'],
  ])('%o without one is inconclusive, and says what to configure', (rule, hint) => {
    const entry = gradeStepRule(rule, [informs], [said('hello')]);
    expect([entry.verdict, entry.code]).toEqual(['inconclusive', 'adapter.not_configured']);
    expect(entry.reason).toContain(hint);
  });

  const scoring = (score: number, asked: JudgeRequest[] = []) => ({
    judge: {
      answer: (request: JudgeRequest) => {
        asked.push(request);
        return { kind: 'scored', score, reason: 'so it seems' } as const;
      },
    },
  });

  it.each([
    [0.7, 'pass', null],
    [0.69, 'fail', 'evaluator.threshold_not_met'],
  ])('a score of %d against 0.7: %s', (score, verdict, code) => {
    const entry = gradeStepRule(judged, [informs], [said('hello')], scoring(score));
    expect([entry.verdict, entry.code, entry.score]).toEqual([verdict, code, score]);
  });

  it('dimensions ask with the content of the steps they refer to', () => {
    const steps = [
      { id: 'ask', actor: 'user', action: 'asks' },
      { id: 'look', actor: 'assistant', action: 'calls', target: 'DB' },
      { actor: 'tool', action: 'responds', target: 'DB' },
      informs,
    ];
    const behaviors = [
      { actor: 'user', content: 'Where is it?' },
      calls('DB', { callId: 'c' }),
      { actor: 'tool', action: 'responds', target: 'DB', content: { at: 'home' }, callId: 'c' },
      said('At home.'),
    ];
    const rule = { type: 'Groundedness', query: 'ask', context: 'look.responds' };
    const asked: JudgeRequest[] = [];
    expect(gradeStepRule(rule, steps, behaviors, scoring(1, asked)).verdict).toBe('pass');
    expect(asked).toMatchObject([
      {
        type: 'Groundedness',
        query: 'Where is it?',
        context: '{"at":"home"}',
        response: 'At home.',
      },
    ]);
    const older = { type: 'Groundedness', query: 'user', context: 'tool.responds' };
    expect(gradeStepRule(older, steps, behaviors, scoring(1, asked)).verdict).toBe('pass');
    expect(asked[1]).toMatchObject({ query: 'Where is it?', context: '{"at":"home"}' });
  });

  it.each([
    [{ type: 'Relevance' }, 'needs `query`'],
    [{ type: 'Relevance', query: 'ghost' }, 'names "ghost"'],
  ])('%o lacks its input', (rule, reason) => {
    const entry = gradeStepRule(rule, [informs], [said('hello')], scoring(1));
    expect([entry.verdict, entry.code]).toEqual(['inconclusive', 'evaluator.missing_input']);
    expect(entry.reason).toContain(reason);
  });

  it('content that is hidden is not judged', () => {
    const hidden = { actor: 'assistant', contentState: 'redacted' };
    const entry = gradeStepRule(judged, [informs], [hidden], scoring(1));
    expect([entry.verdict, entry.code]).toEqual(['inconclusive', 'evidence_redacted']);
  });

  it('an answer that did not come is inconclusive with its reason', () => {
    const judge = {
      answer: () =>
        ({ kind: 'unanswered', code: 'budget_exhausted', reason: 'the budget is spent' }) as const,
    };
    const entry = gradeStepRule(judged, [informs], [said('hello')], { judge });
    expect([entry.verdict, entry.code, entry.score]).toEqual([
      'inconclusive',
      'budget_exhausted',
      null,
    ]);
  });

  it('a registered custom evaluator sees the rule and the Behaviors', () => {
    const plugins = {
      answer: ({ fields, behaviors }: { fields: JsonObject; behaviors: readonly unknown[] }) =>
        ({
          kind: 'scored',
          score: fields.least === behaviors.length ? 1 : 0,
          reason: 'x',
        }) as const,
    };
    const rule = { type: 'custom', id: 'mine', least: 1 };
    expect(gradeStepRule(rule, [informs], [said('hello')], { plugins }).verdict).toBe('pass');
  });
});

describe('reference metrics in a session', () => {
  it('compare with the declared content, with a step, or with the text itself', () => {
    const steps = [
      { id: 'facts', actor: 'tool', action: 'responds', target: 'DB' },
      { ...informs, content: 'all is well' },
    ];
    const behaviors = [
      { actor: 'tool', action: 'responds', target: 'DB', content: 'the cat' },
      said('all is well'),
    ];
    const score = (rule: JsonObject) => gradeStepRule(rule, steps, behaviors).score;
    expect(score({ type: 'f1', ground_truth: 'self' })).toBe(1);
    expect(score({ type: 'f1', ground_truth: 'facts' })).toBe(0);
    expect(score({ type: 'f1', ground_truth: 'the cat', response: 'facts.responds' })).toBe(1);
    expect(
      score({ type: 'rouge', variant: 'rouge1', metric: 'recall', ground_truth: 'all is not so' }),
    ).toBe(0.5);
  });

  it('need a text to compare with', () => {
    const rule = { type: 'f1', ground_truth: 'self' };
    expect(gradeStepRule(rule, [informs], [said('hello')]).code).toBe('evaluator.missing_input');
    const ghost = { type: 'f1', ground_truth: 'x', response: 'ghost' };
    expect(gradeStepRule(ghost, [informs], [said('hello')]).code).toBe('evaluator.missing_input');
  });
});

describe('tool_call on a step', () => {
  const rule = { type: 'tool_call' };
  const a = { actor: 'assistant', action: 'calls', target: 'A' };
  const b = { ...a, target: 'B' };

  it('stands for the group of consecutive calls that ends there', () => {
    expect(gradeStepRule(rule, [a, b], [calls('A'), calls('B')]).verdict).toBe('pass');
    expect(gradeStepRule(rule, [a, b], [calls('B')]).reason).toContain('the call of "A"');
    const between = { actor: 'tool', action: 'responds', target: 'A' };
    expect(gradeStepRule(rule, [a, between, b], [calls('B')]).verdict).toBe('pass');
    expect(gradeStepRule(rule, [{ ...a, optional: true }, b], [calls('B')]).verdict).toBe('pass');
  });

  it('its own arguments may be those of any call of the turn (T02)', () => {
    const wants = { type: 'tool_call', with: { id: 2 } };
    const both = [calls('A', { with: { id: 1 } }), calls('A', { with: { id: 2 } })];
    expect(gradeStepRule(wants, [a], both).verdict).toBe('pass');
    const later = [both[0] ?? {}, { actor: 'user', content: 'no, 2' }, both[1] ?? {}];
    expect(gradeStepRule(wants, [a], later).verdict).toBe('fail');
  });

  it('takes with_only of the step, and its own instead', () => {
    const strict = { ...a, with_only: { id: 1 } };
    expect(gradeStepRule(rule, [strict], [calls('A', { with: { id: 1 } })]).verdict).toBe('pass');
    const own = { type: 'tool_call', with: {} };
    expect(gradeStepRule(own, [a], [calls('A', { with: { x: 1 } })]).verdict).toBe('pass');
  });
});

describe('an evaluator that breaks', () => {
  it('loses its own rule alone, and the unit is not passed', () => {
    const judge = {
      answer: () => {
        throw new Error('no such model');
      },
    };
    const document = `session: s
abs_version: "0.2"
behaviors:
  - actor: assistant
    action: informs
    evaluations:
      - {type: llm_judge, criteria: kind}
      - {type: none_of, evaluations: [{type: llm_judge, criteria: rude}]}
      - {type: contains, value: hello}
`;
    const report = gradeDocument(document, createUnit([said('hello')]), { judge });
    expect(report.evaluations.map(({ verdict, code }) => [verdict, code])).toEqual([
      ['error', 'evaluator.error'],
      ['inconclusive', 'evaluator.error'],
      ['error', 'evaluator.error'],
      ['pass', null],
    ]);
    expect(report.evaluations[0]?.reason).toContain('no such model');
    expect(report.verdict).toBe('inconclusive');
  });
});

describe('when (semantics A42)', () => {
  const rule = (when: string) => ({ type: 'never', match: { action: 'calls' }, when });

  it('skips a rule that does not apply, and tells an unknown column from a false condition', () => {
    const row = { tier: 'gold' };
    const grade = (when: string) => {
      const document = JSON.stringify({
        session: 's',
        abs_version: '0.2',
        dataset: { id: 'd', path: 'd.jsonl' },
        behaviors: [{ ...informs, optional: true }],
        evaluations: [rule(when)],
      });
      return entryOf(gradeDocument(document, createUnit([calls('A')]), { row }), '/evaluations/0');
    };
    expect(grade('{{d.tier}} == "gold"').verdict).toBe('fail');
    expect(grade('{{d.tier}} == "iron"')).toMatchObject({
      verdict: 'skipped',
      code: 'when_false',
      score: null,
    });
    const unknown = grade('{{d.teir}} == "iron"');
    expect(unknown).toMatchObject({ verdict: 'skipped', code: 'when_unknown_column' });
    expect(unknown.reason).toContain('d.teir');
  });
});

describe('losses', () => {
  it('are handed on, and the unit is as complete as its spans say', () => {
    const losses = [createLoss('span_rejected')];
    const unit = createUnit([said('hello')], { complete: false, losses });
    const document = JSON.stringify({ session: 's', abs_version: '0.2', behaviors: [informs] });
    expect(gradeDocument(document, unit)).toMatchObject({ complete: false, losses });
  });

  it('a unit that is not complete for no stated reason is not trusted either', () => {
    const rule = { type: 'never', match: { action: 'calls' } };
    const unit = createUnit([said('hello')], { complete: false });
    expect(gradeRule(rule, unit).code).toBe('trace_incomplete');
  });
});
