import { type Alert, type AlertMessage, type AlertWitness, alertId } from '../alerts/alert.js';
import { AlertBook } from '../alerts/alert-book.js';
import type { AlertSink } from '../alerts/sink.js';
import { describeBehavior } from '../evaluators/describe.js';
import type { Behavior, Unit } from '../model/behavior.js';
import type { Evaluation } from '../model/document.js';
import type { EvaluationReport, UnitReport } from '../model/report.js';
import type { Severity, Witness } from '../model/verdict.js';
import { severityOf } from './live-events.js';

/** Which failures alert and where they go (config `alerts.rules`). An empty list means all. */
export interface AlertRule {
  readonly sessions: readonly string[];
  readonly types: readonly string[];
  readonly minSeverity: Severity;
  readonly sinks: readonly string[];
}

/** A violation that was decided before its unit was over. */
export interface EarlyViolation {
  readonly document: string;
  readonly session: string;
  readonly rule: Evaluation;
  readonly reason: string;
  /** Positions in the Behaviors of the unit. */
  readonly witness: readonly number[];
}

const severityOrder: readonly Severity[] = ['info', 'warning', 'critical'];

/** Watches verdicts, raises alerts once and retracts what a later generation cleared. */
export class AlertDesk {
  readonly #rules: readonly AlertRule[];
  readonly #sinks: readonly AlertSink[];
  readonly #book: AlertBook;

  constructor(rules: readonly AlertRule[], sinks: readonly AlertSink[], maxAlerts: number) {
    this.#rules = rules;
    this.#sinks = sinks;
    this.#book = new AlertBook(maxAlerts);
  }

  /** False when nothing that is found could be told to anyone. */
  get isListening(): boolean {
    return this.#sinks.length > 0;
  }

  /** Tells violations of a unit that is still going on. */
  raiseEarly(unit: Unit, generation: number, violations: readonly EarlyViolation[]): void {
    for (const { document, session, rule, reason, witness } of violations) {
      this.#raise({
        key: { document, session, via: rule.via, rule: rule.rule, unit: keyOf(unit) },
        generation,
        isEarly: true,
        severity: severityOf({ severity: rule.severity ?? undefined, type: rule.type }),
        type: rule.type,
        title: rule.title,
        verdict: 'fail',
        reason,
        position: `${rule.position.file}:${rule.position.line}`,
        witness: witness.flatMap((index) => describeWitness(unit.behaviors[index])),
      });
    }
  }

  /** Tells what a release found and takes back what it cleared. A partial view clears nothing. */
  conclude(
    unit: Unit,
    generation: number,
    entries: readonly UnitReport[],
    sawEverything: boolean,
    isCountAboveMax: (entry: UnitReport, evaluation: EvaluationReport) => boolean,
  ): void {
    const verdicts = new Map<string, EvaluationReport>();
    for (const entry of entries) {
      for (const evaluation of entry.evaluations) {
        if (evaluation.nested === true) continue;
        const alert = toAlert(entry, evaluation, unit, generation);
        verdicts.set(alertId(alert.key), evaluation);
        if (evaluation.verdict !== 'fail') continue;
        const isViolation =
          evaluation.type === 'never' ||
          (evaluation.type === 'count' && isCountAboveMax(entry, evaluation));
        if (this.#rules.length > 0 || isViolation) this.#raise(alert);
      }
    }
    if (!sawEverything) return;
    const messages = this.#book.retract(keyOf(unit), generation, ({ key }) =>
      clearingOf(verdicts.get(alertId(key))),
    );
    for (const message of messages) this.#send(message);
  }

  #raise(alert: Alert): void {
    if (this.#sinksFor(alert).length === 0) return;
    const message = this.#book.raise(alert);
    if (message !== null) this.#send(message);
  }

  #send(message: AlertMessage): void {
    for (const sink of this.#sinksFor(message.alert)) sink.send(message);
  }

  #sinksFor(alert: Alert): readonly AlertSink[] {
    if (this.#rules.length === 0) return this.#sinks;
    const watching = this.#rules.filter((rule) => watches(rule, alert));
    return this.#sinks.filter(({ name }) =>
      watching.some(({ sinks }) => sinks.length === 0 || sinks.includes(name)),
    );
  }
}

function watches(rule: AlertRule, { key, type, severity }: Alert): boolean {
  return (
    (rule.sessions.length === 0 || rule.sessions.includes(key.session)) &&
    (rule.types.length === 0 || rule.types.includes(type)) &&
    severityOrder.indexOf(severity) >= severityOrder.indexOf(rule.minSeverity)
  );
}

/** Why an alert no longer stands; `null` while it does, or while nothing certain is known. */
function clearingOf(evaluation: EvaluationReport | undefined): string | null {
  if (evaluation === undefined) return 'the rule no longer applies to this unit';
  const { verdict, reason } = evaluation;
  return verdict === 'pass' || verdict === 'skipped' ? `${verdict}: ${reason}` : null;
}

function toAlert(
  entry: UnitReport,
  evaluation: EvaluationReport,
  unit: Unit,
  generation: number,
): Alert {
  const { rule, via, line, type, title, verdict, reason, witness } = evaluation;
  const { document, session } = entry;
  return {
    key: { document, session, via: via ?? null, rule, unit: keyOf(unit) },
    generation,
    isEarly: false,
    severity: severityOf(evaluation),
    type,
    title,
    verdict,
    reason,
    position: `${document}:${line}`,
    witness: witness.map((one) => ({ ...one, text: textOf(unit, one) })),
  };
}

function describeWitness(behavior: Behavior | undefined): readonly AlertWitness[] {
  const span = behavior?.evidence.spans[0];
  if (behavior === undefined || span === undefined) return [];
  return [{ behavior: behavior.index, ...span, text: describeBehavior(behavior) }];
}

function textOf(unit: Unit, { behavior }: Witness): string {
  const seen = unit.behaviors[behavior];
  return seen === undefined ? '' : describeBehavior(seen);
}

function keyOf({ kind, id }: Unit): Alert['key']['unit'] {
  return { kind, id };
}
