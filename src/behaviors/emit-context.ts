import type { Behavior, BehaviorEvidence } from '../model/behavior.js';
import type { CallState, CallStates } from './call-states.js';
import type { Delegations } from './delegations.js';
import type { HandoffName } from './handoff-rules.js';
import type { ApprovalOwners } from './join-approvals.js';
import type { LossLedger } from './loss-ledger.js';
import type { Entry } from './transcript.js';

export type Emitted = Omit<Behavior, 'index'>;

/** Everything that a Behavior may need beside its entry. */
export interface EmitContext {
  readonly states: CallStates;
  readonly approvals: ApprovalOwners;
  readonly delegations: Delegations;
  /** Calls that are hand-offs, with what the tool's name says about them. */
  readonly handoffs: ReadonlyMap<CallState, HandoffName | null>;
  /** Calls after which their thread went on in the same trace. */
  readonly continued: ReadonlySet<CallState>;
  /** Steps with more than one call. */
  readonly parallelSteps: ReadonlySet<number>;
  readonly nameOf: (observed: string) => string;
  readonly losses: LossLedger;
}

/** Fields that every Behavior of an entry has; `acts` is the action alone. */
export function baseBehavior(
  entry: Entry,
  at: bigint,
  act: { readonly actor: string; readonly action: string },
  evidence: Partial<Omit<BehaviorEvidence, 'spans' | 'origin'>> = {},
): Emitted {
  return {
    actor: act.actor,
    action: act.action,
    acts: [act.action],
    at,
    endAt: at,
    evidence: evidenceOf(entry, evidence),
  };
}

function evidenceOf(entry: Entry, stated: Partial<BehaviorEvidence>): BehaviorEvidence {
  const evidence = {
    act: stated.act ?? 'base',
    spans: entry.spans,
    content: stated.content ?? 'absent',
    with: stated.with ?? 'absent',
    origin: entry.origin,
  };
  const inferred = stated.inferred ?? entry.inferred;
  const { raw } = stated;
  if (inferred === undefined && raw === undefined) return evidence;
  return {
    ...evidence,
    ...(inferred === undefined ? {} : { inferred }),
    ...(raw === undefined ? {} : { raw }),
  };
}

export function agentOf(entry: Entry): { agent?: string } {
  return entry.agent === undefined || entry.agent === '' ? {} : { agent: entry.agent };
}
