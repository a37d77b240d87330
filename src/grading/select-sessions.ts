import type { Unit } from '../model/behavior.js';
import type { UngradedReason } from '../model/report.js';

/** A loaded session with what decides which units it grades. */
export interface SelectableSession {
  readonly name: string;
  readonly mode: 'test' | 'monitor';
  /** Its `when` in the config; null without one. */
  readonly admits: ((unit: Unit) => boolean) | null;
}

export type SessionChoice<S extends SelectableSession> =
  | { readonly kind: 'graded'; readonly sessions: readonly S[] }
  | {
      readonly kind: 'ungraded';
      readonly reason: Extract<UngradedReason, 'no_spec' | 'no_session'>;
      /** Names of the sessions that could have been meant. */
      readonly candidates: readonly string[];
    };

/**
 * The sessions that grade a unit (contract.md §2), each on its own: those that its `retrial.spec` names, those
 * whose `when` admits it, the one that was asked for, the only one loaded. Monitors grade all that their
 * `when` admits. No guessing: several test sessions and no sign which is meant grade nothing.
 */
export function selectSessions<S extends SelectableSession>(
  unit: Unit,
  loaded: readonly S[],
  wanted: string | null = null,
): SessionChoice<S> {
  const tests = loaded.filter((session) => session.mode === 'test');
  const isOnly = tests.length === 1;
  const sessions = loaded.filter((session) => {
    const isAdmitted = session.admits?.(unit) ?? false;
    if (session.mode === 'monitor') return session.admits === null || isAdmitted;
    const isNamed = session.name === unit.labels.spec || session.name === wanted;
    const isSingle = isOnly && session.admits === null && wanted === null;
    return isNamed || isAdmitted || isSingle;
  });
  if (sessions.length > 0) return { kind: 'graded', sessions };
  const candidates = [...new Set(tests.map((session) => session.name))];
  return { kind: 'ungraded', reason: candidates.length > 1 ? 'no_session' : 'no_spec', candidates };
}
