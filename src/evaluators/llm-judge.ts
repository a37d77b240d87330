import type { EvaluatorDefinition } from '../model/evaluator.js';
import { optional, required } from './fields.js';
import { askJudge } from './judged.js';

const text = { type: 'string' };

/** Fields that every rule scored by a judge may carry (statement 123). */
export const judgeFields = {
  prompt: optional(text, 'Template with {{criteria}}, {{context}} and {{response}}.'),
  dataset: optional(
    { type: ['string', 'array'] },
    'Examples for the judge: an id, a list of objects, or JSON lines as text.',
  ),
  query: optional(text, 'Reference to what was asked: `id`, `id.action` or `self`.'),
  context: optional(text, 'Reference to what the answer may rest on.'),
  response: optional(text, 'Reference to what is judged: `self` by default.'),
};

/** A judge scores the subject against criteria (statement 101). */
export const llmJudge: EvaluatorDefinition = {
  type: 'llm_judge',
  level: 'step',
  family: 'judge',
  since: '0.1',
  summary: 'A configured judge scores the observed content against the criteria.',
  scores: true,
  fields: { criteria: required(text, 'What is asked of the content.'), ...judgeFields },
  run: {
    kind: 'content',
    evaluate: (rule, subject, scope) =>
      askJudge(rule, subject, scope, { inputs: ['response'], criteria: null }),
  },
  examples: [
    {
      title: 'Without a judge nothing is known',
      rule: { type: 'llm_judge', criteria: 'The answer is friendly.' },
      steps: [{ actor: 'assistant', action: 'informs' }],
      behaviors: [{ actor: 'assistant', content: 'Hello, my friend.' }],
      verdict: 'inconclusive',
    },
  ],
};
