import { describe, expect, it } from 'vitest';
import {
  check,
  document,
  errorsOf,
  parse,
  parseOne,
  plain,
  warningsOf,
  withRule,
  withStep,
} from './support.js';

describe('malformed rules are errors before grading (semantics decision 5, A49)', () => {
  it.each([
    ['{type: exact_match}', '6:5 missing-key'],
    ['{type: contains}', '6:5 missing-key'],
    ['{type: regex}', '6:5 missing-key'],
    ['{type: schema}', '6:5 missing-key'],
    ['{type: sequence}', '6:5 missing-key'],
    ['{type: eventually}', '6:5 missing-key'],
    ['{type: never}', '6:5 missing-key'],
    ['{type: count}', '6:5 missing-key'],
    ['{type: within, match: {actor: user}, max_steps: 1}', '6:5 missing-key'],
    ['{type: variable_consistency}', '6:5 missing-key'],
    ['{type: expected}', '6:5 missing-key'],
    ['{type: all_of}', '6:5 missing-key'],
    ['{type: any_of}', '6:5 missing-key'],
    ['{type: none_of}', '6:5 missing-key'],
    ['{type: llm_judge}', '6:5 missing-key'],
    ['{type: custom}', '6:5 missing-key'],
    ['{type: f1}', '6:5 missing-key'],
    ['{type: bleu}', '6:5 missing-key'],
    ['{type: rouge}', '6:5 missing-key'],
    ['{criteria: x}', '6:5 missing-key'],
  ])('a missing operand: %s', (rule, expected) => {
    expect(errorsOf(parse(withRule(rule)).problems)).toEqual([expected]);
  });

  it.each([
    '{type: count, match: {action: calls}, min: 3, max: 1}',
    '{type: within, after: {actor: user}, match: {actor: user}, max_steps: 0}',
    '{type: within, after: {actor: user}, match: {actor: user}}',
    '{type: regex, pattern: "(["}',
    '{type: regex, pattern: "(?=x)"}',
    '{type: schema, schema: {type: nonsense}}',
    '{type: rouge, ground_truth: x, variant: rougeQ}',
    '{type: rouge, ground_truth: x, metric: accuracy}',
    '{type: expected, behavior: ghost}',
    '{type: variable_consistency, variable: ghost}',
  ])('a value that cannot be meant: %s', (rule) => {
    expect(errorsOf(parse(withRule(rule)).problems)).toHaveLength(1);
  });

  it('a rule inside a composition is checked like any other', () => {
    const { problems } = parse(
      withRule('{type: all_of, evaluations: [{type: never}, {type: regex, pattern: "(["}]}'),
    );
    expect(errorsOf(problems)).toEqual(['6:34 missing-key', '6:49 bad-pattern']);
  });

  it('composed rules keep their pointers', () => {
    const session = parseOne(
      withRule(
        '{type: none_of, evaluations: [{type: any_of, evaluations: [{type: never, match: {action: calls}}]}]}',
      ),
    );
    const outer = session.evaluations[0];
    expect(outer?.fields).not.toHaveProperty('evaluations');
    expect(outer?.children[0]?.rule).toBe('/evaluations/0/evaluations/0');
    expect(outer?.children[0]?.children[0]?.rule).toBe(
      '/evaluations/0/evaluations/0/evaluations/0',
    );
  });

  it("A49: Retrial's own keys with an unknown value are warned of and ignored", () => {
    const text = withRule(
      '{type: sequence, order: [{actor: user}], title: [1], severity: high, strict_order: maybe}',
    );
    const { sessions, problems } = parse(text);
    expect(errorsOf(problems)).toEqual([]);
    expect(warningsOf(problems)).toEqual([
      '6:53 own-key-ignored',
      '6:68 own-key-ignored',
      '6:88 own-key-ignored',
    ]);
    const rule = sessions[0]?.evaluations[0];
    expect([rule?.title, rule?.severity]).toEqual([null, null]);
    expect(plain(rule?.fields)).toEqual({ type: 'sequence', order: [{ actor: 'user' }] });
  });

  it('common keys are read', () => {
    const session = parseOne(
      withRule(
        '{type: llm_judge, criteria: kind, title: Kind, severity: info, threshold: 0.8, blocking: true, when: "{{a}} == 1", adapter: haiku}',
      ),
    );
    expect(session.evaluations[0]).toMatchObject({
      title: 'Kind',
      severity: 'info',
      threshold: 0.8,
      blocking: true,
      when: '{{a}} == 1',
      adapter: 'haiku',
    });
  });
});

describe('ids (statements 83, 88, semantics A26, A28)', () => {
  const steps = (second: string) =>
    document(`behaviors:\n  - {id: a, actor: user, action: says}\n  - ${second}\n`);

  it('statement 83: requires names an id', () => {
    const { problems } = parse(
      document(
        'behaviors:\n  - {id: ask, actor: user, action: says}\n  - {actor: assistant, action: asks, requires: aks}\n',
      ),
    );
    expect(errorsOf(problems)).toEqual(['5:48 unknown-id']);
    expect(problems[0]?.hint).toBe('did you mean "ask"?');
  });

  it('A26: requires names an earlier behavior, not itself and not a later one', () => {
    expect(
      errorsOf(parse(steps('{id: b, actor: assistant, action: asks, requires: b}')).problems),
    ).toEqual(['5:55 forward-requires']);
    const forward = document(
      'behaviors:\n  - {id: a, actor: user, action: says, requires: b}\n  - {id: b, actor: user, action: says, requires: a}\n',
    );
    expect(errorsOf(parse(forward).problems)).toEqual(['4:50 forward-requires']);
  });

  it('statement 82: requires between behaviors that are not optional is valid', () => {
    expect(
      errorsOf(parse(steps('{actor: assistant, action: asks, requires: a}')).problems),
    ).toEqual([]);
  });

  const sequence = (order: string) =>
    document(
      `behaviors:\n  - {actor: user, action: says}\n  - {id: o, actor: assistant, action: asks, optional: true}\n  - {id: r, actor: assistant, action: informs}\n  - {actor: assistant, action: submits, target: X, optional: true}\nevaluations:\n  - {type: sequence, order: [{actor: user}, ${order}]}\n`,
    );

  it.each(['{action: asks}', '{id: o}', '{action: submits}', '{action: calls, target: X}'])(
    'statement 88: a sequence that waits for an optional behavior only is an error: %s',
    (selector) => {
      expect(errorsOf(parse(sequence(selector)).problems)).toEqual(['9:45 optional-in-sequence']);
    },
  );

  it('A28: a selector that may also name a required behavior is warned of', () => {
    const { problems } = parse(sequence('{actor: assistant, action: responds}'));
    expect(errorsOf(problems)).toEqual([]);
    expect(warningsOf(problems)).toEqual(['9:45 perhaps-optional']);
  });

  it('A28: a selector that names a required behavior, or nothing declared, is valid', () => {
    expect(errorsOf(parse(sequence('{id: r}')).problems)).toEqual([]);
    expect(errorsOf(parse(sequence('{action: hands_off}')).problems)).toEqual([]);
  });

  it('A20: a variable that is captured or used satisfies variable_consistency', () => {
    const rule = 'evaluations:\n  - {type: variable_consistency, variable: id}\n';
    const used = document(
      `behaviors:\n  - {actor: user, action: says, content: "{{id}}"}\n${rule}`,
    );
    const captured = document(
      `behaviors:\n  - {actor: user, action: says, capture: {id: 1}}\n${rule}`,
    );
    expect(errorsOf(parse(used).problems)).toEqual([]);
    expect(warningsOf(parse(used).problems)).toEqual([]);
    expect(warningsOf(parse(captured).problems)).toEqual(['6:44 capture-unused']);
  });

  it('A20: a variable name of any length is answered at once', () => {
    const name = `{{${' '.repeat(200_000)}x`;
    const text = document(
      `behaviors:\n  - {actor: user, action: says}\nevaluations:\n  - {type: variable_consistency, variable: "${name}"}\n`,
    );
    const before = performance.now();
    expect(errorsOf(parse(text).problems)).toEqual(['6:44 unknown-variable']);
    expect(performance.now() - before).toBeLessThan(5000);
  });

  it('A20: a variable with braces is told to lose them', () => {
    const { problems } = parse(
      document(
        'behaviors:\n  - {actor: user, action: says, capture: {id: 1}, content: "{{id}}"}\nevaluations:\n  - {type: variable_consistency, variable: "{{id}}"}\n',
      ),
    );
    expect(errorsOf(problems)).toEqual(['6:44 unknown-variable']);
    expect(problems[0]?.hint).toBe('write the name without braces: variable: id');
  });
});

describe('patterns in behaviors (semantics A27, A31)', () => {
  it('a pattern that cannot be compiled is an error at its place', () => {
    const { problems } = parse(
      withStep('{actor: assistant, action: asks, matches_when: {type: regex, pattern: "ab(?=c)"}}'),
    );
    expect(errorsOf(problems)).toEqual(['5:78 bad-pattern']);
    expect(problems[0]?.message).toBe('lookaround is not supported: (?=');
  });

  it('a capture with a pattern has exactly one group; path is a JSON pointer', () => {
    const step = (capture: string) =>
      withStep(`{actor: tool, action: responds, capture: {id: ${capture}}}`);
    expect(parseOne(step('{pattern: "R-([0-9]+)"}')).steps[1]?.capture).toEqual([
      { kind: 'pattern', name: 'id', pattern: 'R-([0-9]+)' },
    ]);
    expect(parseOne(step('{path: /order/id}')).steps[1]?.capture).toEqual([
      { kind: 'path', name: 'id', path: '/order/id' },
    ]);
    expect(plain(parseOne(step('{a: 1, path: x}')).steps[1]?.capture[0] as never)).toEqual({
      kind: 'literal',
      name: 'id',
      value: { a: 1, path: 'x' },
    });
    expect(errorsOf(parse(step('{pattern: "R-[0-9]+"}')).problems)).toEqual(['5:61 bad-capture']);
    expect(errorsOf(parse(step('{pattern: "(R)-([0-9]+)"}')).problems)).toEqual([
      '5:61 bad-capture',
    ]);
    expect(errorsOf(parse(step('{path: order}')).problems)).toEqual(['5:58 bad-capture']);
    expect(errorsOf(parse(step('{pattern: "(["}')).problems)).toEqual(['5:63 bad-pattern']);
  });

  it('A18: a captured name that no reference can have is an error', () => {
    expect(
      errorsOf(parse(withStep('{actor: tool, action: responds, capture: {order id: 1}}')).problems),
    ).toEqual(['5:47 bad-capture']);
  });
});

describe('lint', () => {
  const problemsOf = (text: string, code: string) =>
    check(text).filter((problem) => problem.code === code);

  it('a word close to the vocabulary is told, with what is meant', () => {
    const [problem] = problemsOf(
      withStep('{actor: assistant, action: respnds, content: x}'),
      'misspelt-word',
    );
    expect(problem).toMatchObject({
      position: { line: 5, column: 32 },
      hint: 'did you mean "responds"?',
      severity: 'warning',
    });
  });

  it('a selector that nothing can fit is a warning on rules that wait', () => {
    expect(
      warningsOf(
        check(
          withRule('{type: eventually, match: {actor: assistant, action: calls, target: Refunds}}'),
        ),
      ),
    ).toEqual(['6:31 never-declared']);
    expect(warningsOf(check(withRule('{type: eventually, match: {actor: robot}}')))).toEqual([
      '6:39 never-declared',
    ]);
    expect(
      warningsOf(check(withRule('{type: never, match: {actor: assistant, action: hands_off}}'))),
    ).toEqual([]);
  });

  it('a near miss of a declared target is a warning, in never too', () => {
    const text = document(
      'behaviors:\n  - {actor: assistant, action: calls, target: Refund API}\nevaluations:\n  - {type: never, match: {action: calls, target: Refund APl}}\n',
    );
    expect(warningsOf(check(text))).toEqual(['6:50 misspelt-word']);
  });

  it('a misspelt key of an evaluation is a warning; it still goes to adapters', () => {
    const problems = check(withRule('{type: llm_judge, criteria: x, treshold: 0.9}'));
    expect(warningsOf(problems)).toEqual(['6:36 misspelt-key']);
    expect(errorsOf(problems)).toEqual([]);
  });

  it('a threshold on a rule that does not score is a warning', () => {
    expect(
      warningsOf(check(withRule('{type: never, match: {action: hands_off}, threshold: 0.9}'))),
    ).toEqual(['6:58 threshold-ignored']);
  });

  it('vacuous rules are warned of', () => {
    for (const rule of [
      '{type: count, match: {actor: user}}',
      '{type: sequence, order: []}',
      '{type: all_of, evaluations: []}',
      '{type: any_of, evaluations: []}',
      '{type: none_of, evaluations: []}',
    ]) {
      const problems = check(withRule(rule));
      expect(errorsOf(problems)).toEqual([]);
      expect(warningsOf(problems)).toHaveLength(1);
    }
  });

  it('a session in which nothing can fail is warned of', () => {
    const text = document('behaviors:\n  - {actor: user, action: says, optional: true}\n');
    expect(warningsOf(check(text))).toEqual(['1:1 nothing-to-fail']);
  });

  it('an alerting rule that only the end decides is told', () => {
    const late = (rule: string) => problemsOf(withRule(rule), 'decided-late').length;
    expect(late('{type: eventually, match: {actor: user}, severity: critical}')).toBe(1);
    expect(late('{type: count, match: {actor: user}, min: 1, severity: critical}')).toBe(1);
    expect(late('{type: count, match: {actor: user}, max: 1, severity: critical}')).toBe(0);
    expect(late('{type: never, match: {action: calls}, severity: critical}')).toBe(0);
  });

  it("every extension is flagged as Retrial's own", () => {
    const text = document(
      'behaviors:\n  - {id: a, actor: user, action: says, capture: {x: {path: /x}}}\nevaluations:\n  - {type: sequence, order: [{id: a}], strict_order: true, title: T, severity: info}\n  - {type: within, after: {actor: user}, match: {actor: user}, max_duration: 30s, every: true}\n',
    );
    const told = problemsOf(text, 'extension').map(({ message, severity }) => [
      severity,
      message.split(' is ')[0],
    ]);
    expect(told).toEqual([
      ['info', 'capture with a path'],
      ['info', '"id" in a selector'],
      ['info', '"strict_order"'],
      ['info', '"title"'],
      ['info', '"severity"'],
      ['info', '"max_duration"'],
      ['info', '"every"'],
    ]);
  });

  it('statement 86: matches_when by a judge is warned of', () => {
    expect(
      warningsOf(
        check(
          withStep(
            '{actor: assistant, action: asks, matches_when: {type: llm_judge, criteria: x}}',
          ),
        ),
      ),
    ).toEqual(['5:52 no-judge']);
  });

  it('a reference before its capture, a misspelt one, and one that a run must give', () => {
    const text = document(
      'dataset: {id: d, path: d.json}\nbehaviors:\n  - {actor: user, action: says, content: "{{later}} {{d.x}} {{ticket}}", capture: {orderId: 1}}\n  - {actor: assistant, action: informs, content: "{{ordreId}}", capture: {later: 2}}\n',
    );
    const told = check(text).map(
      ({ code, position }) => `${position?.line}:${position?.column} ${code}`,
    );
    expect(told).toEqual(['5:43 reference-too-early', '5:61 needs-variable', '6:51 misspelt-word']);
  });

  it('references in names are warned of', () => {
    expect(warningsOf(check(withStep('{actor: assistant, action: "{{a}}"}')))).toEqual([
      '5:32 reference-ignored',
      '5:32 custom-action',
    ]);
  });

  it('a file of nothing but faults tells a thousand of them and says that there are more', () => {
    const { problems, sessions } = parse(
      document(`behaviors:\n${'  - {actor: user, akshun: x}\n'.repeat(3000)}`),
    );
    expect(sessions).toEqual([]);
    expect(problems).toHaveLength(1001);
    expect(problems.filter(({ code }) => code === 'too-many-problems')).toMatchObject([
      { severity: 'error', message: 'there are more than 1000 errors; the rest is not told' },
    ]);
  });

  it('a source line of megabytes is left out of the problem', () => {
    const [problem] = check(
      withStep(`{actor: user, action: says, x: 1, content: "${'x'.repeat(1_000_000)}"}`),
    );
    expect(problem).toMatchObject({ code: 'unknown-key', position: { line: 5 } });
    expect(problem).not.toHaveProperty('frame');
  });

  it('every problem has a place, a source line and a hint', () => {
    const texts = [
      withRule('{type: never}'),
      withStep('{actor: user}'),
      withRule('{type: regex, pattern: "(["}'),
      'session: [\n',
      withRule('{type: never, match: {action: calls}, when: "("}'),
    ];
    for (const problem of texts.flatMap((text) => check(text))) {
      expect(problem).toMatchObject({
        position: { file: 'test.abs.yaml', line: expect.any(Number), column: expect.any(Number) },
      });
      expect(problem.hint?.length).toBeGreaterThan(3);
      expect(problem.frame).toBeDefined();
    }
  });
});
