import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/util/json.js';
import { gradeDocument } from '../support/grade-document.js';
import { gradeRule, gradeStepRule } from '../support/session-rule.js';
import { createLoss, createUnit } from '../support/stated-unit.js';

const calls = (target: string, more: JsonObject = {}): JsonObject => ({
  actor: 'assistant',
  action: 'calls',
  target,
  ...more,
});
const lossy = (behaviors: readonly JsonObject[]) =>
  createUnit(behaviors, { complete: false, losses: [createLoss('span_rejected')] });

function verdictOf({ verdict, code }: { verdict: string; code: string | null }) {
  return [verdict, code];
}

const rule = { type: 'tool_call', target: 'A', with: { id: 1 } };
const noneOf = { type: 'none_of', evaluations: [rule] };

describe('tool_call at session level (semantics A52, T02)', () => {
  it.each<[string, readonly JsonObject[], string]>([
    [
      'one of several calls',
      [calls('A', { with: { id: 2 } }), calls('A', { with: { id: 1 } })],
      'pass',
    ],
    ['another value', [calls('A', { with: { id: 2 } })], 'fail'],
    ['a text for a number', [calls('A', { with: { id: '1' } })], 'fail'],
    ['another tool', [calls('B', { with: { id: 1 } })], 'fail'],
    ['a call that nothing executed', [calls('A', { with: { id: 1 }, outcome: 'pending' })], 'pass'],
    [
      'a response is no call',
      [{ actor: 'tool', action: 'responds', target: 'A', with: { id: 1 } }],
      'fail',
    ],
  ])('%s', (_title, behaviors, verdict) => {
    expect(gradeRule(rule, behaviors).verdict).toBe(verdict);
  });

  it('shows the nearest call, or the tools that were called', () => {
    const near = gradeRule(rule, [calls('A', { with: { id: 999 } })]);
    expect(near.nearest).toEqual({
      behavior: 0,
      failed: 'with',
      detail: '`id` was 999, expected 1',
    });
    expect(gradeRule(rule, [calls('B'), calls('C')]).reason).toContain('called were "B" and "C"');
    expect(gradeRule(rule, []).reason).toContain('no tool was called');
  });

  it('nested values must be equal, with_only allows no other key', () => {
    const geo = (key: string, loc: JsonObject) => ({
      type: 'tool_call',
      target: 'G',
      [key]: { loc },
    });
    const observed = [calls('G', { with: { loc: { lat: 1 }, zoom: 2 } })];
    expect(gradeRule(geo('with', { lat: 1 }), observed).verdict).toBe('pass');
    expect(gradeRule(geo('with_only', { lat: 1 }), observed).verdict).toBe('fail');
    expect(gradeRule(geo('with', { lat: 1, lng: 2 }), observed).verdict).toBe('fail');
  });

  it('takes prototype keys as data', () => {
    const rule = { type: 'tool_call', target: 'A', with: { toString: 'x' } };
    expect(gradeRule(rule, [calls('A', { with: {} })]).verdict).toBe('fail');
  });
});

describe('arguments whose evidence is lacking', () => {
  it.each([
    ['absent', 'evidence_missing'],
    ['truncated', 'evidence_truncated'],
    ['redacted', 'evidence_redacted'],
  ])('%s: neither fails nor passes a negative', (withState, code) => {
    const behaviors = [calls('A', { withState })];
    expect(verdictOf(gradeRule(rule, behaviors))).toEqual(['inconclusive', code]);
    expect(verdictOf(gradeRule(noneOf, behaviors))).toEqual(['inconclusive', code]);
  });

  it('do not matter to a rule that reads none', () => {
    const behaviors = [calls('A', { withState: 'absent' })];
    expect(gradeRule({ type: 'tool_call', target: 'A' }, behaviors).verdict).toBe('pass');
    expect(gradeRule({ type: 'tool_call', target: 'B' }, behaviors).verdict).toBe('fail');
  });

  it('the part that was kept decides where it can', () => {
    const kept = [calls('A', { with: { id: 1 }, withState: 'truncated' })];
    expect(gradeRule(rule, kept).verdict).toBe('pass');
    expect(gradeRule(noneOf, kept).verdict).toBe('fail');
    const only = { type: 'tool_call', target: 'A', with_only: { id: 1 } };
    expect(gradeRule(only, kept).verdict).toBe('inconclusive');
    const surplus = [calls('A', { with: { id: 1, x: 2 }, withState: 'truncated' })];
    expect(gradeRule(only, surplus).verdict).toBe('fail');
  });

  it('a call that may be missing leaves it open, one that was seen decides', () => {
    expect(verdictOf(gradeRule(rule, lossy([])))).toEqual(['inconclusive', 'trace_incomplete']);
    expect(verdictOf(gradeRule(noneOf, lossy([])))).toEqual(['inconclusive', 'trace_incomplete']);
    const seen = lossy([calls('A', { with: { id: 1 } })]);
    expect(gradeRule(rule, seen).verdict).toBe('pass');
    expect(gradeRule(noneOf, seen).verdict).toBe('fail');
  });
});

describe('steps that lost evidence could have held (semantics A23)', () => {
  const document = JSON.stringify({
    session: 's',
    abs_version: '0.2',
    behaviors: [
      { id: 'a', ...calls('A'), with: { id: 1 }, evaluations: [{ type: 'tool_call' }] },
      { ...calls('B'), requires: 'a', optional: true },
    ],
    evaluations: [
      { type: 'expected', behavior: 'a' },
      { type: 'never', match: { id: 'a' } },
    ],
  });

  function statesOf(unit: Parameters<typeof gradeDocument>[1]) {
    const report = gradeDocument(document, unit);
    return {
      steps: report.steps.map(({ matched, code }) => [matched, code]),
      evaluations: report.evaluations.map(({ verdict }) => verdict),
      conformance: report.conformance,
    };
  }

  it('a complete unit without the call fails', () => {
    expect(statesOf(createUnit([calls('A', { with: { id: 2 } })]))).toEqual({
      steps: [
        [false, 'step_unmatched'],
        [false, null],
      ],
      evaluations: ['fail', 'fail', 'pass'],
      conformance: 'fail',
    });
  });

  it.each([
    [
      'its arguments were not recorded',
      createUnit([calls('A', { withState: 'absent' })]),
      'evidence_missing',
    ],
    [
      'its arguments are hidden',
      createUnit([calls('A', { withState: 'redacted' })]),
      'evidence_redacted',
    ],
    ['Behaviors may be missing', lossy([]), 'trace_incomplete'],
  ])('%s: everything that rests on it is open', (_title, unit, code) => {
    expect(statesOf(unit)).toEqual({
      steps: [
        [null, code],
        [null, code],
      ],
      evaluations: ['inconclusive', 'inconclusive', 'inconclusive'],
      conformance: 'inconclusive',
    });
  });

  it('a call that was seen decides whatever is missing', () => {
    expect(statesOf(lossy([calls('A', { with: { id: 1 } })]))).toMatchObject({
      evaluations: ['pass', 'pass', 'fail'],
      conformance: 'pass',
    });
  });

  it('a message may be missing where content was not captured and none shows', () => {
    const step = { actor: 'assistant', action: 'informs' };
    const rule = { type: 'contains', value: 'x' };
    const unit = createUnit([calls('A')], { losses: [createLoss('content_not_captured')] });
    expect(verdictOf(gradeStepRule(rule, [step], unit))).toEqual([
      'inconclusive',
      'evidence_missing',
    ]);
    expect(verdictOf(gradeStepRule(rule, [step], [calls('A')]))).toEqual([
      'fail',
      'step_unmatched',
    ]);
  });
});
