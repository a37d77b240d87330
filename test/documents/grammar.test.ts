import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  check,
  document,
  errorsOf,
  oneStep,
  parse,
  parseOne,
  plain,
  warningsOf,
  withRule,
  withStep,
} from './support.js';

const codes = (text: string): string[] => parse(text).problems.map(({ code }) => code);

describe('a document (semantics 1.1)', () => {
  it('statement 1: YAML and JSON give the same session', () => {
    const yaml = parseOne('session: s\nbehaviors:\n  - {actor: user, action: says, content: hi}\n');
    const json = parseOne(
      '{"session":"s","behaviors":[{"actor":"user","action":"says","content":"hi"}]}',
    );
    expect([yaml.name, yaml.steps[0]?.content]).toEqual(['s', 'hi']);
    expect([json.name, json.steps[0]?.content]).toEqual(['s', 'hi']);
  });

  it('statement 1: JSON indented with tabs is read', () => {
    const text =
      '{\n\t"session": "s",\n\t"behaviors": [\n\t\t{"actor": "user", "action": "says"}\n\t]\n}\n';
    expect(parseOne(text).steps).toHaveLength(1);
  });

  it('statement 3: session is required', () => {
    expect(errorsOf(parse(oneStep).problems)).toEqual(['1:1 missing-key']);
  });

  it('statement 3: session is a text; a number is told to be quoted', () => {
    const { problems } = parse(`session: 12\n${oneStep}`);
    expect(errorsOf(problems)).toEqual(['1:10 wrong-type']);
    expect(problems.find(({ code }) => code === 'wrong-type')?.hint).toBe('put it in quotes: "12"');
  });

  it('statement 4: description is kept', () => {
    expect(parseOne(`session: s\ndescription: about refunds\n${oneStep}`).description).toBe(
      'about refunds',
    );
    expect(parseOne(`session: s\n${oneStep}`).description).toBeNull();
  });

  it('statement 5: behaviors is required and not empty', () => {
    expect(errorsOf(parse('session: s\n').problems)).toEqual(['1:1 missing-key']);
    expect(errorsOf(parse('session: s\nbehaviors: []\n').problems)).toEqual(['2:12 wrong-value']);
  });

  it('statement 6: evaluations of the session are optional and keep their order', () => {
    const session = parseOne(
      document(
        `${oneStep}evaluations:\n  - {type: never, match: {action: calls}}\n  - {type: count, match: {actor: user}, min: 1}\n`,
      ),
    );
    expect(session.evaluations.map(({ type, rule, level }) => [type, rule, level])).toEqual([
      ['never', '/evaluations/0', 'session'],
      ['count', '/evaluations/1', 'session'],
    ]);
    expect(session.evaluations.map(({ position }) => [position.line, position.column])).toEqual([
      [6, 5],
      [7, 5],
    ]);
  });

  it('statement 7: dataset has id and path and no other key', () => {
    expect(parseOne(document(`dataset: {id: orders, path: o.jsonl}\n${oneStep}`)).dataset).toEqual({
      id: 'orders',
      path: 'o.jsonl',
    });
    expect(errorsOf(parse(document(`dataset: {id: orders}\n${oneStep}`)).problems)).toEqual([
      '3:10 missing-key',
    ]);
    expect(
      errorsOf(parse(document(`dataset: {id: o, path: p.json, rows: 3}\n${oneStep}`)).problems),
    ).toEqual(['3:32 unknown-key']);
  });

  it('statement 8: fragments is a map of non-empty lists', () => {
    expect(
      errorsOf(parse(document(`fragments: {a: []}\nbehaviors:\n  - include: a\n`)).problems),
    ).toEqual(['3:16 wrong-value']);
    expect(errorsOf(parse(document(`fragments: [1]\n${oneStep}`)).problems)).toEqual([
      '3:12 wrong-type',
    ]);
  });

  it('statement 9: an unknown key of the document is an error with a suggestion', () => {
    const { problems } = parse(`session: s\nevaluatons: []\n${oneStep}`);
    expect(errorsOf(problems)).toEqual(['2:1 unknown-key']);
    expect(problems.find(({ code }) => code === 'unknown-key')?.hint).toBe(
      'did you mean "evaluations"?',
    );
  });

  it('statement 10: an unknown key of a behavior is an error with a suggestion', () => {
    const { problems } = parse(withStep('{actor: assistant, action: calls, tagret: X}'));
    expect(errorsOf(problems)).toEqual(['5:39 unknown-key']);
    expect(problems[0]).toMatchObject({
      message: 'behaviors/1 does not know the key "tagret"',
      hint: 'did you mean "target"?',
      frame: '  - {actor: assistant, action: calls, tagret: X}',
    });
  });

  it('statement 11: an unknown key of an evaluation is accepted and kept for adapters', () => {
    const session = parseOne(withRule('{type: never, match: {action: calls}, rubric: strict}'));
    expect(plain(session.evaluations[0]?.fields)).toEqual({
      type: 'never',
      match: { action: 'calls' },
      rubric: 'strict',
    });
  });

  it('statement 12: an unknown evaluation type is an error with a suggestion', () => {
    const { problems } = parse(withRule('{type: contians, value: x}'));
    expect(errorsOf(problems)).toEqual(['6:12 unknown-evaluator']);
    expect(problems[0]?.hint).toBe('did you mean contains?');
  });

  it('statement 13: a selector knows actor, action, target (and id), and names at least one', () => {
    expect(errorsOf(parse(withRule('{type: never, match: {}}')).problems)).toEqual([
      '6:26 wrong-value',
    ]);
    expect(errorsOf(parse(withRule('{type: never, match: {content: x}}')).problems)).toEqual([
      '6:27 unknown-key',
    ]);
    expect(errorsOf(parse(withRule('{type: never, match: {actor: 1}}')).problems)).toEqual([
      '6:34 wrong-type',
    ]);
  });

  it.each([
    ['{type: llm_judge, criteria: x, threshold: 1.5}', '6:47 wrong-value'],
    ['{type: llm_judge, criteria: x, threshold: -0.1}', '6:47 wrong-value'],
    ['{type: llm_judge, criteria: x, threshold: "0.5"}', '6:47 wrong-type'],
    ['{type: count, match: {action: calls}, min: 1.5}', '6:48 wrong-type'],
    ['{type: count, match: {action: calls}, max: "1"}', '6:48 wrong-type'],
    [
      '{type: within, after: {actor: user}, match: {actor: user}, max_steps: "2"}',
      '6:75 wrong-type',
    ],
    ['{type: never, match: {action: calls}, blocking: "yes"}', '6:53 wrong-type'],
    ['{type: never, match: {action: calls}, when: true}', '6:49 wrong-type'],
    ['{type: tool_call, target: 3}', '6:31 wrong-type'],
    ['{type: tool_call, target: X, ordered: 1}', '6:43 wrong-type'],
    ['{type: tool_call, target: X, with: [1]}', '6:40 wrong-type'],
    ['{type: schema, schema: [1]}', '6:28 wrong-type'],
    ['{type: regex, pattern: 1}', '6:28 wrong-type'],
    ['{type: llm_judge, criteria: 1}', '6:33 wrong-type'],
    ['{type: llm_judge, criteria: x, adapter: 1}', '6:45 wrong-type'],
    ['{type: custom, id: 7}', '6:24 wrong-type'],
  ])('statement 14: %s is an error at its value', (rule, expected) => {
    expect(errorsOf(parse(withRule(rule)).problems)).toEqual([expected]);
  });

  it('statement 15: a bare list under session is not a session', () => {
    const { problems } = parse('session:\n  - {actor: user, action: says}\n');
    expect(errorsOf(problems)).toContain('2:3 wrong-type');
    expect(problems.find(({ code }) => code === 'wrong-type')?.hint).toBe(
      'write session: <name> and put the list under behaviors:',
    );
  });

  it('statement 16: a document without evaluations is valid, and evaluations change nothing else', () => {
    const without = parseOne(withStep('{actor: assistant, action: informs, content: ok}'));
    const withOne = parseOne(
      withStep(
        '{actor: assistant, action: informs, content: ok, evaluations: [{type: contains, value: ok}]}',
      ),
    );
    const strip = (session: typeof without) =>
      session.steps.map(({ evaluations, ...step }) => step);
    expect(strip(withOne)).toEqual(strip(without));
  });

  it.each(['capture', 'with', 'with_only'])('statement 17: %s is not empty', (key) => {
    const { problems } = parse(
      withStep(`{actor: assistant, action: calls, target: X, ${key}: {}}`),
    );
    expect(errorsOf(problems)).toEqual([`5:${52 + key.length} wrong-value`]);
  });

  it('statement 18: with and with_only exclude each other', () => {
    const { problems } = parse(
      withStep('{actor: assistant, action: calls, with: {a: 1}, with_only: {a: 1}}'),
    );
    expect(errorsOf(problems)).toEqual(['5:53 with-exclusive']);
  });

  it('statement 19: matches_when is one of three kinds with its own operand', () => {
    const step = (condition: string) =>
      withStep(`{actor: assistant, action: asks, matches_when: ${condition}}`);
    expect(parseOne(step('{type: contains, value: x}')).steps[1]?.matchesWhen).toEqual({
      kind: 'contains',
      value: 'x',
    });
    expect(parseOne(step('{type: regex, pattern: x}')).steps[1]?.matchesWhen).toEqual({
      kind: 'regex',
      pattern: 'x',
    });
    expect(parseOne(step('{type: llm_judge, criteria: x}')).steps[1]?.matchesWhen).toEqual({
      kind: 'llm_judge',
      criteria: 'x',
    });
    expect(errorsOf(parse(step('{type: exact_match, value: x}')).problems)).toEqual([
      '5:59 wrong-value',
    ]);
    expect(errorsOf(parse(step('{type: contains, value: x, flags: i}')).problems)).toEqual([
      '5:79 unknown-key',
    ]);
    expect(errorsOf(parse(step('{type: contains}')).problems)).toEqual(['5:52 missing-key']);
    expect(errorsOf(parse(step('{type: regex, value: x}')).problems)).toEqual(['5:52 missing-key']);
    expect(errorsOf(parse(step('{type: llm_judge}')).problems)).toEqual(['5:52 missing-key']);
  });
});

describe('YAML (semantics A45)', () => {
  it('keeps the core schema: timestamps, yes and 12:30 are texts, 017 and 1.0 are numbers', () => {
    const session = parseOne(
      withStep(
        '{actor: tool, action: responds, content: [2026-08-03, yes, 12:30, 017, 1.0, 0x1F, 1e3, ~, true]}',
      ),
    );
    expect(session.steps[1]?.content).toEqual([
      '2026-08-03',
      'yes',
      '12:30',
      17,
      1,
      31,
      1000,
      null,
      true,
    ]);
  });

  it('keeps the core schema under a %YAML 1.1 directive', () => {
    expect(
      parseOne(
        `%YAML 1.1\n---\nsession: s\nbehaviors:\n  - {actor: user, action: says, content: [yes, 2026-08-03]}\n`,
      ).steps[0]?.content,
    ).toEqual(['yes', '2026-08-03']);
  });

  it('keeps integers beyond 2^53 exact', () => {
    const session = parseOne(
      withStep(
        '{actor: tool, action: responds, content: [9007199254740993, -9007199254740993, 9007199254740991]}',
      ),
    );
    expect(session.steps[1]?.content).toEqual([
      9007199254740993n,
      -9007199254740993n,
      9007199254740991,
    ]);
  });

  it('refuses numbers without a JSON form, and says to quote them', () => {
    const { problems } = parse(withStep('{actor: tool, action: responds, content: .inf}'));
    expect(errorsOf(problems)).toEqual(['5:46 yaml-number']);
  });

  it('values have no prototype: __proto__ and constructor are keys like any other', () => {
    const session = parseOne(
      withStep('{actor: tool, action: responds, content: {__proto__: {a: 1}, constructor: x}}'),
    );
    const content = session.steps[1]?.content;
    expect(Object.getPrototypeOf(content)).toBeNull();
    expect(Object.keys(content ?? {})).toEqual(['__proto__', 'constructor']);
  });

  it('refuses a key that stands twice, at the second one', () => {
    expect(
      errorsOf(
        parse(withStep('{actor: tool, action: responds, content: {a: 1, b: 2, a: 3}}')).problems,
      ),
    ).toEqual(['5:59 duplicate-key']);
  });

  it('applies merge keys: own keys win, the first of several maps wins', () => {
    const session = parseOne(
      document(
        'behaviors:\n  - &b {actor: user, action: says, content: hi}\n  - <<: *b\n    content: again\n  - <<: [{actor: tool}, *b]\n    action: responds\n',
      ),
    );
    expect(session.steps.map(({ actor, action, content }) => [actor, action, content])).toEqual([
      ['user', 'says', 'hi'],
      ['user', 'says', 'again'],
      ['tool', 'responds', 'hi'],
    ]);
  });

  it('takes a quoted << as a plain key', () => {
    expect(
      plain(
        parseOne(withStep('{actor: tool, action: responds, content: {"<<": 1}}')).steps[1]?.content,
      ),
    ).toEqual({ '<<': 1 });
  });

  it('refuses a merge of something that is no map', () => {
    expect(codes(withStep('{actor: tool, action: responds, <<: 3}'))).toEqual(['yaml-merge']);
  });

  it('refuses an alias without an anchor before it', () => {
    expect(
      errorsOf(parse(withStep('{actor: tool, action: responds, content: *later}')).problems),
    ).toEqual(['5:46 yaml-alias']);
  });

  it('refuses aliases that expand without end, quickly', () => {
    const levels = Array.from(
      { length: 30 },
      (_, level) => `  - &a${level + 1} [${`*a${level},`.repeat(9)}]`,
    );
    const text = document(
      `behaviors:\n  - {actor: user, action: says, content: &a0 x}\nevaluations:\n${levels.join('\n')}\n`,
    );
    const before = performance.now();
    expect(codes(text)).toEqual(['yaml-alias']);
    expect(performance.now() - before).toBeLessThan(2000);
  });

  it('refuses deep nesting with an error instead of a crash', () => {
    for (const text of [
      '['.repeat(50_000),
      '{a: '.repeat(50_000),
      '- '.repeat(50_000),
      '? '.repeat(50_000),
    ]) {
      expect(codes(text)).toEqual(['yaml-depth']);
    }
    expect(
      codes(
        withStep(`{actor: tool, action: responds, content: ${'['.repeat(99)}${']'.repeat(99)}}`),
      ),
    ).toContain('yaml-depth');
    expect(
      errorsOf(
        parse(
          withStep(`{actor: tool, action: responds, content: ${'['.repeat(90)}${']'.repeat(90)}}`),
        ).problems,
      ),
    ).toEqual([]);
  });

  it('accepts a byte order mark, CRLF line ends and comments after ---', () => {
    const text =
      '\uFEFF# head\r\n--- # first\r\nsession: a\r\nbehaviors:\r\n  - {actor: user, action: says, content: "x\r\n      y"}\r\n--- \r\nsession: b\r\nbehaviors:\r\n  - {actor: user, action: says}\r\n...\r\n';
    const { sessions, problems } = parse(text);
    expect(errorsOf(problems)).toEqual([]);
    expect(sessions.map(({ name, position }) => [name, position.line, position.column])).toEqual([
      ['a', 3, 1],
      ['b', 8, 1],
    ]);
    expect(sessions[0]?.steps[0]?.content).toBe('x y');
  });

  it('tells a syntax error once, with its place and source line', () => {
    const { problems, sessions } = parse(
      'session: s\nbehaviors:\n  - {actor: user, action: says\nevaluations: []\n',
    );
    expect(sessions).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      code: 'yaml-syntax',
      severity: 'error',
      position: { file: 'test.abs.yaml' },
    });
    expect(problems[0]?.frame?.length).toBeGreaterThan(0);
  });

  it('refuses a file that is too large', () => {
    expect(codes(`session: s\n#${'x'.repeat(5_000_000)}`)).toEqual(['document-too-large']);
  });
});

describe('several documents in a file (semantics 1.2)', () => {
  it('statement 20: each document is a session of its own, empty ones are ignored', () => {
    const { sessions, problems } = parse(
      `---\n# nothing\n---\nsession: a\n${oneStep}---\nsession: b\n${oneStep}---\n# nothing\n`,
    );
    expect(errorsOf(problems)).toEqual([]);
    expect(sessions.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('decision 5: a document with errors leaves the others of the file graded', () => {
    const { sessions, problems } = parse(`session: a\nbehaviors: []\n---\nsession: b\n${oneStep}`);
    expect(sessions.map(({ name }) => name)).toEqual(['b']);
    expect(errorsOf(problems)).toEqual(['2:12 wrong-value']);
  });

  it('the digest is of the document, not of the file, and of nothing but its text', () => {
    const one = `session: a\n${oneStep}`;
    const digest = `sha256:${createHash('sha256').update(one).digest('hex')}`;
    expect(parseOne(one).digest).toBe(digest);
    expect(parse(`${one}---\nsession: b\n${oneStep}`).sessions[0]?.digest).toBe(digest);
    expect(parse(`${one}---\nsession: b\n${oneStep}`).sessions[1]?.digest).not.toBe(digest);
  });

  it('two sessions of one name are warned of', () => {
    expect(warningsOf(parse(`session: a\n${oneStep}---\nsession: a\n${oneStep}`).problems)).toEqual(
      ['5:10 duplicate-session'],
    );
  });
});

describe('versions (semantics 1.3)', () => {
  it('statements 31, 32: 0.1 and 0.2 are accepted in quotes', () => {
    expect(parseOne(`session: s\nabs_version: "0.1"\n${oneStep}`).absVersion).toBe('0.1');
    expect(parseOne(`session: s\nabs_version: '0.2'\n${oneStep}`).absVersion).toBe('0.2');
  });

  it.each(['"0.3"', '"1"', 'null', '[]'])('statement 33: %s is no version', (written) => {
    expect(errorsOf(parse(`session: s\nabs_version: ${written}\n${oneStep}`).problems)).toEqual([
      '2:14 version-unknown',
    ]);
  });

  it('A47: a version without quotes is an error that says to quote it', () => {
    const { problems } = parse(`session: s\nabs_version: 0.2\n${oneStep}`);
    expect(errorsOf(problems)).toEqual(['2:14 version-unknown']);
    expect(problems[0]?.hint).toBe('put it in quotes: abs_version: "0.2"');
  });

  it('statement 35: a missing version is 0.2 and warned of', () => {
    const { sessions, problems } = parse(`session: s\n${oneStep}`);
    expect(sessions[0]?.absVersion).toBe('0.2');
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([
      ['version-missing', 'warning'],
    ]);
  });

  it.each([
    ['{actor: assistant, action: asks, optional: true}', '5:38'],
    ['{id: b, actor: assistant, action: asks, requires: a}', '5:45'],
    ['{actor: assistant, action: asks, matches_when: {type: contains, value: x}}', '5:38'],
    [
      '{actor: assistant, action: informs, evaluations: [{type: contains, value: x, when: "{{a}}"}]}',
      '5:82',
    ],
    [
      '{actor: assistant, action: informs, evaluations: [{type: llm_judge, criteria: x, adapter: y}]}',
      '5:86',
    ],
    ['{actor: assistant, action: informs, evaluations: [{type: Violence}]}', '5:62'],
  ])('statements 34, 37: %s is not part of 0.1', (step, place) => {
    const body = `abs_version: "0.1"\nbehaviors:\n  - {id: a, actor: user, action: says}\n  - ${step}\n`;
    expect(errorsOf(parse(`session: s\n${body}`).problems)).toEqual([`${place} version-feature`]);
    expect(errorsOf(parse(`session: s\n${body.replace('0.1', '0.2')}`).problems)).toEqual([]);
  });

  it('A47: expected is not part of 0.1', () => {
    const text =
      'session: s\nabs_version: "0.1"\nbehaviors:\n  - {id: a, actor: user, action: says}\nevaluations:\n  - {type: expected, behavior: a}\n';
    expect(errorsOf(parse(text).problems)).toEqual(['6:12 version-feature']);
  });

  it('statement 38, A47: fragments, dataset, ids, with_only and group thresholds are accepted in 0.1', () => {
    const text =
      'session: s\nabs_version: "0.1"\ndataset: {id: d, path: d.json}\nfragments:\n  f:\n    - {id: a, actor: user, action: says}\nbehaviors:\n  - include: f\n  - {actor: assistant, action: calls, target: X, with_only: {a: 1}}\nevaluations:\n  - {type: all_of, threshold: 0.5, evaluations: [{type: never, match: {action: hands_off}}]}\n';
    expect(errorsOf(parse(text).problems)).toEqual([]);
  });
});

describe('behaviors (semantics 1.4)', () => {
  it('statement 39: actor and action are required', () => {
    expect(errorsOf(parse(withStep('{action: says}')).problems)).toEqual(['5:5 missing-key']);
    expect(errorsOf(parse(withStep('{actor: user}')).problems)).toEqual(['5:5 missing-key']);
  });

  it('statement 40: an id is unique', () => {
    const text = document(
      'behaviors:\n  - {id: b, actor: user, action: says}\n  - {id: b, actor: assistant, action: informs}\n',
    );
    expect(errorsOf(parse(text).problems)).toEqual(['5:10 duplicate-id']);
  });

  it('statements 41, 42: the whole vocabulary passes without a warning', () => {
    const actions =
      'says asks responds informs greets clarifies confirms rejects suggests shows calls submits retrieves stores updates selects uploads downloads approves hands_off'.split(
        ' ',
      );
    const steps = actions.map((action) => `  - {actor: assistant, action: ${action}}`);
    expect(warningsOf(check(document(`behaviors:\n${steps.join('\n')}\n`)))).toEqual([]);
  });

  it('statement 44, A50: a custom action is valid, and its category is told', () => {
    const problems = check(
      withStep('{actor: assistant, action: refunds, target: X, with: {a: 1}}'),
    );
    expect(errorsOf(problems)).toEqual([]);
    expect(warningsOf(problems)).toEqual(['5:32 custom-action']);
    expect(problems.find(({ code }) => code === 'custom-action')?.hint).toContain('execution');
  });

  it('statement 45: unusual pairs of actor and action pass', () => {
    expect(warningsOf(check(withStep('{actor: tool, action: greets}')))).toEqual([]);
    expect(errorsOf(check(withStep('{actor: user, action: calls, target: X}')))).toEqual([]);
  });

  it('statement 46: another actor is valid, a near miss is told', () => {
    expect(warningsOf(check(withStep('{actor: robot, action: says}')))).toEqual([]);
    expect(warningsOf(check(withStep('{actor: asistant, action: says}')))).toEqual([
      '5:13 misspelt-word',
    ]);
  });

  it('statement 48: behaviors keep the order of the text', () => {
    const text = document(
      'behaviors:\n  - {actor: tool, action: responds}\n  - {actor: user, action: says}\n  - {actor: assistant, action: informs}\n',
    );
    expect(parseOne(text).steps.map(({ index, actor, rule }) => [index, actor, rule])).toEqual([
      [0, 'tool', '/behaviors/0'],
      [1, 'user', '/behaviors/1'],
      [2, 'assistant', '/behaviors/2'],
    ]);
  });

  it('a step tells content that is null from content that is absent', () => {
    const session = parseOne(withStep('{actor: tool, action: responds, content: null}'));
    expect('content' in (session.steps[1] ?? {})).toBe(true);
    expect(
      'content' in (parseOne(withStep('{actor: tool, action: responds}')).steps[1] ?? {}),
    ).toBe(false);
  });
});
