import { defineDimension } from './dimension.js';

/** The response is well written. */
export const fluency = defineDimension('Fluency', {
  since: '0.1',
  inputs: ['response'],
  summary: 'The response is well written.',
  criteria:
    'Score the language of the response: 1 when grammar and wording are faultless, 0 when it can hardly be read.',
});
