import type { EvaluationReport, StepReport, UnitReport } from '../model/report.js';

/** What people call a rule: its title with the type, or the type with where it stands. */
export function titleOf(evaluation: EvaluationReport): string {
  return evaluation.title === null ? evaluation.type : `${evaluation.title} (${evaluation.type})`;
}

/** `specs/refund.abs.yaml:31`, which editors and terminals make clickable. */
export function placeOf(unit: UnitReport, rule: { readonly line: number }): string {
  return `${unit.document}:${rule.line}`;
}

/** Steps that had to be observed and were not, or may not have been. */
export function missedSteps(unit: UnitReport): readonly StepReport[] {
  return unit.steps.filter((step) => step.active && !step.optional && step.matched !== true);
}

/** `trace 4bf9…` or `conversation support-17`. */
export function nameUnit(unit: { readonly kind: string; readonly id: string }): string {
  return `${unit.kind} ${unit.id}`;
}
