import { createHash } from 'node:crypto';
import type { Severity, Verdict, Witness } from '../model/verdict.js';

/** What an alert is about (contract.md §9). Two alerts with equal keys are one alert. */
export interface AlertKey {
  readonly document: string;
  readonly session: string;
  /** Pointer of the `include` entry for a rule of a fragment. */
  readonly via: string | null;
  readonly rule: string;
  readonly unit: { readonly kind: 'trace' | 'conversation'; readonly id: string };
}

/** A violation as told to a person or a program. */
export interface Alert {
  readonly key: AlertKey;
  readonly generation: number;
  /** Decided before the unit was over (design.md §6). */
  readonly isEarly: boolean;
  readonly severity: Severity;
  /** Evaluator kind: `never`, `count`, … */
  readonly type: string;
  readonly title: string | null;
  readonly verdict: Verdict;
  readonly reason: string;
  /** Where the rule stands: `specs/refund.abs.yaml:41`. */
  readonly position: string;
  readonly witness: readonly AlertWitness[];
}

export interface AlertWitness extends Witness {
  /** The Behavior in words: `assistant calls transfer_to_human`. */
  readonly text: string;
}

/** What goes out: an alert, or its retraction when a later look at the unit cleared it. */
export interface AlertMessage {
  readonly state: 'raised' | 'retracted';
  readonly alert: Alert;
  /** Why it was retracted; the violation's own reason while raised. */
  readonly reason: string;
  /** Equal for every delivery of this message. */
  readonly idempotencyKey: string;
}

/** A stable text id of an alert key. */
export function alertId({ document, session, via, rule, unit }: AlertKey): string {
  const parts = JSON.stringify([document, session, via, rule, unit.kind, unit.id]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}
