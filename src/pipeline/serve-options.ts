import type { Resolve } from '../alerts/pinned-lookup.js';
import type { WebhookOptions } from '../alerts/webhook.js';
import type { OtlpHttpDestinationOptions } from '../exporters/otlp-http.js';
import type { Diagnostic } from '../model/problem.js';
import type { Scheduler } from '../util/scheduler.js';
import type { AlertRule } from './live-alerts.js';
import type { Emit } from './live-forward.js';
import type { LiveGrader } from './live-grading.js';
import type { LiveJudgingOptions } from './live-judging.js';

/** Everything that `serve` needs to know, with every default filled in. */
export interface ServeOptions {
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly maxRequestBodyBytes: number;
    readonly allowedOrigins: readonly string[];
    /** Text of the token file; `null` lets everyone send. */
    readonly tokens: string | null;
  };
  readonly admin: { readonly host: string; readonly port: number };
  readonly unit: 'trace' | 'conversation' | 'auto';
  readonly hold: {
    readonly decisionWaitMs: number;
    readonly decisionWaitAfterRootMs: number;
    readonly conversationWaitMs: number;
    readonly maxTraceDurationMs: number;
    readonly maxTraceSpans: number;
    readonly maxTraceBytes: number;
    readonly maxBytes: number;
  };
  readonly destinations: readonly OtlpHttpDestinationOptions[];
  readonly emit: Emit;
  readonly alerts: {
    readonly rules: readonly AlertRule[];
    readonly sinks: readonly WebhookOptions[];
  };
  readonly grader: LiveGrader;
  /** Null: rules that need a judge are inconclusive. */
  readonly judging: LiveJudgingOptions | null;
  /** Warnings of documents and configuration, for the report. */
  readonly diagnostics: readonly Diagnostic[];
  /** Time for requests, queues and alerts at the end, each. */
  readonly drainGraceMs: number;
}

/** What `serve` takes from the process around it. */
export interface ServeIo {
  readonly scheduler: Scheduler;
  readonly random: () => number;
  /** Wall clock, for dates in headers. */
  readonly epochMs: () => number;
  readonly resolve: Resolve;
  readonly log: (severity: 'info' | 'warning' | 'error', message: string) => void;
}
