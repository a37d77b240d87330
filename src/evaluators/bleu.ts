import { defineMetric } from './metric.js';
import { bleuScore } from './text-metrics.js';

/** Shared runs of up to four words, with a penalty for brevity. */
export const bleu = defineMetric('bleu', {
  summary:
    'Runs of up to four words of the response stand in the reference: BLEU-4, add-one smoothed.',
  score: bleuScore,
  examples: [
    {
      title: 'One word differs',
      rule: { type: 'bleu', ground_truth: 'The cat is on the mat', threshold: 0.5 },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'The cat sat on the mat' }],
      verdict: 'fail',
    },
  ],
});
