import type { Behavior } from '../model/behavior.js';
import type { Evaluation } from '../model/document.js';
import type { GradeScope, JudgeAnswer, Outcome } from '../model/evaluator.js';
import { contentText } from './content.js';
import { describeBehavior } from './describe.js';
import { inconclusive, scored } from './outcome.js';
import { resolveReference } from './reference.js';

/** Lowest score that passes where a scoring rule names none (statement 122). */
export const defaultThreshold = 0.5;

export type JudgeInput = 'query' | 'context' | 'response';

export interface JudgeQuestion {
  /** Inputs that the kind cannot do without. */
  readonly inputs: readonly JudgeInput[];
  /** What is asked where the rule has no `criteria` of its own. */
  readonly criteria: string | null;
}

/**
 * Has a judge score the subject (statements 101, 115 to 121). Without a judge nothing is known, whatever
 * stands around the rule (semantics A39).
 */
export function askJudge(
  rule: Evaluation,
  subject: Behavior,
  scope: GradeScope,
  question: JudgeQuestion,
): Outcome {
  if (scope.judge === null) {
    return inconclusive(
      'adapter.not_configured',
      `"${rule.type}" needs a judge: configure ${rule.adapter === null ? 'one' : `"${rule.adapter}"`} ` +
        'under `adapters:` in retrial.yaml, or name one with --adapter',
      [subject.index],
    );
  }
  const inputs: Partial<Record<JudgeInput, string>> = {};
  for (const input of ['query', 'context', 'response'] as const) {
    const name = rule.fields[input] ?? (input === 'response' ? 'self' : undefined);
    if (name === undefined) {
      if (!question.inputs.includes(input)) continue;
      return inconclusive('evaluator.missing_input', `"${rule.type}" needs \`${input}\``, [
        subject.index,
      ]);
    }
    const found = resolveReference(contentText(name), subject, scope);
    if (found.kind === 'unknown') {
      return inconclusive(
        'evaluator.missing_input',
        `\`${input}\` names "${contentText(name)}", which is no step of this session`,
        [subject.index],
      );
    }
    if (found.kind === 'unseen') return inconclusive(found.code, found.reason, [subject.index]);
    inputs[input] = found.text;
  }
  const answer = scope.judge.answer({
    type: rule.type,
    adapter: rule.adapter,
    criteria: textField(rule, 'criteria') ?? question.criteria,
    prompt: textField(rule, 'prompt'),
    dataset: rule.fields.dataset ?? null,
    query: inputs.query ?? null,
    context: inputs.context ?? null,
    response: inputs.response ?? '',
    ...(rule.observed !== undefined && { observed: rule.observed.map(contentText) }),
    fields: rule.fields,
  });
  return outcomeOf(answer, rule, subject);
}

/** The outcome of a rule that something outside has answered. */
export function outcomeOf(answer: JudgeAnswer, rule: Evaluation, subject: Behavior): Outcome {
  const judge = answer.judge === undefined ? {} : { judge: answer.judge };
  if (answer.kind === 'unanswered') {
    return { ...inconclusive(answer.code, answer.reason, [subject.index]), ...judge };
  }
  const reason = `${describeBehavior(subject)}: ${answer.reason}`;
  const byScore = {
    ...scored(answer.score, rule.threshold ?? defaultThreshold, reason, [subject.index]),
    ...judge,
  };
  if (answer.passed === undefined || answer.passed === (byScore.verdict === 'pass')) return byScore;
  return {
    ...byScore,
    verdict: answer.passed ? 'pass' : 'fail',
    code: answer.passed ? null : 'evaluator.threshold_not_met',
  };
}

function textField(rule: Evaluation, name: string): string | null {
  const value = rule.fields[name];
  return value === undefined ? null : contentText(value);
}
