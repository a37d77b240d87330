import { describe, expect, it } from 'vitest';
import { entryOf, gradeDocument } from '../support/grade-document.js';
import { createUnit } from '../support/stated-unit.js';

const head = 'session: s\nabs_version: "0.2"\nbehaviors:\n';

const observed = createUnit([
  { actor: 'user', content: 'one' },
  { actor: 'assistant', content: 'no ref here' },
  { actor: 'user', content: 'two' },
  { actor: 'assistant', content: 'bye R-1' },
]);

describe('blocking (semantics A40)', () => {
  it('explains failures of its own step, whichever stands first', () => {
    const report = gradeDocument(
      `${head}
  - actor: assistant
    action: informs
    evaluations:
      - {type: contains, value: aaa}
      - {type: contains, value: zzz, blocking: true, title: the ref}
      - {type: contains, value: bbb}
      - {type: contains, value: here}
`,
      createUnit([{ actor: 'assistant', content: 'no ref here' }]),
    );
    expect(report.evaluations.map(({ verdict, code }) => [verdict, code])).toEqual([
      ['inconclusive', 'blocked_by'],
      ['fail', null],
      ['inconclusive', 'blocked_by'],
      ['pass', null],
    ]);
    expect(report.evaluations[2]?.reason).toMatch(
      /^blocked by the failure of "the ref" \(line \d+\): /,
    );
    expect(report.evaluations[2]?.score).toBeNull();
    expect(report.verdict).toBe('fail');
  });

  it('of two that would block each other the first stays a failure', () => {
    const report = gradeDocument(
      `${head}
  - actor: assistant
    action: informs
    evaluations:
      - {type: contains, value: aaa, blocking: true}
      - {type: contains, value: bbb, blocking: true}
`,
      createUnit([{ actor: 'assistant', content: 'ccc' }]),
    );
    expect(report.evaluations.map(({ verdict }) => verdict)).toEqual(['fail', 'inconclusive']);
    expect(report.verdict).toBe('fail');
  });

  const chain = (last: string) => `${head}
  - {actor: user, action: says, content: one}
  - actor: assistant
    action: informs
    capture: {ref: "R-1"}
    evaluations: [{type: contains, value: R-1, blocking: true}]
  - {actor: user, action: says, content: two}
  - actor: assistant
    action: informs
${last}
`;

  it.each([
    ['by its content', '    content: "{{ref}}"\n    evaluations: [{type: contains, value: zzz}]'],
    ['by its rule', '    evaluations: [{type: contains, value: "{{ref}} zzz"}]'],
    [
      'by a rule inside a composition',
      '    evaluations: [{type: all_of, evaluations: [{type: contains, value: "{{ref}} zzz"}]}]',
    ],
  ])('explains a later step that depends on what it captures, %s', (_how, last) => {
    const entry = entryOf(gradeDocument(chain(last), observed), '/behaviors/3/evaluations/0');
    expect([entry.verdict, entry.code]).toEqual(['inconclusive', 'blocked_by']);
  });

  it('leaves an independent step alone, and what passed (D01, D02)', () => {
    const failing = '    evaluations: [{type: contains, value: zzz}]';
    expect(
      entryOf(gradeDocument(chain(failing), observed), '/behaviors/3/evaluations/0').verdict,
    ).toBe('fail');
    const passing = '    evaluations: [{type: contains, value: "{{ref}}"}]';
    expect(
      entryOf(gradeDocument(chain(passing), observed), '/behaviors/3/evaluations/0').verdict,
    ).toBe('pass');
  });

  it('follows captures and requires as far as they go, and the response to a call', () => {
    const report = gradeDocument(
      `${head}
  - id: look
    actor: assistant
    action: calls
    target: Orders
    evaluations: [{type: tool_call, with: {id: 5}, blocking: true}]
  - actor: tool
    action: responds
    target: Orders
    evaluations: [{type: contains, value: zzz}]
  - actor: assistant
    action: informs
    requires: look
    capture: {total: "12"}
    evaluations: [{type: contains, value: zzz}]
  - actor: assistant
    action: calls
    target: Mail
    evaluations: [{type: tool_call, with: {text: "{{total}} zzz"}}]
  - actor: assistant
    action: calls
    target: Log
    evaluations: [{type: tool_call, with: {text: zzz}}]
`,
      createUnit([
        { actor: 'assistant', action: 'calls', target: 'Orders', with: { id: 6 } },
        { actor: 'tool', action: 'responds', target: 'Orders', content: 'ok' },
        { actor: 'assistant', content: '12' },
        { actor: 'assistant', action: 'calls', target: 'Mail', with: { text: '12' } },
        { actor: 'user', content: 'and?' },
        { actor: 'assistant', action: 'calls', target: 'Log', with: { text: '12' } },
      ]),
    );
    expect(report.evaluations.map(({ verdict }) => verdict)).toEqual([
      'fail',
      'inconclusive',
      'inconclusive',
      'inconclusive',
      'fail',
    ]);
  });

  it('reaches session rules on the step or its variable, and no others', () => {
    const report = gradeDocument(
      `${head}
  - id: tell
    actor: assistant
    action: informs
    capture: {ref: "R-1"}
    evaluations: [{type: contains, value: R-1, blocking: true}]
  - {actor: assistant, action: calls, target: A, with: {x: "{{ref}}"}}
  - {actor: assistant, action: calls, target: B, with: {x: "{{ref}}"}}
  - {id: greet, actor: assistant, action: greets, optional: true, requires: tell, matches_when: {type: contains, value: welcome}}
evaluations:
  - {type: variable_consistency, variable: ref}
  - {type: expected, behavior: greet}
  - {type: eventually, match: {action: calls, target: Z}}
  - {type: all_of, evaluations: [{type: expected, behavior: greet}]}
`,
      createUnit([
        { actor: 'assistant', content: 'none' },
        { actor: 'assistant', action: 'calls', target: 'A', with: { x: 'R-8' } },
        { actor: 'assistant', action: 'calls', target: 'B', with: { x: 'R-9' } },
      ]),
    );
    const verdicts = report.evaluations.map(({ type, verdict }) => [type, verdict]);
    expect(verdicts).toEqual([
      ['contains', 'fail'],
      ['variable_consistency', 'inconclusive'],
      ['expected', 'inconclusive'],
      ['eventually', 'fail'],
      ['all_of', 'inconclusive'],
      ['expected', 'inconclusive'],
    ]);
  });

  it('works for chain rules too: an expected that fails explains the steps that require it', () => {
    const report = gradeDocument(
      `${head}
  - {id: ask, actor: assistant, action: asks, optional: true, matches_when: {type: contains, value: number}}
  - actor: assistant
    action: informs
    evaluations: [{type: contains, value: zzz}]
evaluations:
  - {type: expected, behavior: ask, blocking: true}
`,
      createUnit([{ actor: 'assistant', content: 'Hello' }]),
    );
    // The answer does not depend on the question: its failure is its own.
    expect(report.evaluations.map(({ verdict }) => verdict)).toEqual(['fail', 'fail']);
  });
});
