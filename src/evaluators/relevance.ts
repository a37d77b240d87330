import { defineDimension } from './dimension.js';

/** The response answers the query. */
export const relevance = defineDimension('Relevance', {
  since: '0.1',
  inputs: ['query', 'response'],
  summary: 'The response answers the query.',
  criteria:
    'Score how directly and completely the response answers the query: 1 for a full answer, 0 for none.',
});
