import type { Evaluation } from '../model/document.js';
import type { EvaluatorDefinition } from '../model/evaluator.js';
import type { Problem } from '../model/problem.js';
import { joinWords } from '../util/text.js';
import { optional } from './fields.js';
import { askJudge, type JudgeInput } from './judged.js';
import { judgeFields } from './llm-judge.js';
import { ruleWarning } from './problems.js';

interface DimensionText {
  readonly summary: string;
  readonly criteria: string;
  readonly since: '0.1' | '0.2';
  readonly inputs: readonly JudgeInput[];
}

/** A quality or safety dimension: a judge with criteria of its own (statements 115, 118). */
export function defineDimension(type: string, text: DimensionText): EvaluatorDefinition {
  return {
    type,
    level: 'step',
    family: 'judge',
    since: text.since,
    summary: text.summary,
    scores: true,
    fields: {
      criteria: optional({ type: 'string' }, 'Replaces the criteria of the dimension.'),
      ...judgeFields,
    },
    lint: (evaluation) => lintInputs(evaluation, text.inputs),
    run: {
      kind: 'content',
      evaluate: (rule, subject, scope) =>
        askJudge(rule, subject, scope, { inputs: text.inputs, criteria: text.criteria }),
    },
    examples: [
      {
        title: 'Without a judge nothing is known',
        rule: { type },
        steps: [{ actor: 'assistant', action: 'informs' }],
        behaviors: [{ actor: 'assistant', content: 'Your refund is on its way.' }],
        verdict: 'inconclusive',
      },
    ],
  };
}

function lintInputs(evaluation: Evaluation, inputs: readonly JudgeInput[]): readonly Problem[] {
  const missing = inputs.filter((input) => input !== 'response' && !(input in evaluation.fields));
  if (missing.length === 0) return [];
  return [
    ruleWarning(
      evaluation,
      'missing-input',
      `${evaluation.type} needs ${joinWords(missing, 'and')}: it can never be scored`,
      `add ${joinWords(
        missing.map((input) => `\`${input}: <id of a step>\``),
        'and',
      )}`,
    ),
  ];
}
