import type { Evaluation } from '../model/document.js';
import { optional } from './fields.js';
import { defineMetric } from './metric.js';
import { type Overlap, overlapOfGrams, overlapOfSubsequence } from './text-metrics.js';

/** Overlap of words, pairs of words, or the longest common subsequence. */
export const rouge = defineMetric('rouge', {
  summary:
    'Words, pairs of words or the order of words of the response overlap with the reference.',
  fields: {
    variant: optional(
      { enum: ['rouge1', 'rouge2', 'rougeL'] },
      'What is compared: rougeL by default.',
    ),
    metric: optional(
      { enum: ['precision', 'recall', 'f1'] },
      'Which figure is the score: f1 by default.',
    ),
  },
  score: (observed, truth, rule) => pick(overlapOf(observed, truth, rule), rule),
  examples: [
    {
      title: 'The order of words counts',
      rule: { type: 'rouge', ground_truth: 'the capital of france is paris', threshold: 0.7 },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'paris is the capital of france' }],
      verdict: 'fail',
    },
    {
      title: 'Single words do not',
      rule: {
        type: 'rouge',
        variant: 'rouge1',
        ground_truth: 'the capital of france is paris',
        threshold: 1,
      },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'paris is the capital of france' }],
      verdict: 'pass',
    },
  ],
});

function overlapOf(
  observed: readonly string[],
  truth: readonly string[],
  rule: Evaluation,
): Overlap {
  switch (rule.fields.variant) {
    case 'rouge1':
      return overlapOfGrams(observed, truth, 1);
    case 'rouge2':
      return overlapOfGrams(observed, truth, 2);
    default:
      return overlapOfSubsequence(observed, truth);
  }
}

function pick(overlap: Overlap, rule: Evaluation): number {
  const metric = rule.fields.metric;
  if (metric === 'precision') return overlap.precision;
  return metric === 'recall' ? overlap.recall : overlap.f1;
}
