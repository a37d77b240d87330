import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/util/json.js';
import { gradeDocument } from '../support/grade-document.js';
import { gradeStepRule } from '../support/session-rule.js';
import { createUnit } from '../support/stated-unit.js';

const step = { actor: 'assistant', action: 'informs' };
const answer = [{ actor: 'assistant', content: 'on the way' }];

/** Rules whose verdict on the answer is known. */
const parts: Readonly<Record<string, JsonObject>> = {
  P: { type: 'contains', value: 'way' },
  F: { type: 'contains', value: 'nowhere' },
  I: { type: 'llm_judge', criteria: 'is kind' },
  S: { type: 'contains', value: 'way', when: 'false == true' },
};

function verdictOf(type: string, letters: string, more: JsonObject = {}): string {
  const evaluations = [...letters].map((letter) => parts[letter] ?? {});
  return gradeStepRule({ type, evaluations, ...more }, [step], answer).verdict;
}

describe('composition without a threshold is Kleene logic (semantics A36, A38, A42)', () => {
  it.each([
    ['all_of', 'PP', 'pass'],
    ['all_of', 'PF', 'fail'],
    ['all_of', 'PI', 'inconclusive'],
    ['all_of', 'FI', 'fail'],
    ['all_of', 'PS', 'pass'],
    ['all_of', 'SS', 'skipped'],
    ['all_of', '', 'pass'],
    ['any_of', 'PF', 'pass'],
    ['any_of', 'FF', 'fail'],
    ['any_of', 'PI', 'pass'],
    ['any_of', 'FI', 'inconclusive'],
    ['any_of', 'FS', 'fail'],
    ['any_of', 'S', 'skipped'],
    ['any_of', '', 'fail'],
    ['none_of', 'FF', 'pass'],
    ['none_of', 'PF', 'fail'],
    ['none_of', 'FI', 'inconclusive'],
    ['none_of', 'PI', 'fail'],
    ['none_of', 'FS', 'pass'],
    ['none_of', 'S', 'skipped'],
    ['none_of', '', 'pass'],
  ])('%s of %s: %s', (type, letters, verdict) => {
    expect(verdictOf(type, letters)).toBe(verdict);
  });
});

describe('composition with a threshold compares the average (semantics A37, A38)', () => {
  it.each([
    ['all_of', 'PF', 0.5, 'pass'],
    ['all_of', 'PF', 0.51, 'fail'],
    ['any_of', 'PF', 0.8, 'fail'],
    ['any_of', 'PPF', 0.6, 'pass'],
    ['none_of', 'PF', 0.5, 'pass'],
    ['none_of', 'PF', 0.6, 'fail'],
    // The open part is worth 0 or 1: between 0.5 and 1.
    ['all_of', 'PI', 0.5, 'pass'],
    ['all_of', 'PI', 0.6, 'inconclusive'],
    // Between 0 and 0.5.
    ['all_of', 'FI', 0.6, 'fail'],
    ['none_of', 'FI', 0.5, 'pass'],
    ['none_of', 'PI', 0.6, 'fail'],
    ['none_of', 'FI', 0.6, 'inconclusive'],
    ['all_of', 'PS', 1, 'pass'],
  ])('%s of %s against %d: %s', (type, letters, threshold, verdict) => {
    expect(verdictOf(type, letters, { threshold })).toBe(verdict);
  });
});

describe('rules inside a composition', () => {
  const document = JSON.stringify({
    session: 's',
    abs_version: '0.2',
    behaviors: [
      {
        ...step,
        evaluations: [
          {
            type: 'all_of',
            evaluations: [parts.P, { type: 'any_of', evaluations: [parts.F, parts.P] }],
          },
          parts.P,
        ],
      },
    ],
  });

  it('have entries of their own after their parent, marked as nested', () => {
    const report = gradeDocument(document, createUnit(answer));
    expect(report.evaluations.map(({ rule, nested, verdict }) => [rule, nested, verdict])).toEqual([
      ['/behaviors/0/evaluations/0', undefined, 'pass'],
      ['/behaviors/0/evaluations/0/evaluations/0', true, 'pass'],
      ['/behaviors/0/evaluations/0/evaluations/1', true, 'pass'],
      ['/behaviors/0/evaluations/0/evaluations/1/evaluations/0', true, 'fail'],
      ['/behaviors/0/evaluations/0/evaluations/1/evaluations/1', true, 'pass'],
      ['/behaviors/0/evaluations/1', undefined, 'pass'],
    ]);
  });

  it('do not count for the unit: a nested failure that was made up for is none', () => {
    expect(gradeDocument(document, createUnit(answer)).verdict).toBe('pass');
  });

  it('a step that did not happen fails even none_of, never vacuously passing it', () => {
    const entry = gradeStepRule({ type: 'none_of', evaluations: [parts.F ?? {}] }, [step], []);
    expect([entry.verdict, entry.code]).toEqual(['fail', 'step_unmatched']);
  });
});
