import { defineComposition } from './composition.js';

/** Every rule inside passes. */
export const allOf = defineComposition('all_of', {
  summary: 'Every rule inside passes; with a threshold, their average score reaches it.',
  examples: [
    {
      title: 'With a threshold one part makes up for the other',
      rule: {
        type: 'all_of',
        threshold: 0.5,
        evaluations: [
          { type: 'contains', value: 'way' },
          { type: 'contains', value: 'tomorrow' },
        ],
      },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'on the way' }],
      verdict: 'pass',
    },
    {
      title: 'Without one, both must pass',
      rule: {
        type: 'all_of',
        evaluations: [
          { type: 'contains', value: 'way' },
          { type: 'contains', value: 'tomorrow' },
        ],
      },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'on the way' }],
      verdict: 'fail',
    },
  ],
});
