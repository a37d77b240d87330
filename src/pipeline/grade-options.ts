import type { BehaviorOptions } from '../behaviors/behavior-options.js';
import type { Clock } from '../util/clock.js';
import type { ReportProgress } from '../util/progress.js';
import type { JudgingOptions } from './judge-options.js';

/** What to grade, by what and how: the flags of `retrial grade` (contract.md §5). */
export interface GradeOptions {
  /** Files, folders, quoted patterns, or `-` for standard input. */
  readonly recordings: readonly string[];
  /** Documents: files, folders or patterns. */
  readonly specs: readonly string[];
  /** Only this session grades, whatever else is loaded. */
  readonly session?: string;
  readonly unit?: 'trace' | 'conversation' | 'auto';
  /** `name=value`, split at the first `=`. */
  readonly variables?: readonly string[];
  /** Dataset file for sessions without a `dataset` block. */
  readonly dataset?: string;
  /** 0-based row that every recording belongs to. */
  readonly row?: number;
  /** `column:value`: only rows whose column has this value. */
  readonly filters?: readonly string[];
  readonly userMatch?: 'template' | 'ignore';
  readonly evaluationsOnly?: boolean;
  readonly mode?: 'test' | 'monitor';
  /** Trace ids or beginnings of them; empty = all. */
  readonly traces?: readonly string[];
  readonly allowEmpty?: boolean;
  readonly inconclusive?: 'pass' | 'fail';
  /** Put the Behaviors of each unit into the report. */
  readonly withBehaviors?: boolean;
  /** Absent: rules that need a judge are inconclusive. */
  readonly judging?: JudgingOptions;
  /** Aliases of tools and names of hand-off tools (`behaviors:` in retrial.yaml). */
  readonly reconstruction?: BehaviorOptions;
}

export interface ExplainOptions {
  readonly recordings: readonly string[];
  readonly unit?: 'trace' | 'conversation' | 'auto';
  readonly traces?: readonly string[];
}

/** What the pipeline takes from the process around it. */
export interface PipelineIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly clock: Clock;
  /** Lets timers and signals run; awaited now and then during long work. */
  readonly breathe: () => Promise<void>;
  readonly signal?: AbortSignal;
  readonly onProgress?: ReportProgress;
  /** Told what is no part of the report: what judging cost. */
  readonly onNotice?: (text: string) => void;
}
