import { defineDimension } from './dimension.js';

/** The response is consistent in itself and easy to follow. */
export const coherence = defineDimension('Coherence', {
  since: '0.1',
  inputs: ['response'],
  summary: 'The response is consistent in itself and easy to follow.',
  criteria:
    'Score how coherent the response is: 1 when it is consistent and well ordered, 0 when it contradicts itself or cannot be followed.',
});
