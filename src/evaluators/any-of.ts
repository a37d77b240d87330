import { defineComposition } from './composition.js';

/** At least one rule inside passes. */
export const anyOf = defineComposition('any_of', {
  summary: 'At least one rule inside passes; with a threshold, their average score reaches it.',
  examples: [
    {
      title: 'One of three is enough',
      rule: {
        type: 'any_of',
        evaluations: [
          { type: 'contains', value: 'today' },
          { type: 'contains', value: 'tomorrow' },
          { type: 'contains', value: 'way' },
        ],
      },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'on the way' }],
      verdict: 'pass',
    },
  ],
});
