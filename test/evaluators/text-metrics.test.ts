import { describe, expect, it } from 'vitest';
import {
  bleuScore,
  overlapOfGrams,
  overlapOfSubsequence,
  overlapOfWords,
  tokenize,
} from '../../src/evaluators/text-metrics.js';

/** response, truth, f1, bleu, rougeL: the vectors that every ABS implementation shares (statement 133). */
const vectors = [
  ['The cat sat on the mat', 'The cat sat on the mat', 1, 1, 1],
  ['The cat sat on the mat', 'The cat is on the mat', 0.833333, 0.488923, 0.833333],
  ['The cat sat on the mat', 'A dog runs in the park', 0.166667, 0.220896, 0.166667],
  ['paris is the capital of france', 'the capital of france is paris', 1, 0.66874, 0.666667],
  [
    'short answer',
    'a much longer reference answer with many extra words',
    0.181818,
    0.017434,
    0.181818,
  ],
  ['', 'something', 0, 0, 0],
] as const;

describe('reference metrics', () => {
  it.each(vectors)('"%s" against "%s"', (response, truth, f1, bleu, rougeL) => {
    const [observed, expected] = [tokenize(response), tokenize(truth)];
    expect(overlapOfWords(observed, expected).f1).toBeCloseTo(f1, 5);
    expect(bleuScore(observed, expected)).toBeCloseTo(bleu, 5);
    expect(overlapOfSubsequence(observed, expected).f1).toBeCloseTo(rougeL, 5);
  });

  it('read words of any script, lower-cased, without punctuation', () => {
    expect(tokenize("Größe 42: ÉTÉ, don't_stop 東京!")).toEqual([
      'größe',
      '42',
      'été',
      'don',
      't_stop',
      '東京',
    ]);
  });

  it('count a repeated word as often as both have it', () => {
    const overlap = overlapOfWords(tokenize('a a a b'), tokenize('a a c'));
    expect(overlap).toEqual({ precision: 2 / 4, recall: 2 / 3, f1: 4 / 7 });
  });

  it('compare pairs of words for ROUGE-2', () => {
    // Pairs: (the cat) (cat sat) against (the cat) (cat is) (is here).
    const overlap = overlapOfGrams(tokenize('the cat sat'), tokenize('the cat is here'), 2);
    expect(overlap).toEqual({ precision: 1 / 2, recall: 1 / 3, f1: 2 / 5 });
  });

  it('find the longest common subsequence of texts longer than a machine word', () => {
    const left = Array.from({ length: 300 }, (_, n) => `w${n}`);
    const right = left.filter((_, n) => n % 3 !== 0);
    expect(overlapOfSubsequence(left, right).precision).toBeCloseTo(200 / 300, 10);
    expect(overlapOfSubsequence(right, left).recall).toBeCloseTo(200 / 300, 10);
  });
});
