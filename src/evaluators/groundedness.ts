import { defineDimension } from './dimension.js';

/** The response is supported by the context. */
export const groundedness = defineDimension('Groundedness', {
  since: '0.1',
  inputs: ['query', 'context', 'response'],
  summary: 'The response is supported by the context.',
  criteria:
    'Score how far every claim of the response is supported by the context: 1 when all of them are, 0 when none is.',
});
