import type { EvaluatorDefinition } from '../model/evaluator.js';
import { jsonEquals } from '../util/json-text.js';
import { readContent, withoutContent } from './content.js';
import { describeBehavior, quoteValue } from './describe.js';
import { required } from './fields.js';
import { failed, inconclusive, passed } from './outcome.js';

/** The observed content equals `value` (statement 95): JSON deep equality, exact integers (semantics A30). */
export const exactMatch: EvaluatorDefinition = {
  type: 'exact_match',
  level: 'step',
  family: 'step',
  since: '0.1',
  summary: 'The observed content equals the value: every character, every digit, key order aside.',
  scores: false,
  fields: { value: required({}, 'The content expected, any JSON value.') },
  run: {
    kind: 'content',
    evaluate: (rule, subject) => {
      const expected = rule.fields.value ?? null;
      const seen = readContent(subject);
      if (seen.kind === 'none' || seen.kind === 'missing') return withoutContent(seen, subject);
      if (seen.kind === 'cut') {
        return inconclusive(
          'evidence_truncated',
          `the content of ${describeBehavior(subject)} was cut, so it cannot be compared as a whole`,
          [subject.index],
        );
      }
      if (jsonEquals(seen.value, expected)) {
        return passed(`the content is ${quoteValue(expected)}`, [subject.index]);
      }
      return failed(
        `expected ${quoteValue(expected)}, observed ${quoteValue(seen.value)}`,
        [subject.index],
        { behavior: subject.index, failed: 'content', detail: `was ${quoteValue(seen.value)}` },
      );
    },
  },
  examples: [
    {
      title: 'Key order does not matter',
      rule: { type: 'exact_match', value: { a: 1, b: 2 } },
      steps: [{ actor: 'assistant', action: 'responds' }],
      behaviors: [{ actor: 'assistant', content: { b: 2, a: 1 } }],
      verdict: 'pass',
    },
    {
      title: 'A trailing line break does',
      rule: { type: 'exact_match', value: 'ok' },
      steps: [{ actor: 'assistant', action: 'responds' }],
      behaviors: [{ actor: 'assistant', content: 'ok\n' }],
      verdict: 'fail',
    },
  ],
};
