import { describe, expect, it } from 'vitest';
import { bindSession } from '../../src/documents/abs/bind.js';
import { type Dataset, parseDataset } from '../../src/documents/abs/datasets.js';
import { parseAbs } from '../../src/documents/abs/parse.js';
import { evaluators } from '../../src/evaluators/index.js';
import { type RowsOfSession, selectRow } from '../../src/grading/select-row.js';
import { type SelectableSession, selectSessions } from '../../src/grading/select-sessions.js';
import { createUnit } from '../support/stated-unit.js';

const document = `session: s
abs_version: "0.2"
dataset: {id: d, path: d.jsonl}
behaviors:
  - {actor: user, action: says, content: "Refund {{d.id}}, please."}
  - {actor: assistant, action: asks, optional: true}
  - {actor: user, action: says, content: "I am {{d.name}}."}
  - {actor: assistant, action: informs, evaluations: [{type: contains, value: "{{d.id}}"}]}
`;

function rowsOf(text: string, lines: string): RowsOfSession {
  const [session] = parseAbs(text, 's.abs.yaml', evaluators).sessions;
  const dataset = parseDataset(lines, 'd.jsonl');
  if (session === undefined || !dataset.ok) throw new Error('the document is wrong');
  return { dataset: dataset.value, bound: dataset.value.rows.map((row) => bind(session, row)) };

  function bind(of: typeof session, { index, values }: Dataset['rows'][number]) {
    if (of === undefined) throw new Error('no session');
    const row = { index, dataset: 'd', values };
    const bound = bindSession(of, { row, variables: new Map(), environment: {} });
    if (!bound.ok) throw new Error('the row does not bind');
    return bound.value;
  }
}

const rows = rowsOf(
  document,
  '{"id":"A-1","name":"Ann"}\n{"id":"A-2","name":"Ann"}\n{"id":"A-2","name":"Bob"}\n',
);
const turns = (...texts: string[]) => texts.map((content) => ({ actor: 'user', content }));

function choose(...args: Parameters<typeof selectRow>) {
  const choice = selectRow(...args);
  return choice.kind === 'bound' ? choice.bound.row : choice.candidates;
}

describe('the row a recording belongs to (semantics A11)', () => {
  const unit = createUnit(turns('Refund A-2, please.', 'I am Bob.'));

  it('is the only one whose user turns read like the observed ones', () => {
    expect(choose(unit, rows)).toBe(2);
  });

  it('is none where none does, or several do: no row is tried for its verdict', () => {
    expect(choose(createUnit(turns('Refund A-3, please.', 'I am Bob.')), rows)).toEqual([]);
    expect(choose(createUnit(turns('I am Bob.', 'Refund A-2, please.')), rows)).toEqual([]);
    const twins = rowsOf(document, '{"id":"A-1","name":"Ann"}\n{"id":"A-1","name":"Ann"}\n');
    expect(choose(createUnit(turns('Refund A-1, please.', 'I am Ann.')), twins)).toEqual([0, 1]);
    const unread = createUnit([{ actor: 'user', contentState: 'absent' }]);
    expect(choose(unread, rows)).toEqual([]);
  });

  it('other user turns may stand between', () => {
    const talk = createUnit(turns('Hi.', 'Refund A-1, please.', 'Sorry?', 'I am Ann.', 'Bye.'));
    expect(choose(talk, rows)).toBe(0);
  });

  it('is the one that was asked for, before anything else', () => {
    expect(choose(unit, rows, 0)).toBe(0);
    expect(choose(unit, rows, 7)).toEqual([]);
  });

  it('is the one that retrial.row names, by number or by the first column', () => {
    expect(choose({ ...unit, labels: { row: 1 } }, rows)).toBe(1);
    expect(choose({ ...unit, labels: { row: 'A-1' } }, rows)).toBe(0);
    expect(choose({ ...unit, labels: { row: 'A-2' } }, rows)).toEqual([]);
  });

  it('a session without a dataset has one binding', () => {
    const [only] = rows.bound;
    if (only === undefined) throw new Error('no row');
    const choice = selectRow(unit, { dataset: null, bound: [only] });
    expect(choice).toEqual({ kind: 'bound', bound: only });
  });
});

describe('the sessions that grade a unit (contract.md §2)', () => {
  const session = (name: string, more: Partial<SelectableSession> = {}): SelectableSession => ({
    name,
    mode: 'test',
    admits: null,
    ...more,
  });
  const unit = createUnit([]);
  const labelled = { ...unit, labels: { spec: 'b' } };
  const names = (...args: Parameters<typeof selectSessions>) => {
    const choice = selectSessions(...args);
    return choice.kind === 'graded' ? choice.sessions.map(({ name }) => name) : choice.reason;
  };
  const three = [session('a'), session('b'), session('c', { admits: () => true })];

  it('the only one loaded', () => {
    expect(names(unit, [session('a')])).toEqual(['a']);
  });

  it('of several the one that the unit names, or that was asked for, or that admits it', () => {
    expect(names(labelled, three)).toEqual(['b', 'c']);
    expect(names(unit, three)).toEqual(['c']);
    expect(names(unit, three, 'a')).toEqual(['a', 'c']);
  });

  it('none of several without a sign: no guessing', () => {
    expect(selectSessions(unit, [session('a'), session('b')])).toEqual({
      kind: 'ungraded',
      reason: 'no_session',
      candidates: ['a', 'b'],
    });
  });

  it('nothing at all', () => {
    expect(names(unit, [])).toBe('no_spec');
    expect(names(unit, [session('a', { admits: () => false })])).toBe('no_spec');
  });

  it('monitors grade every unit that their condition admits, and are no test', () => {
    const monitor = session('m', { mode: 'monitor' });
    expect(names(unit, [session('a'), monitor])).toEqual(['a', 'm']);
    expect(names(unit, [session('a', { admits: () => false }), monitor])).toEqual(['m']);
    const other = session('n', { mode: 'monitor', admits: () => false });
    expect(names(unit, [session('a'), monitor, other])).toEqual(['a', 'm']);
  });
});
