import type { Behavior } from '../model/behavior.js';
import type { Evaluation } from '../model/document.js';
import type {
  EvaluatorDefinition,
  EvaluatorExample,
  FieldSpec,
  GradeScope,
  Outcome,
} from '../model/evaluator.js';
import { contentText } from './content.js';
import { quoteValue } from './describe.js';
import { optional, required } from './fields.js';
import { defaultThreshold } from './judged.js';
import { inconclusive, scored } from './outcome.js';
import { type Referenced, resolveReference } from './reference.js';
import { tokenize } from './text-metrics.js';

interface MetricText {
  readonly summary: string;
  readonly fields?: Readonly<Record<string, FieldSpec>>;
  readonly score: (
    observed: readonly string[],
    truth: readonly string[],
    rule: Evaluation,
  ) => number;
  readonly examples: readonly EvaluatorExample[];
}

/** A score that compares the response with a reference text (statement 128). */
export function defineMetric(type: string, text: MetricText): EvaluatorDefinition {
  return {
    type,
    level: 'step',
    family: 'metric',
    since: '0.2',
    summary: text.summary,
    scores: true,
    fields: {
      ground_truth: required(
        {},
        'The text to compare with: `self` for the declared content, a step (`id`, `id.action`), or the text.',
      ),
      response: optional({ type: 'string' }, 'The text compared: `self` by default, or a step.'),
      ...text.fields,
    },
    run: {
      kind: 'content',
      evaluate: (rule, subject, scope) => {
        const response = contentText(rule.fields.response ?? 'self');
        const observed = resolveReference(response, subject, scope);
        if (observed.kind !== 'text') return withoutText('response', response, observed, subject);
        const declared = contentText(rule.fields.ground_truth ?? '');
        const truth = findTruth(declared, subject, scope);
        if (truth.kind !== 'text') return withoutText('ground_truth', declared, truth, subject);
        const score = text.score(tokenize(observed.text), tokenize(truth.text), rule);
        const witness = [observed.behavior, truth.behavior].filter((index) => index >= 0);
        const reason = `compared with ${quoteValue(truth.text)}`;
        return scored(score, rule.threshold ?? defaultThreshold, reason, [...new Set(witness)]);
      },
    },
    examples: text.examples,
  };
}

/** `self` is what the step declares; what names no step is the text itself (statement 131). */
function findTruth(declared: string, subject: Behavior, scope: GradeScope): Referenced {
  if (declared !== 'self') {
    const found = resolveReference(declared, subject, scope);
    return found.kind === 'unknown' ? { kind: 'text', text: declared, behavior: -1 } : found;
  }
  const content = scope.step?.step.content;
  return content === undefined
    ? { kind: 'unknown' }
    : { kind: 'text', text: contentText(content), behavior: -1 };
}

function withoutText(
  field: string,
  name: string,
  found: Exclude<Referenced, { kind: 'text' }>,
  subject: Behavior,
): Outcome {
  if (found.kind === 'unseen') return inconclusive(found.code, found.reason, [subject.index]);
  const reason =
    name === 'self'
      ? `\`${field}: self\` needs a step with declared content`
      : `\`${field}\` names "${name}", which is no step of this session`;
  return inconclusive('evaluator.missing_input', reason, [subject.index]);
}
