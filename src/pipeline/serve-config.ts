import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { behaviorOptionsOf } from '../config/behavior-options.js';
import type { Config, SpecEntry } from '../config/config.js';
import type { ConfigValues } from '../config/schema.js';
import { createProblem } from '../errors.js';
import type { OtlpHttpDestinationOptions } from '../exporters/otlp-http.js';
import type { Problem, Result } from '../model/problem.js';
import { hasSomethingToGrade } from './decide-mode.js';
import { toDiagnostic } from './diagnostics.js';
import { findUnknownJudges } from './judge-names.js';
import { judgingOf, openJudges } from './judge-setup.js';
import { createLiveGrader, type LiveCandidate } from './live-grading.js';
import type { LiveJudgingOptions } from './live-judging.js';
import { loadSessions } from './load-sessions.js';
import type { ServeOptions } from './serve-options.js';

/** What the command line adds to the configuration. */
export interface ServeWishes {
  /** Documents named with `--spec`, relative to `cwd`: they grade every trace. */
  readonly specs: readonly string[];
  /** Take the certificate of a destination unverified. */
  readonly insecure: boolean;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const drainGraceMs = 20_000;

/**
 * Loads the documents and turns the configuration into what `startServe` needs. Any error of a document
 * keeps the server from starting (otlp.md T14): a rule that silently does not run is worse.
 */
export function readServeOptions(config: Config, wishes: ServeWishes): Result<ServeOptions> {
  const { values } = config;
  const named =
    wishes.specs.length === 0 ? [] : [{ files: wishes.specs, when: null, mode: 'test' as const }];
  const loaded = [
    ...config.specs.map((entry) => loadSpec(entry, config.folder, wishes.env)),
    ...named.map((entry) => loadSpec(entry, wishes.cwd, wishes.env)),
  ];
  const candidates = loaded.flatMap((one) => one.candidates);
  const tokens = readTokens(config);
  const judging = readJudging(config, candidates, wishes);
  const problems = [
    ...loaded.flatMap((one) => one.problems),
    ...tokens.problems,
    ...judging.problems,
    ...findLoops(values),
    ...(candidates.length === 0 ? [createProblem('nothing-grades', {})] : []),
    ...findOpenDoor(values),
  ];
  if (!tokens.ok || !judging.ok || problems.some(({ severity }) => severity === 'error')) {
    return { ok: false, problems };
  }
  const { hold, receivers } = values;
  const value: ServeOptions = {
    http: {
      host: receivers.http.host,
      port: receivers.http.port,
      maxRequestBodyBytes: receivers.http.max_request_body_size,
      allowedOrigins: receivers.http.cors.allowed_origins,
      tokens: tokens.value,
    },
    admin: values.admin,
    unit: values.unit ?? 'trace',
    hold: {
      decisionWaitMs: hold.decision_wait,
      decisionWaitAfterRootMs: hold.decision_wait_after_root_received,
      conversationWaitMs: hold.conversation_wait,
      maxTraceDurationMs: hold.max_trace_duration,
      maxTraceSpans: hold.max_trace_spans,
      maxTraceBytes: hold.max_trace_bytes,
      maxBytes: hold.max_bytes,
    },
    destinations: values.destinations.map((one) => toDestination(one, wishes.insecure)),
    emit: values.emit,
    alerts: {
      rules: values.alerts.rules.map(({ sessions, types, min_severity, sinks }) => ({
        sessions,
        types,
        minSeverity: min_severity,
        sinks,
      })),
      sinks: Object.entries(values.alerts.sinks).map(([name, sink]) => ({
        name,
        url: new URL(sink.webhook),
        headers: sink.headers,
        timeoutMs: sink.timeout,
        allowPrivate: sink.allow_private,
      })),
    },
    grader: createLiveGrader(candidates, behaviorOptionsOf(values)),
    judging: judging.value,
    diagnostics: problems.filter(({ severity }) => severity !== 'info').map(toDiagnostic),
    drainGraceMs,
  };
  return { ok: true, value, problems };
}

/** The judges of `serve`; null when none is configured. */
function readJudging(
  config: Config,
  candidates: readonly LiveCandidate[],
  { cwd, env }: ServeWishes,
): Result<LiveJudgingOptions | null> {
  const calls = new AbortController();
  const opened = openJudges(judgingOf(config), { cwd, env, signal: calls.signal });
  if (!opened.ok || opened.value === null) return opened.ok ? { ...opened, value: null } : opened;
  const { judges, adapters, finish } = opened.value;
  const { sample, when, max_queue: maxQueue } = config.values.judges.serve;
  const loaded = candidates.map((candidate) => candidate.loaded);
  const value = {
    judges,
    sample,
    when: new Set(when),
    maxQueue,
    abort: () => calls.abort(),
    describeCost: () => finish().ledger,
  };
  return { ok: true, value, problems: findUnknownJudges(loaded, adapters) };
}

function loadSpec(
  { files, when, mode }: SpecEntry,
  cwd: string,
  env: ServeWishes['env'],
): { readonly candidates: readonly LiveCandidate[]; readonly problems: readonly Problem[] } {
  const { sessions, usageProblems, documentProblems } = loadSessions(
    { specs: files },
    { cwd, env },
  );
  const candidates = sessions.map((loaded) => ({
    name: loaded.session.name,
    mode,
    when,
    loaded,
    isUseful: hasSomethingToGrade(loaded.session, { mode, evaluationsOnly: false }),
  }));
  const useless = candidates
    .filter(({ isUseful }) => !isUseful)
    .map(({ name, loaded }) =>
      createProblem('nothing-to-grade', { session: name, file: loaded.session.document }),
    );
  return { candidates, problems: [...usageProblems, ...documentProblems, ...useless] };
}

function toDestination(
  destination: ConfigValues['destinations'][number],
  insecure: boolean,
): OtlpHttpDestinationOptions {
  const { name, headers, retry_on_failure: retry, sending_queue: queue } = destination;
  const signals = destination.signals.filter((signal) => signal !== 'metrics');
  return {
    name,
    url: new URL(destination.otlp_http),
    headers,
    signals: new Set(signals),
    maxQueueBytes: queue.max_bytes,
    retry: {
      initialIntervalMs: retry.initial_interval,
      maxIntervalMs: retry.max_interval,
      maxElapsedMs: retry.max_elapsed_time,
    },
    insecure,
  };
}

function readTokens({ folder, values }: Config): Result<string | null> {
  const file = values.receivers.http.auth?.token_file;
  if (file === undefined) return { ok: true, value: null, problems: [] };
  try {
    return { ok: true, value: readFileSync(resolve(folder, file), 'utf8'), problems: [] };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, problems: [createProblem('token-file-unreadable', { file, detail })] };
  }
}

/** An agent's own exporter settings, inherited by Retrial, would send every trace round in a circle. */
function findLoops({ destinations, receivers: { http } }: ConfigValues): readonly Problem[] {
  return destinations.flatMap(({ name, otlp_http: text }) => {
    const url = new URL(text);
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    const isOwnHost = url.hostname === http.host || (isLocal(url.hostname) && isLocal(http.host));
    if (!isOwnHost || port !== http.port || http.port === 0) return [];
    return [createProblem('forwards-to-itself', { name, url: text })];
  });
}

function findOpenDoor({ receivers: { http } }: ConfigValues): readonly Problem[] {
  if (isLocal(http.host) || http.auth !== null) return [];
  return [createProblem('open-to-all', { host: http.host })];
}

function isLocal(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name);
}
