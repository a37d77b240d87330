import { findEvaluator } from '../evaluators/index.js';
import { defaultThreshold } from '../evaluators/judged.js';
import type { Behavior } from '../model/behavior.js';
import type { EvaluationReport, StepReport } from '../model/report.js';
import type { Severity, Witness } from '../model/verdict.js';
import type { GradedRule } from './evaluate-rules.js';
import type { AlignedStep } from './step-facts.js';

/** The entry of a step in the report (contract.md §3). */
export function reportStep({ step, state, behavior, code, nearest }: AlignedStep): StepReport {
  const isMissing = state === 'unmatched' || state === 'inactive';
  const isHarmless = state === 'inactive' || (step.optional && state === 'unmatched');
  return {
    rule: step.rule,
    ...(step.via !== null && { via: step.via }),
    line: step.position.line,
    matched: isMissing ? false : state === 'matched' ? true : null,
    code: isHarmless ? null : code,
    optional: step.optional,
    active: state !== 'inactive',
    behavior: behavior?.index ?? null,
    nearest:
      nearest === null
        ? null
        : { behavior: nearest.behavior, failed: nearest.failed, detail: nearest.detail },
  };
}

/** The entry of a rule, and after it those of the rules inside. */
export function reportRule(
  graded: GradedRule,
  behaviors: readonly Behavior[],
  isNested = false,
): readonly EvaluationReport[] {
  const { rule, outcome } = graded;
  const threshold = rule.threshold ?? defaultThresholdOf(rule.type);
  const { nearest, judge } = outcome;
  const entry: EvaluationReport = {
    rule: rule.rule,
    ...(rule.via !== null && { via: rule.via }),
    line: rule.position.line,
    type: rule.type,
    title: rule.title,
    verdict: outcome.verdict,
    score: outcome.score,
    ...(threshold !== null && { threshold }),
    reason: outcome.reason,
    code: outcome.code,
    ...(rule.blocking && { blocking: true }),
    severity: rule.severity ?? defaultSeverityOf(rule.type),
    ...(rule.adapter !== null && { adapter: rule.adapter }),
    ...(isNested && { nested: true }),
    witness: outcome.witness.flatMap((index) => witnessOf(behaviors[index])),
    ...(nearest !== undefined && {
      nearest: { behavior: nearest.behavior, failed: nearest.failed, detail: nearest.detail },
    }),
    ...(judge !== undefined && { judge }),
  };
  return [entry, ...graded.parts.flatMap((part) => reportRule(part, behaviors, true))];
}

/** A group has no threshold unless it names one (semantics A37), and no other boolean kind has any. */
function defaultThresholdOf(type: string): number | null {
  const definition = findEvaluator(type);
  if (definition === null || definition.run.kind === 'composition') return null;
  return definition.scores ? defaultThreshold : null;
}

function defaultSeverityOf(type: string): Severity {
  return type === 'never' ? 'critical' : 'warning';
}

function witnessOf(behavior: Behavior | undefined): readonly Witness[] {
  const span = behavior?.evidence.spans[0];
  if (behavior === undefined || span === undefined) return [];
  return [{ behavior: behavior.index, traceId: span.traceId, spanId: span.spanId }];
}
