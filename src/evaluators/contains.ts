import type { EvaluatorDefinition } from '../model/evaluator.js';
import { lowerSimply } from '../util/text.js';
import { contentText, readContent, withoutContent } from './content.js';
import { describeBehavior, quoteValue } from './describe.js';
import { required } from './fields.js';
import { failed, inconclusive, passed } from './outcome.js';

/** Whether the text contains the value's text, letter case aside (semantics A29). */
export function containsText(text: string, value: string): boolean {
  return lowerSimply(text).includes(lowerSimply(value));
}

/** The observed content contains `value` (statement 96). */
export const contains: EvaluatorDefinition = {
  type: 'contains',
  level: 'step',
  family: 'step',
  since: '0.1',
  summary: 'The text of the observed content contains the value, letter case aside.',
  scores: false,
  fields: { value: required({}, 'The text to find; another JSON value stands for its text.') },
  run: {
    kind: 'content',
    evaluate: (rule, subject) => {
      const value = rule.fields.value ?? null;
      const seen = readContent(subject);
      if (seen.kind === 'none' || seen.kind === 'missing') return withoutContent(seen, subject);
      const text = contentText(seen.value);
      if (containsText(text, contentText(value))) {
        return passed(`found ${quoteValue(value)} in ${describeBehavior(subject)}`, [
          subject.index,
        ]);
      }
      if (seen.kind === 'cut') {
        return inconclusive(
          'evidence_truncated',
          `${quoteValue(value)} is not in the part of ${describeBehavior(subject)} that was kept`,
          [subject.index],
        );
      }
      return failed(`${quoteValue(value)} is not in ${quoteValue(seen.value)}`, [subject.index], {
        behavior: subject.index,
        failed: 'content',
        detail: `was ${quoteValue(seen.value)}`,
      });
    },
  },
  examples: [
    {
      title: 'Letter case does not matter',
      rule: { type: 'contains', value: 'refund r-5512' },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'Your Refund R-5512 is on its way.' }],
      verdict: 'pass',
    },
    {
      title: 'Structured content is read as JSON text',
      rule: { type: 'contains', value: 'shipped' },
      steps: [{ actor: 'tool', action: 'responds', target: 'Orders API' }],
      behaviors: [
        { actor: 'tool', action: 'responds', target: 'Orders API', content: { status: 'pending' } },
      ],
      verdict: 'fail',
    },
  ],
};
