import type { Diagnostic } from '../model/problem.js';
import type { EvaluationReport, Report, StepReport, UnitReport } from '../model/report.js';
import type { NearestMiss, Witness } from '../model/verdict.js';
import type { JsonObject, JsonValue } from '../util/json.js';
import { behaviorToJson, lossToJson, withoutAbsent } from './behavior-json.js';

/** Everything of a report but its units, which may be many: the head of the JSON forms. */
export function summaryToJson(report: Report): JsonObject {
  const { totals } = report;
  return {
    retrial: { ...report.retrial },
    exitCode: report.exitCode,
    reasonCode: report.reasonCode,
    nextStep: report.nextStep,
    unit: report.unit,
    totals: {
      units: totals.units,
      pass: totals.pass,
      fail: totals.fail,
      inconclusive: totals.inconclusive,
      evaluations: { ...totals.evaluations },
      spans: { ...totals.spans },
      ungraded: totals.ungraded,
    },
    ungraded: report.ungraded.map(({ id, reason }) => ({ id, reason })),
    diagnostics: report.diagnostics.map(diagnosticToJson),
  };
}

export function unitToJson(unit: UnitReport): JsonObject {
  return withoutAbsent({
    id: unit.id,
    kind: unit.kind,
    traceIds: unit.traceIds,
    source: unit.source,
    session: unit.session,
    document: unit.document,
    digest: unit.digest,
    row: unit.row,
    mode: unit.mode,
    verdict: unit.verdict,
    conformance: unit.conformance,
    code: unit.code,
    complete: unit.complete,
    releaseReason: unit.releaseReason,
    generation: unit.generation,
    unclassifiedMessages: unit.unclassifiedMessages,
    steps: unit.steps.map(stepToJson),
    evaluations: unit.evaluations.map(evaluationToJson),
    behaviors: unit.behaviors?.map(behaviorToJson),
    losses: unit.losses.map(lossToJson),
  });
}

function stepToJson(step: StepReport): JsonObject {
  return withoutAbsent({
    rule: step.rule,
    via: step.via,
    line: step.line,
    matched: step.matched,
    code: step.code,
    optional: step.optional,
    active: step.active,
    behavior: step.behavior,
    nearest: step.nearest && nearestToJson(step.nearest),
  });
}

function evaluationToJson(evaluation: EvaluationReport): JsonObject {
  return withoutAbsent({
    rule: evaluation.rule,
    via: evaluation.via,
    line: evaluation.line,
    type: evaluation.type,
    title: evaluation.title,
    verdict: evaluation.verdict,
    score: evaluation.score,
    threshold: evaluation.threshold,
    reason: evaluation.reason,
    code: evaluation.code,
    blocking: evaluation.blocking,
    severity: evaluation.severity,
    adapter: evaluation.adapter,
    durationMs: evaluation.durationMs,
    nested: evaluation.nested,
    witness: evaluation.witness.map(witnessToJson),
    nearest: evaluation.nearest && nearestToJson(evaluation.nearest),
    judge: evaluation.judge && { ...evaluation.judge },
  });
}

function nearestToJson({ behavior, failed, detail }: NearestMiss): JsonObject {
  return { behavior, failed, detail };
}

function witnessToJson({ behavior, traceId, spanId }: Witness): JsonObject {
  return { behavior, traceId, spanId };
}

export function diagnosticToJson(diagnostic: Diagnostic): JsonValue {
  return withoutAbsent({
    severity: diagnostic.severity,
    code: diagnostic.code,
    message: diagnostic.message,
    file: diagnostic.file,
    line: diagnostic.line,
    column: diagnostic.column,
  });
}
