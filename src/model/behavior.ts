import type { JsonObject, JsonValue } from '../util/json.js';
import type { Completeness, Loss } from './evidence.js';

/** Actors that ABS names; any other string may be stated by a native span. */
export type Actor = string;

export type Outcome = 'ok' | 'error' | 'pending' | 'rejected';

/** Where one field of a Behavior was seen. */
export interface SpanRef {
  readonly traceId: string;
  readonly spanId: string;
}

export interface BehaviorEvidence {
  /**
   * How the act is known: `stated` by an `abs.*` attribute, `classified` by a config rule, `aligned`
   * with a step, or only the `base` act of its actor (design.md §5).
   */
  readonly act: 'stated' | 'classified' | 'aligned' | 'base';
  /** The spans that show it, the deciding one first. Never empty. */
  readonly spans: readonly SpanRef[];
  readonly content: Completeness;
  readonly with: Completeness;
  readonly origin: 'output' | 'history' | 'tool' | 'event' | 'log';
  /** Set when the Behavior was concluded rather than recorded; says from what. */
  readonly inferred?: string;
  /** The untouched form of a value that was unwrapped or overruled by the model-visible one. */
  readonly raw?: JsonValue;
}

/**
 * One observed step (design.md §5). `content` and `with` are absent when nothing was recorded; JSON
 * null is a value. `at`/`endAt` are nanoseconds since the Unix epoch.
 */
export interface Behavior {
  readonly index: number;
  readonly actor: Actor;
  /** The base or stated action. A message of unknown act has its base act and `evidence.act: 'base'`. */
  readonly action: string;
  /** Every act it is known to have; contains `action`. Alignment may add to a copy of it. */
  readonly acts: readonly string[];
  readonly target?: string;
  readonly content?: JsonValue;
  readonly with?: JsonObject | JsonValue;
  readonly callId?: string;
  readonly outcome?: Outcome;
  readonly agent?: string;
  /** Tool name as observed, before aliases; also on hand-offs. */
  readonly tool?: string;
  /** `abs.id` of a native span: the declared id it claims. */
  readonly id?: string;
  /** Ids of the declared steps that matched it. Set by grading on its own copy. */
  readonly stepIds?: readonly string[];
  readonly parallel?: boolean;
  readonly at: bigint;
  readonly endAt: bigint;
  /** Index of the model response or turn it belongs to, where known: Behaviors of one model step share it. */
  readonly step?: number;
  readonly evidence: BehaviorEvidence;
}

/** What is graded as a whole: a trace, or all traces of a conversation. */
export interface Unit {
  readonly id: string;
  readonly kind: 'trace' | 'conversation';
  readonly traceIds: readonly string[];
  readonly behaviors: readonly Behavior[];
  readonly losses: readonly Loss[];
  /** From the spans alone (semantics decision 3). */
  readonly complete: boolean;
  readonly sources: readonly string[];
  /** Attributes of resource and root span that Retrial reads (contract.md §7). */
  readonly labels: UnitLabels;
  /** True when at least one span belongs to an agent dialect; else `not_an_agent_trace`. */
  readonly isAgentTrace: boolean;
}

export interface UnitLabels {
  /** `retrial.spec`: a session name. */
  readonly spec?: string;
  /** `retrial.eval`: an eval id. */
  readonly eval?: string;
  /** `retrial.row`: dataset row, a 0-based number or the text of the first column. */
  readonly row?: number | string;
}
