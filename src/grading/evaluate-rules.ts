import type { BoundEvaluation, BoundSession } from '../documents/abs/bound-session.js';
import { fillHoles, hasHoles, type ObservedCapture } from '../documents/abs/holes.js';
import { findEvaluator } from '../evaluators/index.js';
import { MonitorPlan } from '../evaluators/monitor-plan.js';
import { broken, failed, inconclusive } from '../evaluators/outcome.js';
import { isMessage } from '../evaluators/selector.js';
import type { Behavior } from '../model/behavior.js';
import type { EvaluatorDefinition, GradeScope, Outcome } from '../model/evaluator.js';
import type { VerdictCode } from '../model/verdict.js';
import type { AlignedStep } from './step-facts.js';

/** A rule of the session with its outcome; the rules inside a composition hang below it. */
export interface GradedRule {
  readonly rule: BoundEvaluation;
  /** The step that carries it; null at session level. */
  readonly step: AlignedStep | null;
  readonly outcome: Outcome;
  readonly parts: readonly GradedRule[];
}

/** What rules can see, apart from the step that carries them. */
export type RuleSurroundings = Omit<GradeScope, 'level' | 'step'> & {
  readonly observedCapture: ObservedCapture;
};

/** A rule as it is run: with captured values put in, or the reason why it is not run. */
interface PreparedRule {
  readonly rule: BoundEvaluation;
  readonly definition: EvaluatorDefinition | null;
  readonly step: AlignedStep | null;
  readonly verdict: Outcome | null;
  /** Its fields hold values that were captured from this very trace. */
  readonly isFilled: boolean;
  readonly parts: readonly PreparedRule[];
}

/**
 * Evaluates rules of a session: those of `steps`, in order, then those of the session. Chain rules read the
 * Behaviors together in one pass. Rules that throw have verdict `error`; no other rule is touched.
 */
export function evaluateRules(
  bound: BoundSession,
  steps: readonly AlignedStep[],
  around: RuleSurroundings,
): readonly GradedRule[] {
  const prepared = [
    ...steps.flatMap((step) =>
      step.step.evaluations.map((rule) => prepareRule(rule, step, around)),
    ),
    ...bound.evaluations.map((rule) => prepareRule(rule, null, around)),
  ];
  const monitored = runMonitors(prepared, bound, around);
  return prepared.map((rule) => evaluate(rule, monitored, around));
}

function prepareRule(
  written: BoundEvaluation,
  step: AlignedStep | null,
  around: RuleSurroundings,
): PreparedRule {
  const filled = fillHoles({ ...written, children: [] }, around.observedCapture);
  const rule = filled.ok ? filled.evaluation : written;
  const definition = findEvaluator(rule.type);
  const verdict = filled.ok
    ? (skipByCondition(rule) ?? withoutStep(step))
    : inconclusive(
        'capture_unconfirmed',
        `it needs ${filled.variable}, which was not captured from the trace`,
      );
  const parts = written.children.map((child) => {
    const part = prepareRule(child, step, around);
    // What is not run as a whole is not run in parts.
    return verdict === null ? part : { ...part, verdict };
  });
  return { rule, definition, step, verdict, isFilled: hasHoles(written.uses), parts };
}

function skipByCondition({ condition }: BoundEvaluation): Outcome | null {
  switch (condition?.outcome.kind) {
    case 'false':
      return skipped('when_false', `\`when\` is false: ${condition.expression.text}`);
    case 'unknown': {
      const name = condition.outcome.reference;
      return skipped('when_unknown_column', `\`when\` refers to ${name}, which is not known`);
    }
    default:
      return null;
  }
}

function skipped(code: VerdictCode | null, reason: string): Outcome {
  return { verdict: 'skipped', score: null, reason, code, witness: [] };
}

/** The outcome of every rule of a step that was not matched (statement 80, semantics A21). */
function withoutStep(step: AlignedStep | null): Outcome | null {
  if (step === null || step.state === 'matched') return null;
  const { state, code, reason, nearest } = step;
  if (state === 'undecided') {
    return inconclusive(
      code ?? 'evidence_missing',
      `the step is not known to have happened: ${reason}`,
      [],
      nearest,
    );
  }
  if (state === 'inactive' || step.step.optional) {
    return skipped('step_unmatched', `the step did not happen: ${reason}`);
  }
  return { ...failed(`the step did not happen: ${reason}`, [], nearest), code: 'step_unmatched' };
}

/** Plans of sessions whose chain rules do not depend on the trace: the same for every unit. */
const plans = {
  withSteps: new WeakMap<object, MonitorPlan>(),
  alone: new WeakMap<object, MonitorPlan>(),
};

/** The outcomes of all chain rules, from one pass over the Behaviors. */
function runMonitors(
  prepared: readonly PreparedRule[],
  bound: BoundSession,
  around: RuleSurroundings,
): ReadonlyMap<PreparedRule, Outcome> {
  const entries = flatten(prepared).filter((entry) => entry.definition?.run.kind === 'monitor');
  if (entries.length === 0) return new Map();
  const known = prepared.some((entry) => entry.step !== null) ? plans.withSteps : plans.alone;
  const plan = known.get(bound) ?? compilePlan(entries);
  if (!entries.some((entry) => entry.isFilled)) known.set(bound, plan);
  const watch = plan.start();
  for (const behavior of around.behaviors) watch.observe(behavior);
  const outcomes = watch.conclude(around);
  return new Map(
    entries.flatMap((entry, at): [PreparedRule, Outcome][] => {
      const outcome = outcomes[at];
      return outcome === undefined ? [] : [[entry, outcome]];
    }),
  );
}

function compilePlan(entries: readonly PreparedRule[]): MonitorPlan {
  return new MonitorPlan(
    entries.flatMap(({ rule, definition }) =>
      definition?.run.kind === 'monitor' ? [{ rule, run: definition.run }] : [],
    ),
  );
}

function flatten(rules: readonly PreparedRule[]): readonly PreparedRule[] {
  return rules.flatMap((rule) => [rule, ...flatten(rule.parts)]);
}

function evaluate(
  entry: PreparedRule,
  monitored: ReadonlyMap<PreparedRule, Outcome>,
  around: RuleSurroundings,
): GradedRule {
  const parts = entry.parts.map((part) => evaluate(part, monitored, around));
  const { rule, step } = entry;
  return { rule, step, parts, outcome: entry.verdict ?? runRule(entry, parts, monitored, around) };
}

function runRule(
  entry: PreparedRule,
  parts: readonly GradedRule[],
  monitored: ReadonlyMap<PreparedRule, Outcome>,
  around: RuleSurroundings,
): Outcome {
  const { rule, definition, step } = entry;
  const scope: GradeScope = { ...around, level: step === null ? 'session' : 'step', step };
  const known = monitored.get(entry);
  if (known !== undefined) return known;
  try {
    switch (definition?.run.kind) {
      case 'composition':
        return combineParts(definition.run.combine, rule, parts);
      case 'calls':
        return definition.run.evaluate(rule, scope);
      case 'content':
        return evaluateContent(definition.run.evaluate, rule, scope);
      default:
        throw new Error(`there is no evaluator "${rule.type}"`);
    }
  } catch (error) {
    return broken(error);
  }
}

/** Skipped parts are left out; a composition with nothing left is skipped (semantics A42). */
export function combineParts(
  combine: (rule: BoundEvaluation, parts: readonly Outcome[]) => Outcome,
  rule: BoundEvaluation,
  parts: readonly GradedRule[],
): Outcome {
  const run = parts.map((part) => part.outcome).filter((outcome) => outcome.verdict !== 'skipped');
  return parts.length > 0 && run.length === 0
    ? skipped(parts[0]?.outcome.code ?? null, 'every rule inside was skipped')
    : combine(rule, run);
}

/**
 * A rule on content reads the Behavior of its step; at session level the last message of the assistant
 * (semantics A52). Where Behaviors may be missing, the right one may be among them: a failure is not sure.
 */
function evaluateContent(
  run: (rule: BoundEvaluation, subject: Behavior, scope: GradeScope) => Outcome,
  rule: BoundEvaluation,
  scope: GradeScope,
): Outcome {
  const { hidden, messagesHidden } = scope.evidence;
  const subject = scope.step === null ? lastMessage(scope.behaviors) : scope.step.behavior;
  if (subject === null) {
    if (hidden !== null)
      return inconclusive('trace_incomplete', `no message of the assistant shows, but ${hidden}`);
    return messagesHidden
      ? inconclusive('evidence_missing', 'content was not captured, so no message shows')
      : failed('the assistant said nothing');
  }
  const outcome = run(rule, subject, scope);
  if (outcome.verdict !== 'fail' || hidden === null) return outcome;
  return {
    ...inconclusive('trace_incomplete', `${outcome.reason}, but ${hidden}`, outcome.witness),
    ...(outcome.nearest !== undefined && { nearest: outcome.nearest }),
  };
}

function lastMessage(behaviors: readonly Behavior[]): Behavior | null {
  return (
    behaviors.findLast((behavior) => behavior.actor === 'assistant' && isMessage(behavior)) ?? null
  );
}
