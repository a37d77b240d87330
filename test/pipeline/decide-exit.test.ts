import { describe, expect, it } from 'vitest';
import type { Totals, Ungraded } from '../../src/model/report.js';
import { decideExit, type ExitFacts } from '../../src/pipeline/decide-exit.js';

const noTotals: Totals = {
  units: 0,
  pass: 0,
  fail: 0,
  inconclusive: 0,
  evaluations: { pass: 0, fail: 0, inconclusive: 0, skipped: 0, error: 0 },
  spans: { read: 0, rejected: 0 },
  ungraded: 0,
};

interface Case {
  readonly pass?: number;
  readonly fail?: number;
  readonly inconclusive?: number;
  readonly broken?: number;
  readonly ungraded?: readonly Ungraded['reason'][];
  readonly usage?: number;
  readonly document?: number;
  readonly interrupted?: true;
  readonly allowEmpty?: true;
  readonly as?: 'pass' | 'fail';
}

function decide(one: Case): string {
  const { pass = 0, fail = 0, inconclusive = 0, broken = 0 } = one;
  const facts: ExitFacts = {
    totals: {
      ...noTotals,
      units: pass + fail + inconclusive,
      pass,
      fail,
      inconclusive,
      evaluations: { ...noTotals.evaluations, error: broken },
    },
    ungraded: (one.ungraded ?? []).map((reason, index) => ({ id: `t${index}`, reason })),
    inputErrors: { usage: one.usage ?? 0, document: one.document ?? 0 },
    isInterrupted: one.interrupted === true,
    allowEmpty: one.allowEmpty === true,
    inconclusiveAs: one.as ?? 'inconclusive',
  };
  const { exitCode, reasonCode } = decideExit(facts);
  return `${exitCode} ${reasonCode}`;
}

describe('the exit code', () => {
  it('is 0 only when everything was decided and passed', () => {
    expect(decide({ pass: 2 })).toBe('0 ok');
    expect(decide({ pass: 2, ungraded: ['no_spec', 'not_an_agent_trace'] })).toBe('0 ok');
  });

  it('is 1 for a failure, whatever else passed or was left open', () => {
    expect(decide({ pass: 5, fail: 1, inconclusive: 3, broken: 1, ungraded: ['no_row'] })).toBe(
      '1 violations',
    );
  });

  it('is 2 for a mistake in the input, even beside a failure', () => {
    expect(decide({ fail: 1, document: 1 })).toBe('2 document');
    expect(decide({ fail: 1, usage: 1, document: 1 })).toBe('2 usage');
  });

  it('is 4 when an evaluator broke and nothing failed, before inconclusive', () => {
    expect(decide({ pass: 1, inconclusive: 1, broken: 1 })).toBe('4 grader_failed');
  });

  it('is 3 when nothing was graded, and 0 only by request and when nothing was left out', () => {
    expect(decide({})).toBe('3 nothing_graded');
    expect(decide({ ungraded: ['not_an_agent_trace'] })).toBe('3 nothing_graded');
    expect(decide({ allowEmpty: true })).toBe('0 ok');
    expect(decide({ allowEmpty: true, ungraded: ['no_row'] })).toBe('3 nothing_graded');
  });

  it('is 3 when a unit that should have been graded was not, beside graded ones', () => {
    for (const reason of ['no_row', 'no_session', 'overload'] as const) {
      expect(decide({ pass: 3, ungraded: [reason] })).toBe('3 inconclusive');
    }
  });

  it('follows --inconclusive', () => {
    expect(decide({ pass: 1, inconclusive: 1 })).toBe('3 inconclusive');
    expect(decide({ pass: 1, inconclusive: 1, as: 'pass' })).toBe('0 ok');
    expect(decide({ pass: 1, inconclusive: 1, as: 'fail' })).toBe('1 violations');
  });

  it('is 130 when it was interrupted, whatever was found', () => {
    expect(decide({ fail: 1, document: 1, interrupted: true })).toBe('130 interrupted');
  });
});
