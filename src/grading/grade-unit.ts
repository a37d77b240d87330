import type { BoundSession } from '../documents/abs/bound-session.js';
import { isUnclassifiedMessage } from '../evaluators/selector.js';
import type { Unit } from '../model/behavior.js';
import type { Judge, Plugins } from '../model/evaluator.js';
import type { ReleaseReason, UnitReport } from '../model/report.js';
import { alignSession } from './align-session.js';
import { blockDependents } from './block-dependents.js';
import { evaluateRules } from './evaluate-rules.js';
import { readEvidence } from './read-evidence.js';
import { reportRule, reportStep } from './report-entries.js';
import { decideConformance, decideVerdict } from './unit-verdict.js';

export interface GradeUnitOptions {
  /** `monitor`: only rules of the session count, steps that did not happen are no failures. */
  readonly mode?: 'test' | 'monitor';
  /** The letter of ABS: conformance does not count (semantics A23). */
  readonly evaluationsOnly?: boolean;
  /** `ignore`: what users said need not be what the document says (semantics A13). */
  readonly userMatch?: 'template' | 'ignore';
  readonly releaseReason?: ReleaseReason;
  readonly generation?: number;
  /** Put the Behaviors into the report. */
  readonly withBehaviors?: boolean;
  /** Null or absent: rules that need a judge are inconclusive. */
  readonly judge?: Judge | null;
  readonly plugins?: Plugins | null;
}

/**
 * Grades a unit by a session, bound to one row (contract.md §3). Pure: the same unit, session and answers
 * give the same report. An evaluator that throws gives verdict `error` for its own rule.
 */
export function gradeUnit(
  unit: Unit,
  bound: BoundSession,
  options: GradeUnitOptions = {},
): UnitReport {
  const { mode = 'test', judge = null, plugins = null, userMatch = 'template' } = options;
  const evidence = readEvidence(unit);
  const aligned = alignSession(bound, unit, evidence, { userMatch, judge });
  const { behaviors } = aligned;
  const rules = evaluateRules(bound, mode === 'monitor' ? [] : aligned.steps, {
    ...aligned,
    evidence,
    judge,
    plugins,
  });
  const steps = aligned.steps.map(reportStep);
  const evaluations = blockDependents(bound, rules).flatMap((rule) => reportRule(rule, behaviors));
  const conformance = mode === 'monitor' ? 'pass' : decideConformance(steps);
  const isCounted = mode === 'test' && options.evaluationsOnly !== true;
  const verdict = decideVerdict({
    evaluations,
    conformance: isCounted ? conformance : null,
    hasRequiredSteps: steps.some((step) => step.active && !step.optional),
  });
  const { session, row } = bound;
  return {
    id: unit.id,
    kind: unit.kind,
    traceIds: unit.traceIds,
    source: unit.sources,
    session: session.name,
    document: session.document,
    digest: session.digest,
    row,
    mode,
    ...verdict,
    conformance,
    complete: unit.complete,
    releaseReason: options.releaseReason ?? 'end_of_input',
    generation: options.generation ?? 1,
    unclassifiedMessages: behaviors.filter(isUnclassifiedMessage).length,
    steps,
    evaluations,
    ...(options.withBehaviors === true && { behaviors }),
    losses: unit.losses,
  };
}
