import type { Behavior } from './behavior.js';
import type { Loss } from './evidence.js';
import type { Diagnostic } from './problem.js';
import type {
  JudgeTrail,
  NearestMiss,
  Severity,
  UnitVerdict,
  Verdict,
  VerdictCode,
  Witness,
} from './verdict.js';

/** The report of one grading (contract.md §3). Keys are the JSON keys. */
export interface Report {
  readonly retrial: { readonly version: string; readonly reportVersion: 1 };
  readonly exitCode: number;
  readonly reasonCode: ReasonCode;
  readonly nextStep: string | null;
  readonly unit: 'trace' | 'conversation' | 'auto';
  readonly totals: Totals;
  readonly units: readonly UnitReport[];
  readonly ungraded: readonly Ungraded[];
  readonly diagnostics: readonly Diagnostic[];
}

export type ReasonCode =
  | 'ok'
  | 'violations'
  | 'usage'
  | 'document'
  | 'config'
  | 'nothing_graded'
  | 'inconclusive'
  | 'grader_failed'
  | 'interrupted';

export interface Totals {
  readonly units: number;
  readonly pass: number;
  readonly fail: number;
  readonly inconclusive: number;
  readonly evaluations: Readonly<Record<Verdict, number>>;
  readonly spans: { readonly read: number; readonly rejected: number };
  readonly ungraded: number;
}

export type UngradedReason =
  | 'no_spec'
  | 'no_session'
  | 'no_row'
  | 'overload'
  | 'not_an_agent_trace';

export interface Ungraded {
  readonly id: string;
  readonly reason: UngradedReason;
}

export type ReleaseReason =
  | 'root_ended'
  | 'quiet'
  | 'max_duration'
  | 'span_limit'
  | 'byte_limit'
  | 'evicted'
  | 'drained'
  | 'end_of_input';

/** One unit graded by one session of one document. */
export interface UnitReport {
  readonly id: string;
  readonly kind: 'trace' | 'conversation';
  readonly traceIds: readonly string[];
  readonly source: readonly string[];
  readonly session: string;
  readonly document: string;
  readonly digest: string;
  readonly row: number | null;
  readonly mode: 'test' | 'monitor';
  readonly verdict: UnitVerdict;
  readonly conformance: UnitVerdict;
  /** Set when the verdict does not follow from the entries below (`when_false`). */
  readonly code: VerdictCode | null;
  readonly complete: boolean;
  readonly releaseReason: ReleaseReason;
  readonly generation: number;
  readonly unclassifiedMessages: number;
  readonly steps: readonly StepReport[];
  readonly evaluations: readonly EvaluationReport[];
  readonly behaviors?: readonly Behavior[];
  readonly losses: readonly Loss[];
}

export interface StepReport {
  readonly rule: string;
  readonly via?: string;
  readonly line: number;
  /** `null`: lost evidence could have held it. */
  readonly matched: boolean | null;
  readonly code: VerdictCode | null;
  readonly optional: boolean;
  readonly active: boolean;
  readonly behavior: number | null;
  readonly nearest: NearestMiss | null;
}

export interface EvaluationReport {
  readonly rule: string;
  readonly via?: string;
  readonly line: number;
  readonly type: string;
  readonly title: string | null;
  readonly verdict: Verdict;
  /** `null` for inconclusive, skipped and error. */
  readonly score: number | null;
  readonly threshold?: number;
  readonly reason: string;
  readonly code: VerdictCode | null;
  readonly blocking?: boolean;
  readonly severity?: Severity;
  readonly adapter?: string;
  readonly durationMs?: number;
  readonly nested?: true;
  readonly witness: readonly Witness[];
  readonly nearest?: NearestMiss;
  readonly judge?: JudgeTrail;
}
