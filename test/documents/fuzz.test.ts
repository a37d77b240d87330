import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { bindSession } from '../../src/documents/abs/bind.js';
import { noBindings } from '../../src/documents/abs/bindings.js';
import { checkDocuments } from '../../src/documents/abs/check.js';
import { parseDataset } from '../../src/documents/abs/datasets.js';
import { parseTemplate } from '../../src/documents/abs/template.js';
import { parseWhen } from '../../src/documents/abs/when.js';
import { evaluators } from '../../src/evaluators/index.js';
import { compilePattern } from '../../src/util/pattern.js';

/** Checks and, where nothing is wrong, binds. */
function readWhole(text: string): void {
  const { problems, sessions } = checkDocuments([{ file: 'f', text }], evaluators);
  if (problems.some(({ position }) => position === undefined)) throw new Error('no place');
  for (const session of sessions) bindSession(session, noBindings);
}

const yamlPiece = fc.constantFrom(
  'session: s\n',
  'behaviors:\n',
  '  - ',
  '- ',
  '{actor: user, action: says}',
  '\n',
  ': ',
  ', ',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '&a ',
  '*a',
  '<<: ',
  '|\n',
  '>\n',
  '#',
  '---\n',
  '...\n',
  '%YAML 1.2\n',
  '!!str ',
  '!x ',
  '? ',
  '\t',
  '  ',
  'evaluations: ',
  'type: never',
  'when: ',
  '{{a}}',
  'include: f',
  'fragments: ',
  'null',
  '1e999',
  '0x',
  '.nan',
  '\uFEFF',
  '\u0000',
  '\uD800',
  '~',
  '@',
  '`',
);

describe('hostile input is answered, never thrown on', () => {
  test.prop([fc.string({ unit: 'binary', maxLength: 300 })], { numRuns: 200 })(
    'any text',
    (text) => {
      readWhole(text);
    },
  );

  test.prop([fc.array(yamlPiece, { maxLength: 40 })], { numRuns: 200 })(
    'any mix of YAML',
    (pieces) => {
      readWhole(pieces.join(''));
    },
  );

  const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(
        null,
        true,
        0,
        -1,
        1.5,
        1e21,
        '',
        'a',
        '{{a}}',
        '{{',
        '([',
        'contains',
        'user',
        'says',
      ),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          'actor',
          'action',
          'target',
          'content',
          'with',
          'with_only',
          'capture',
          'id',
          'optional',
          'requires',
          'matches_when',
          'evaluations',
          'include',
          'type',
          'value',
          'pattern',
          'match',
          'order',
          'after',
          'max_steps',
          'min',
          'max',
          'when',
          'threshold',
          'variable',
          'behavior',
          'schema',
          'severity',
          '__proto__',
        ),
        tie('any'),
        { maxKeys: 5 },
      ),
    ),
  })).any;
  const step = fc.oneof(
    fc.record(
      {
        actor: fc.constantFrom('user', 'assistant'),
        action: fc.constantFrom('says', 'calls'),
        evaluations: fc.array(value, { maxLength: 3 }),
      },
      { requiredKeys: ['actor', 'action'] },
    ),
    value,
  );
  const rule = fc.oneof(
    fc.record(
      {
        type: fc.constantFrom(...evaluators.map(({ type }) => type)),
        value,
        match: value,
        order: value,
        evaluations: value,
        pattern: value,
        schema: value,
        when: value,
        variable: value,
        behavior: value,
        title: value,
      },
      { requiredKeys: ['type'] },
    ),
    value,
  );

  test.prop(
    [
      fc.record(
        {
          session: value,
          abs_version: fc.constantFrom('0.1', '0.2', 0.2, null),
          behaviors: fc.array(step, { maxLength: 4 }),
          evaluations: fc.array(rule, { maxLength: 4 }),
          fragments: value,
          dataset: value,
        },
        { requiredKeys: ['behaviors'] },
      ),
    ],
    { numRuns: 200 },
  )('any value in the place of a document', (document) => {
    readWhole(JSON.stringify({ session: 's', ...document }));
  });

  test.prop([
    fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\n', '1', 'a', '\\'),
      maxLength: 60,
    }),
  ])('any dataset', (text) => {
    for (const file of ['d.json', 'd.jsonl', 'd.csv'])
      expect(typeof parseDataset(text, file).ok).toBe('boolean');
  });
});

/** Builds an input of about `size` characters. */
type Shape = (size: number) => string;

const steps: Shape = (size) =>
  `session: s\nbehaviors:\n${'  - {actor: user, action: says, content: hello}\n'.repeat(size / 48)}`;
const repeatAfter =
  (head: string, piece: string | ((index: number) => string), tail = ''): Shape =>
  (size) => {
    const parts: string[] = [];
    let length = head.length;
    for (let index = 0; length < size; index++) {
      const part = typeof piece === 'string' ? piece : piece(index);
      parts.push(part);
      length += part.length;
    }
    return head + parts.join('') + tail;
  };

const minimal = 'session: s\nbehaviors:\n  - {actor: user, action: says}\n';
const documents: Record<string, Shape> = {
  'many behaviors': steps,
  'many ids and requires': repeatAfter(
    minimal,
    (index) => `  - {id: s${index}, actor: user, action: says, requires: s${index - 1}}\n`,
  ),
  'many misspelt ids': repeatAfter(
    minimal,
    (index) => `  - {id: s${index}, actor: user, action: says, requires: x${index}}\n`,
  ),
  'many rules': repeatAfter(
    `${minimal}evaluations:\n`,
    (index) => `  - {type: never, match: {actor: user, action: calls, target: t${index}}}\n`,
  ),
  'many faults': repeatAfter(`${minimal}evaluations:\n`, '  - {type: nevr, mtch: 1}\n'),
  'one long sequence': repeatAfter(
    `${minimal}evaluations:\n  - type: sequence\n    order:\n`,
    '      - {actor: user}\n',
  ),
  'many keys in one map': repeatAfter(
    `${minimal}    content:\n`.replace('says}', 'says}'),
    (index) => `x${index}: 1\n`,
  ),
  'many aliases': repeatAfter(
    'session: s\nbehaviors:\n  - &a {actor: user, action: says}\n',
    '  - *a\n',
  ),
  'many documents': repeatAfter(
    '',
    (index) => `session: s${index}\nbehaviors:\n  - {actor: user, action: says}\n---\n`,
  ),
  'many fragments': repeatAfter(
    'session: s\nbehaviors: [{actor: user, action: says}]\nfragments:\n',
    (index) => `  f${index}: [{actor: user, action: says}]\n`,
  ),
  'many references': repeatAfter(
    minimal,
    (index) =>
      `  - {actor: user, action: says, content: "{{v${index}}}", capture: {v${index + 1}: "{{v${index}}}"}}\n`,
  ),
  'one long text of references': repeatAfter(
    'session: s\nbehaviors:\n  - actor: user\n    action: says\n    content: "',
    (index) => `{{v${index}}}`,
    '"\n',
  ),
  'open brackets': repeatAfter('', '['),
  'open maps': repeatAfter('', '{a: '),
  dashes: repeatAfter('', '- '),
  quotes: repeatAfter('', '"'),
  'document marks': repeatAfter('', '---\n'),
  'one long when': repeatAfter(
    'session: s\nbehaviors: [{actor: user, action: says}]\nevaluations:\n  - type: never\n    match: {actor: x}\n    when: "',
    '{{a}} == 1 && ',
    '{{a}}"\n',
  ),
};

const plainTexts: Record<string, [Shape, (text: string) => unknown]> = {
  'when: parentheses': [repeatAfter('', '('), parseWhen],
  'when: negations': [repeatAfter('', '!'), parseWhen],
  'when: comparisons': [repeatAfter('1', ' && {{a}} == "b"'), parseWhen],
  'when: one text': [repeatAfter('"', '\\"'), parseWhen],
  'when: braces': [repeatAfter('', '{{'), parseWhen],
  'template: references': [repeatAfter('', '{{a.b}} '), parseTemplate],
  'template: open braces': [repeatAfter('', '{{ '), parseTemplate],
  'template: one long name': [repeatAfter('{{a', '.b', '}}'), parseTemplate],
  'template: one bad name': [repeatAfter('{{a', '-', '!}}'), parseTemplate],
  'dataset: rows': [repeatAfter('', '{"a":"b"}\n'), (text) => parseDataset(text, 'd.jsonl')],
  'dataset: brackets': [repeatAfter('', '['), (text) => parseDataset(text, 'd.json')],
  'dataset: objects': [repeatAfter('[{}', ',{"a":1}', ']'), (text) => parseDataset(text, 'd.json')],
};

/** Median CPU time of three runs, each on a text of its own so that nothing is found in a cache. */
function medianMs(run: (text: string) => unknown, text: string): number {
  const times = [0, 1, 2].map((index) => {
    const own = text + ' '.repeat(index);
    const before = process.cpuUsage();
    run(own);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return times.sort((left, right) => left - right)[1] ?? 0;
}

/** Times under this are noise. */
const floorMs = 10;

function growth(run: (text: string) => unknown, shape: Shape): number {
  const small = medianMs(run, shape(16 * 1024));
  const large = medianMs(run, shape(64 * 1024));
  return large / Math.max(small, floorMs);
}

/** The best of three measurements: a busy machine can only make a ratio worse. */
function bestGrowth(run: (text: string) => unknown, shape: Shape): number {
  let best = growth(run, shape);
  for (let attempt = 0; attempt < 2 && best > 6; attempt++) {
    best = Math.min(best, growth(run, shape));
  }
  return best;
}

describe('four times the input takes at most six times the time', () => {
  it.each(Object.entries(documents))('a document with %s', { timeout: 120_000 }, (_, shape) => {
    expect(bestGrowth(readWhole, shape)).toBeLessThanOrEqual(6);
  });

  it.each(Object.entries(plainTexts))('%s', (_, [shape, run]) => {
    expect(bestGrowth(run, shape)).toBeLessThanOrEqual(6);
  });

  it.each(['(', '[a', 'a|', '(a)', '(?:', 'a*', '[^', '\\p{L}', 'x{2}', '.*'])(
    'a pattern of %s is compiled or refused',
    (piece) => {
      expect(bestGrowth(compilePattern, repeatAfter('', piece))).toBeLessThanOrEqual(6);
      expect(
        bestGrowth(compilePattern, (size) => piece.repeat(size / 8 / piece.length)),
      ).toBeLessThanOrEqual(6);
    },
  );
});
