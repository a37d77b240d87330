import { defineMetric } from './metric.js';
import { overlapOfWords } from './text-metrics.js';

/** Overlap of words, counted as often as they stand in both texts. */
export const f1 = defineMetric('f1', {
  summary: 'The words of the response overlap with those of the reference: F1 of shared words.',
  score: (observed, truth) => overlapOfWords(observed, truth).f1,
  examples: [
    {
      title: 'One word differs',
      rule: { type: 'f1', ground_truth: 'The cat is on the mat', threshold: 0.8 },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'The cat sat on the mat' }],
      verdict: 'pass',
    },
  ],
});
