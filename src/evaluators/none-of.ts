import { defineComposition } from './composition.js';

/** No rule inside passes. */
export const noneOf = defineComposition('none_of', {
  summary: 'No rule inside passes; with a threshold, one minus their average score reaches it.',
  examples: [
    {
      title: 'A secret in the answer',
      rule: { type: 'none_of', evaluations: [{ type: 'contains', value: 'password' }] },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'your password is hunter2' }],
      verdict: 'fail',
    },
    {
      title: 'A part that cannot be decided never lets it pass',
      rule: { type: 'none_of', evaluations: [{ type: 'llm_judge', criteria: 'is rude' }] },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'hello there' }],
      verdict: 'inconclusive',
    },
  ],
});
