import type { EvaluatorDefinition } from '../model/evaluator.js';
import { required } from './fields.js';
import { outcomeOf } from './judged.js';
import { inconclusive } from './outcome.js';

/** An evaluator of the user's own, by its id (statement 102). */
export const custom: EvaluatorDefinition = {
  type: 'custom',
  level: 'both',
  family: 'custom',
  since: '0.1',
  summary: 'A registered evaluator decides; every other key of the rule is handed to it.',
  scores: true,
  fields: { id: required({ type: 'string' }, 'The id it is registered under.') },
  run: {
    kind: 'content',
    evaluate: (rule, subject, scope) => {
      const id = String(rule.fields.id);
      if (scope.plugins === null) {
        return inconclusive(
          'adapter.not_configured',
          `no evaluator is registered as "${id}": pass the file that defines it with --plugin`,
          [subject.index],
        );
      }
      const { fields } = rule;
      const answer = scope.plugins.answer({ id, fields, subject, behaviors: scope.behaviors });
      return outcomeOf(answer, rule, subject);
    },
  },
  examples: [
    {
      title: 'Without a plugin nothing is known',
      rule: { type: 'custom', id: 'house_style' },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'Your refund is on its way.' }],
      verdict: 'inconclusive',
    },
  ],
};
