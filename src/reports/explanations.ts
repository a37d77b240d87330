import type { Explanation } from '../model/explanation.js';
import type { Paint } from '../util/terminal.js';
import { renderExplanationJson } from './explain-json.js';
import { renderExplanationText } from './explain-text.js';

export interface ExplanationFormat {
  readonly name: string;
  render(explanation: Explanation, paint: Paint): Iterable<string>;
}

/** The ways `retrial explain` can print. Diagnostics of the recordings go to stderr in each. */
export const explanationFormats: readonly ExplanationFormat[] = [
  { name: 'text', render: renderExplanationText },
  { name: 'json', render: renderExplanationJson },
];
