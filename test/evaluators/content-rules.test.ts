import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/util/json.js';
import { gradeRule, gradeStepRule } from '../support/session-rule.js';
import { createLoss, createUnit } from '../support/stated-unit.js';

const step = { actor: 'assistant', action: 'responds' };
const says = (content: JsonObject[string], state = 'present'): JsonObject => ({
  actor: 'assistant',
  content,
  contentState: state,
});
const hidden = (state: string): JsonObject => ({ actor: 'assistant', contentState: state });

const contains = (value: string) => ({ type: 'contains', value });
const noneOf = (rule: JsonObject) => ({ type: 'none_of', evaluations: [rule] });

function verdictOf(rule: JsonObject, behavior: JsonObject) {
  const { verdict, code } = gradeStepRule(rule, [step], [behavior]);
  return [verdict, code];
}

describe('rules on content whose evidence is lacking (semantics decision 3)', () => {
  const rules: readonly (readonly [string, JsonObject])[] = [
    ['exact_match', { type: 'exact_match', value: 'R-1' }],
    ['contains', contains('R-1')],
    ['regex', { type: 'regex', pattern: 'R-1' }],
    ['schema', { type: 'schema', schema: { type: 'string' } }],
    ['f1', { type: 'f1', ground_truth: 'R-1' }],
  ];
  const states = [
    ['absent', 'evidence_missing'],
    ['redacted', 'evidence_redacted'],
    ['truncated', 'evidence_truncated'],
  ] as const;

  describe.each(states)('content that is %s', (state, code) => {
    it.each(rules)('neither fails %s', (_type, rule) => {
      expect(verdictOf(rule, hidden(state))).toEqual(['inconclusive', code]);
    });

    it.each(rules)('nor passes none_of %s', (_type, rule) => {
      expect(verdictOf(noneOf(rule), hidden(state))).toEqual(['inconclusive', code]);
    });
  });

  it('what stands in the part that was kept decides', () => {
    const cut = says('Your refund R-1 is on', 'truncated');
    expect(verdictOf(contains('r-1'), cut)).toEqual(['pass', null]);
    expect(verdictOf(noneOf(contains('r-1')), cut)).toEqual(['fail', null]);
    expect(verdictOf(contains('R-2'), cut)).toEqual(['inconclusive', 'evidence_truncated']);
    expect(verdictOf(noneOf(contains('R-2')), cut)).toEqual(['inconclusive', 'evidence_truncated']);
  });

  it('a pattern that needs the end of a cut text is not matched by the cut', () => {
    const cut = says('Your refund R-1', 'truncated');
    expect(verdictOf({ type: 'regex', pattern: 'R-\\d' }, cut)).toEqual(['pass', null]);
    for (const pattern of ['R-1$', 'R-1\\z', '(?m)R-1$', 'R-1\\b', '^Your refund R-1$']) {
      expect(verdictOf({ type: 'regex', pattern }, cut)).toEqual([
        'inconclusive',
        'evidence_truncated',
      ]);
    }
  });

  it('a placeholder is no content, even where it reads as the rule asks', () => {
    const behavior = says('[REDACTED]', 'redacted');
    expect(verdictOf(contains('redacted'), behavior)).toEqual([
      'inconclusive',
      'evidence_redacted',
    ]);
  });

  it('content that is known to be none fails: nothing is lost', () => {
    const behavior = { actor: 'assistant', action: 'responds', contentState: 'present' };
    expect(verdictOf(contains(''), behavior)).toEqual(['fail', null]);
  });

  it('JSON null is content', () => {
    expect(verdictOf({ type: 'exact_match', value: null }, says(null))).toEqual(['pass', null]);
    expect(verdictOf(contains('null'), says(null))).toEqual(['pass', null]);
  });
});

describe('step rules of a unit in which Behaviors may be missing', () => {
  const lossy = (behaviors: readonly JsonObject[]) =>
    createUnit(behaviors, { complete: false, losses: [createLoss('span_rejected')] });

  it('do not fail on the message that was kept: a later one may be the answer', () => {
    const unit = lossy([{ actor: 'assistant', content: 'Let me check.' }]);
    const entry = gradeStepRule(contains('R-1'), [step], unit);
    expect([entry.verdict, entry.code]).toEqual(['inconclusive', 'trace_incomplete']);
    const negative = gradeStepRule(noneOf(contains('R-1')), [step], unit);
    expect([negative.verdict, negative.code]).toEqual(['inconclusive', 'trace_incomplete']);
  });

  it('are decided by what was seen', () => {
    const unit = lossy([{ actor: 'assistant', content: 'Refund R-1.' }]);
    expect(gradeStepRule(contains('R-1'), [step], unit).verdict).toBe('pass');
    expect(gradeStepRule(noneOf(contains('R-1')), [step], unit).verdict).toBe('fail');
  });

  it('are untouched by losses of other values and by what is told for information', () => {
    const unit = createUnit([{ actor: 'assistant', content: 'No.' }], {
      complete: false,
      losses: [createLoss('value_truncated'), createLoss('duplicate_span')],
    });
    expect(gradeStepRule(contains('R-1'), [step], unit).verdict).toBe('fail');
  });
});

describe('text of content (semantics A29 to A32)', () => {
  it('a structured value is its canonical JSON', () => {
    const behavior = says({ b: [1, true], a: 'x y' });
    expect(verdictOf(contains('{"a":"x y","b":[1,true]}'), behavior)[0]).toBe('pass');
  });

  it.each([
    ['STRASSE', 'straße', 'fail'],
    ['İ', 'i', 'pass'],
    ['ΟΔΟΣ', 'οδοσ', 'pass'],
    ['café', 'cafe\u0301', 'fail'],
  ])('contains "%s" of "%s": %s', (value, text, verdict) => {
    expect(verdictOf(contains(value), says(text))[0]).toBe(verdict);
  });

  it.each([
    ['^\\d+$', '١٢', 'fail'],
    ['^R-1$', 'R-1\n', 'fail'],
    ['(?i)refund', 'REFUND', 'pass'],
    ['(?<id>R-\\d+)', 'see R-77', 'pass'],
    ['(?P<id>R-\\d+)', 'see R-77', 'pass'],
  ])('/%s/ on "%s": %s', (pattern, text, verdict) => {
    expect(verdictOf({ type: 'regex', pattern }, says(text))[0]).toBe(verdict);
  });

  it('JSON text is validated parsed, unless a text is asked for', () => {
    const json = says('{"eta": "2026-11-30"}');
    const object = { type: 'schema', schema: { type: 'object', required: ['eta'] } };
    expect(verdictOf(object, json)[0]).toBe('pass');
    expect(verdictOf({ type: 'schema', schema: { type: 'string' } }, json)[0]).toBe('pass');
    expect(verdictOf({ type: 'schema', schema: { type: 'number' } }, says('42'))[0]).toBe('pass');
    expect(verdictOf({ type: 'schema', schema: { type: 'string' } }, says('42'))[0]).toBe('pass');
  });

  it('a failure shows what was observed', () => {
    const entry = gradeStepRule({ type: 'exact_match', value: 'ok' }, [step], [says('ok\n')]);
    expect(entry.reason).toBe('expected "ok", observed "ok\\n"');
    expect(entry.nearest).toEqual({ behavior: 0, failed: 'content', detail: 'was "ok\\n"' });
    expect(entry.witness).toEqual([
      { behavior: 0, traceId: '0af7651916cd43dd8448eb211c80319c', spanId: '0000000000000001' },
    ]);
  });
});

describe('content rules at session level (semantics A52)', () => {
  it('read the last message of the assistant', () => {
    const behaviors = [
      { actor: 'assistant', content: 'Refund R-1.' },
      { actor: 'user', content: 'Thanks.' },
      { actor: 'assistant', content: 'Bye.' },
      { actor: 'assistant', action: 'calls', target: 'Log', with: {} },
      { actor: 'tool', action: 'responds', target: 'Log', content: 'R-1' },
    ];
    expect(gradeRule(contains('bye'), behaviors).verdict).toBe('pass');
    expect(gradeRule(contains('R-1'), behaviors).verdict).toBe('fail');
  });

  it('fail where the assistant said nothing, unless it may not show', () => {
    const behaviors = [{ actor: 'assistant', action: 'calls', target: 'Log', with: {} }];
    expect(gradeRule(contains('bye'), behaviors).verdict).toBe('fail');
    const lossy = createUnit(behaviors, {
      complete: false,
      losses: [createLoss('recording_truncated')],
    });
    expect(gradeRule(contains('bye'), lossy).code).toBe('trace_incomplete');
    const uncaptured = createUnit(behaviors, { losses: [createLoss('content_not_captured')] });
    expect(gradeRule(contains('bye'), uncaptured).code).toBe('evidence_missing');
    expect(gradeRule(noneOf(contains('bye')), uncaptured).code).toBe('evidence_missing');
  });
});
