import { describe, expect, it } from 'vitest';
import { bindSession } from '../../src/documents/abs/bind.js';
import { noBindings, parseVariables } from '../../src/documents/abs/bindings.js';
import { checkDocuments } from '../../src/documents/abs/check.js';
import { filterRows, parseDataset, parseRowFilter } from '../../src/documents/abs/datasets.js';
import { parseAbs } from '../../src/documents/abs/parse.js';
import { evaluators } from '../../src/evaluators/index.js';
import {
  bind,
  bindOne,
  document,
  errorsOf,
  oneStep,
  parse,
  parseOne,
  warningsOf,
  withRule,
} from './support.js';

/** Faults of the reference implementation that concern documents (semantics part 4). */
describe('known faults are not repeated', () => {
  it('B12: a malformed rule or bad pattern is an error in its document, and the others are read', () => {
    const files = [
      { file: 'bad.abs.yaml', text: withRule('{type: regex, pattern: "(["}') },
      {
        file: 'worse.abs.yaml',
        text: withRule('{type: count, match: {actor: user}, min: 3, max: 1}'),
      },
      { file: 'good.abs.yaml', text: withRule('{type: never, match: {action: calls}}') },
    ];
    const { problems, sessions } = checkDocuments(files, evaluators);
    expect(sessions.map((session) => session.document)).toEqual(['good.abs.yaml']);
    expect(
      problems.filter(({ severity }) => severity === 'error').map(({ position }) => position?.file),
    ).toEqual(['bad.abs.yaml', 'worse.abs.yaml']);
  });

  it('B13: --var beats the environment', () => {
    const text = document('behaviors:\n  - {actor: user, action: says, content: "{{orderId}}"}\n');
    const bound = bindOne(text, {
      variables: new Map([['orderId', 'CLI']]),
      environment: { ABS_VAR_orderId: 'ENV' },
    });
    expect(bound.steps[0]?.content).toBe('CLI');
  });

  it('B14: --var k=a=b is a=b, --filter a:b:c is b:c', () => {
    const variables = parseVariables(['k=a=b']);
    expect(variables.ok && variables.value.get('k')).toBe('a=b');
    const filter = parseRowFilter('a:b:c');
    expect(filter.ok && filter.value).toEqual({ column: 'a', value: 'b:c' });
  });

  it('B17: the documents of a folder are checked together, each under its own name', () => {
    const { sessions } = checkDocuments(
      ['specs/a.abs.yaml', 'specs/b.abs.yaml'].map((file) => ({ file, text: document(oneStep) })),
      evaluators,
    );
    expect(sessions.map((session) => session.document)).toEqual([
      'specs/a.abs.yaml',
      'specs/b.abs.yaml',
    ]);
  });

  it('B18: an empty file, an empty dataset and a filter without a hit are errors, not a pass', () => {
    for (const text of ['', '\n', '# nothing\n', '---\n---\n'])
      expect(errorsOf(parse(text).problems)).toEqual(['1:1 no-session']);
    expect(parseDataset('', 'd.jsonl').ok).toBe(false);
    const dataset = parseDataset('{"a":1}', 'd.jsonl');
    expect(dataset.ok && filterRows(dataset.value, [{ column: 'a', value: '2' }]).ok).toBe(false);
  });

  it('B22: --- inside a text does not split a document, and a table is kept whole', () => {
    const text = document(
      'behaviors:\n  - actor: assistant\n    action: shows\n    content: |\n      | a | b |\n      |---|---|\n      | 1 | 2 |\n  - {actor: user, action: says, content: "a --- b\\n---\\nc"}\n',
    );
    const { steps } = parseOne(text);
    expect(steps[0]?.content).toBe('| a | b |\n|---|---|\n| 1 | 2 |\n');
    expect(steps[1]?.content).toBe('a --- b\n---\nc');
  });

  it.each(['--- #c\n', '--- \n', '%YAML 1.2\n---\n', '---\t# tab\n'])(
    'B23: %j may start a document',
    (head) => {
      expect(parseOne(`${head}${document(oneStep)}`).name).toBe('s');
    },
  );

  it('B25: dates, yes, 12:30 and 017 are what YAML 1.2 says', () => {
    const { steps } = parseOne(
      document(
        'behaviors:\n  - {actor: user, action: says, content: {d: 2026-08-03, y: yes, t: 12:30, n: 017}}\n',
      ),
    );
    expect(steps[0]?.content).toMatchObject({ d: '2026-08-03', y: 'yes', t: '12:30', n: 17 });
  });

  it('B26: references resolve in evaluations', () => {
    const text = document(
      'behaviors:\n  - {actor: user, action: says, capture: {id: R-1}}\n  - {actor: assistant, action: informs, evaluations: [{type: contains, value: "{{id}}"}]}\n',
    );
    expect(bindOne(text).steps[1]?.evaluations[0]?.fields.value).toBe('R-1');
  });

  it('B27: a reference without a value is an error', () => {
    const { ok, problems } = bind(
      document('behaviors:\n  - {actor: user, action: says, content: "{{id}}"}\n'),
    );
    expect([ok, errorsOf(problems)]).toEqual([false, ['4:43 unresolved-reference']]);
  });

  it('B29: the safety dimensions are known', () => {
    for (const type of ['Violence', 'HateUnfairness', 'Sexual', 'SelfHarm'])
      expect(errorsOf(parse(withRule(`{type: ${type}}`)).problems)).toEqual([]);
  });

  it('B31: a path is never taken for text', () => {
    const { sessions } = parseAbs(
      document(oneStep),
      'specs/---/session: behaviors:.abs.yaml',
      evaluators,
    );
    expect(sessions[0]?.document).toBe('specs/---/session: behaviors:.abs.yaml');
    expect(sessions[0]?.steps).toHaveLength(1);
  });

  it('B33: duplicate ids, forward and cyclic requires, missing operands are errors', () => {
    const step = (rest: string) => `  - {actor: assistant, action: asks, ${rest}}\n`;
    const faults = (steps: string[]) =>
      errorsOf(parse(document(`behaviors:\n${steps.map(step).join('')}`)).problems);
    expect(faults(['id: a', 'id: a'])).toEqual(['5:42 duplicate-id']);
    expect(faults(['id: a, requires: b', 'id: b'])).toEqual(['4:55 forward-requires']);
    expect(faults(['id: a, requires: b', 'id: b, requires: a'])).toEqual(['4:55 forward-requires']);
    expect(faults(['matches_when: {type: contains}'])).toEqual(['4:52 missing-key']);
  });

  it('B34: a selector may name the behavior that is meant', () => {
    const text = document(
      'behaviors:\n  - {id: ask_id, actor: assistant, action: asks, optional: true, matches_when: {type: contains, value: id}}\nevaluations:\n  - {type: never, match: {id: ask_id}}\n',
    );
    const session = parseOne(text);
    expect(session.evaluations[0]?.fields).toMatchObject({ match: { id: 'ask_id' } });
    expect(warningsOf(checkDocuments([{ file: 'f', text }], evaluators).problems)).toEqual([]);
    expect(bindSession(session, noBindings).ok).toBe(true);
  });
});
