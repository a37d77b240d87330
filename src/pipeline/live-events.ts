import type { Unit } from '../model/behavior.js';
import type { EvaluationReport, StepReport, UnitReport } from '../model/report.js';
import type { Severity } from '../model/verdict.js';
import type { EventAttribute, SpanEventData } from '../otlp/event-writer.js';
import type { Placement } from './live-placement.js';
import type { LiveSpan } from './live-spans.js';

/** A result on its way out, with the span that it is about. */
export interface ResultEvent {
  readonly carrier: LiveSpan;
  readonly event: SpanEventData;
}

const resultName = 'gen_ai.evaluation.result';
const violationName = 'retrial.violation';
const maxExplanationBytes = 1024;

/**
 * The events of one graded unit (contract.md §7): one per evaluation that is not nested, one for the unit,
 * and a `retrial.violation` on each witness of a failed `never` or `count`. Their times are trace time, so
 * grading the same spans again gives the same bytes.
 */
export function createResultEvents(
  entry: UnitReport,
  unit: Unit,
  placement: Placement,
  isFinal: boolean,
): readonly ResultEvent[] {
  const events: ResultEvent[] = [];
  const put = (carrier: LiveSpan | null, event: SpanEventData): void => {
    if (carrier !== null) events.push({ carrier, event });
  };
  const common = unitAttributes(entry, isFinal);
  for (const evaluation of entry.evaluations) {
    if (evaluation.nested === true) continue;
    const step = findStep(entry, evaluation);
    const { carrier, timeUnixNano } = locate(evaluation, step, unit, placement);
    const attributes = { ...resultAttributes(evaluation, carrier), ...common };
    put(carrier, { name: resultName, timeUnixNano, attributes });
    if (!isViolation(evaluation)) continue;
    for (const { spanId, behavior } of evaluation.witness) {
      const witness = placement.carriers.get(spanId) ?? null;
      const at = unit.behaviors[behavior]?.at ?? timeUnixNano;
      const violation = { ...retrialAttributes(evaluation), ...common };
      put(witness, { name: violationName, timeUnixNano: at, attributes: violation });
    }
  }
  const timeUnixNano = placement.endUnixNano;
  const attributes = { ...unitResult(entry), ...common };
  put(placement.main, { name: resultName, timeUnixNano, attributes });
  return events;
}

/** True for what is marked on its witness spans. */
function isViolation({ type, verdict }: EvaluationReport): boolean {
  return verdict === 'fail' && (type === 'never' || type === 'count');
}

export function severityOf({
  severity,
  type,
}: {
  readonly severity?: Severity | undefined;
  readonly type: string;
}): Severity {
  return severity ?? (type === 'never' ? 'critical' : 'warning');
}

/** The step that carries an evaluation; `null` at session level. */
function findStep(entry: UnitReport, { rule, via }: EvaluationReport): StepReport | null {
  return (
    entry.steps.find((step) => rule.startsWith(`${step.rule}/evaluations/`) && step.via === via) ??
    null
  );
}

function locate(
  evaluation: EvaluationReport,
  step: StepReport | null,
  unit: Unit,
  { carriers, main, endUnixNano }: Placement,
): { readonly carrier: LiveSpan | null; readonly timeUnixNano: bigint } {
  if (step !== null) {
    const behavior = step.behavior === null ? undefined : unit.behaviors[step.behavior];
    const spanId = behavior?.evidence.spans[0]?.spanId ?? '';
    const timeUnixNano = behavior?.at ?? endUnixNano;
    return { carrier: carriers.get(spanId) ?? main, timeUnixNano };
  }
  const times = isDecidedBySight(evaluation)
    ? evaluation.witness.flatMap(({ behavior }) => unit.behaviors[behavior]?.at ?? [])
    : [];
  const decided = times.reduce<bigint | null>(
    (latest, at) => (latest === null || at > latest ? at : latest),
    null,
  );
  return { carrier: main, timeUnixNano: decided ?? endUnixNano };
}

/** What was seen decided it; everything else is decided by the end, because nothing more came. */
function isDecidedBySight(evaluation: EvaluationReport): boolean {
  if (isViolation(evaluation)) return true;
  const { type, verdict } = evaluation;
  return verdict === 'pass' && (type === 'eventually' || type === 'sequence');
}

type Attributes = Readonly<Record<string, EventAttribute>>;

function resultAttributes(evaluation: EvaluationReport, carrier: LiveSpan | null): Attributes {
  const { title, type, score, verdict, reason, code, witness } = evaluation;
  const responseId = carrier?.span.attribute('gen_ai.response.id');
  const isWitness = witness.some(({ spanId }) => spanId === carrier?.spanId);
  return {
    'gen_ai.evaluation.name': title ?? type,
    ...(score === null ? {} : { 'gen_ai.evaluation.score.value': score }),
    'gen_ai.evaluation.score.label': verdict,
    'gen_ai.evaluation.explanation': cutText(reason),
    ...(isWitness && typeof responseId === 'string' ? { 'gen_ai.response.id': responseId } : {}),
    ...(verdict === 'error' ? { 'error.type': code ?? 'evaluator.error' } : {}),
    ...retrialAttributes(evaluation),
  };
}

function retrialAttributes(evaluation: EvaluationReport): Attributes {
  const { rule, via, code, witness } = evaluation;
  return {
    'retrial.rule': rule,
    ...(via === undefined ? {} : { 'retrial.rule.via': via }),
    ...(code === null ? {} : { 'retrial.verdict.code': code }),
    'retrial.evidence.span_ids': [...new Set(witness.map(({ spanId }) => spanId))],
    'retrial.severity': severityOf(evaluation),
  };
}

function unitResult({ session, verdict, code, evaluations, conformance }: UnitReport): Attributes {
  const failed = evaluations.filter((one) => one.nested !== true && one.verdict === 'fail').length;
  return {
    'gen_ai.evaluation.name': session,
    'gen_ai.evaluation.score.label': verdict,
    'gen_ai.evaluation.explanation': `${failed} rule(s) failed; conformance: ${conformance}`,
    'retrial.rule': '',
    ...(code === null ? {} : { 'retrial.verdict.code': code }),
    'retrial.evidence.span_ids': [],
  };
}

function unitAttributes(entry: UnitReport, isFinal: boolean): Attributes {
  return {
    'retrial.spec.session': entry.session,
    'retrial.spec.digest': entry.digest,
    'retrial.unit.kind': entry.kind,
    'retrial.unit.id': entry.id,
    'retrial.generation': BigInt(entry.generation),
    'retrial.final': isFinal,
    'retrial.release_reason': entry.releaseReason,
    'retrial.complete': entry.complete,
  };
}

/** At most 1 KiB, cut at a character. */
function cutText(text: string): string {
  if (Buffer.byteLength(text) <= maxExplanationBytes) return text;
  const room = Buffer.from(text).subarray(0, maxExplanationBytes - 3);
  return `${room.toString().replace(/\uFFFD+$/, '')}…`;
}
