import type { Evaluation } from '../model/document.js';
import type { EvaluatorDefinition, EvaluatorExample, Outcome } from '../model/evaluator.js';
import { required } from './fields.js';
import { failed, formatScore, inconclusive, passed, scored } from './outcome.js';
import { ruleWarning } from './problems.js';

type CompositionType = 'all_of' | 'any_of' | 'none_of';

interface CompositionText {
  readonly summary: string;
  readonly examples: readonly EvaluatorExample[];
}

/**
 * A rule made of rules (statements 111 to 114). Without a threshold it follows Kleene's three-valued
 * logic; with one the average of the scores decides, for none_of one minus it (semantics A37, A38).
 * Skipped parts are left out before they come here (A42).
 */
export function defineComposition(
  type: CompositionType,
  text: CompositionText,
): EvaluatorDefinition {
  return {
    type,
    level: 'both',
    family: 'composition',
    since: '0.1',
    summary: text.summary,
    scores: true,
    fields: {
      evaluations: required(
        { type: 'array', items: { type: 'object' } },
        'The rules inside, of any kind. With `threshold`, their average score decides.',
      ),
    },
    lint: (evaluation) =>
      evaluation.children.length === 0 ? [emptyWarning(type, evaluation)] : [],
    run: {
      kind: 'composition',
      combine: (rule, parts) =>
        rule.threshold === null || parts.length === 0
          ? combineByLogic(type, parts)
          : combineByAverage(type, rule.threshold, parts),
    },
    examples: text.examples,
  };
}

function emptyWarning(type: CompositionType, evaluation: Evaluation) {
  const always = type === 'any_of' ? 'fails' : 'passes';
  return ruleWarning(
    evaluation,
    'vacuous-rule',
    `${type} without evaluations always ${always}`,
    'name at least one evaluation',
  );
}

/** The part verdict that decides at once, and the verdict that it gives. */
const decidedBy = {
  all_of: { part: 'fail', gives: 'fail' },
  any_of: { part: 'pass', gives: 'pass' },
  none_of: { part: 'pass', gives: 'fail' },
} as const;

function combineByLogic(type: CompositionType, parts: readonly Outcome[]): Outcome {
  const { part, gives } = decidedBy[type];
  const deciding = parts.filter((outcome) => outcome.verdict === part);
  const [first] = deciding;
  if (first !== undefined) {
    const reason = `${countParts(deciding, parts)} ${part === 'pass' ? 'passed' : 'failed'}: ${first.reason}`;
    const witness = witnessOf(deciding);
    return gives === 'pass'
      ? passed(reason, witness)
      : failed(reason, witness, nearestOf(deciding));
  }
  const open = parts.find((outcome) => outcome.verdict !== 'pass' && outcome.verdict !== 'fail');
  if (open !== undefined) return leaveOpen(open, parts);
  const reason =
    parts.length === 0 ? 'it has no parts' : `no part ${part === 'pass' ? 'passed' : 'failed'}`;
  return gives === 'fail'
    ? passed(reason, witnessOf(parts))
    : failed(reason, witnessOf(parts), nearestOf(parts));
}

function combineByAverage(
  type: CompositionType,
  threshold: number,
  parts: readonly Outcome[],
): Outcome {
  const scoreWith = (unknown: number): number => {
    const sum = parts.reduce((total, outcome) => total + (scoreOf(outcome) ?? unknown), 0);
    const average = sum / parts.length;
    return type === 'none_of' ? 1 - average : average;
  };
  const [low, high] = [Math.min(scoreWith(0), scoreWith(1)), Math.max(scoreWith(0), scoreWith(1))];
  const open = parts.find((outcome) => scoreOf(outcome) === null);
  if (open === undefined) {
    return scored(low, threshold, `average of ${parts.length} parts`, witnessOf(parts));
  }
  if (low >= threshold === high >= threshold) {
    const decided = scored(low, threshold, 'whatever the open parts are', witnessOf(parts));
    const bounds = `the score lies between ${formatScore(low)} and ${formatScore(high)}`;
    return {
      ...decided,
      score: low >= threshold ? low : high,
      reason: `${bounds}, threshold ${threshold}`,
    };
  }
  return leaveOpen(open, parts);
}

function leaveOpen(open: Outcome, parts: readonly Outcome[]): Outcome {
  const code = open.code ?? 'evaluator.error';
  return inconclusive(code, `a part is open: ${open.reason}`, witnessOf(parts));
}

/** Score of a decided part; null where it is open. */
function scoreOf(outcome: Outcome): number | null {
  if (outcome.verdict === 'pass') return outcome.score ?? 1;
  return outcome.verdict === 'fail' ? (outcome.score ?? 0) : null;
}

function countParts(deciding: readonly Outcome[], parts: readonly Outcome[]): string {
  return `${deciding.length} of ${parts.length} parts`;
}

function witnessOf(outcomes: readonly Outcome[]): readonly number[] {
  return [...new Set(outcomes.flatMap((outcome) => outcome.witness))];
}

function nearestOf(outcomes: readonly Outcome[]) {
  return outcomes.find((outcome) => outcome.nearest !== undefined)?.nearest ?? null;
}
