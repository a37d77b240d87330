import { resolve } from 'node:path';
import type { Config } from '../config/config.js';
import { createProblem } from '../errors.js';
import { type AdapterTable, openAdapters } from '../judges/adapters.js';
import type { AnswerStore } from '../judges/answer-store.js';
import { type BudgetLimits, createBudget, noLimits, parseBudget } from '../judges/budget.js';
import { openCassette } from '../judges/cassette.js';
import { createDayBook } from '../judges/day-book.js';
import { createDiskCache, noStore } from '../judges/disk-cache.js';
import { describeLedger } from '../judges/judge-ledger.js';
import { createJudges, type Judges } from '../judges/judges.js';
import type { CallServices } from '../judges/provider.js';
import { runProcess } from '../judges/run-process.js';
import { createSecretReader } from '../judges/secrets.js';
import type { Problem, Result } from '../model/problem.js';
import { sendRequest } from '../util/http-request.js';
import { systemScheduler } from '../util/scheduler.js';
import type { PipelineIo } from './grade-options.js';
import { findUnknownJudges } from './judge-names.js';
import type { JudgingOptions } from './judge-options.js';
import type { LoadedSessions } from './load-sessions.js';

/** What judging takes from the process around it. */
export interface JudgingIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** By default the real clock and the real network. */
  readonly services?: Partial<CallServices>;
}

export interface OpenedJudges {
  readonly judges: Judges;
  readonly adapters: AdapterTable;
  /** Writes what has to be kept at the end, and says what judging cost: null when nothing was judged. */
  readonly finish: () => { readonly ledger: string | null; readonly problems: readonly Problem[] };
}

/** The judges that a configuration describes. */
export function judgingOf({ folder, values: { adapters, judges } }: Config): JudgingOptions {
  return {
    adapters,
    folder,
    cacheFolder: judges.cache.enabled ? judges.cache.directory : null,
    bookFolder: judges.cache.directory,
    cassette: judges.cassette,
    runBudget: judges.budget.run,
    dayBudget: judges.budget.day,
  };
}

/** The real surroundings of a judge. */
const systemServices: CallServices = {
  scheduler: systemScheduler,
  epochMs: () => Date.now(),
  random: () => Math.random(),
  send: sendRequest,
  runProcess,
};

/**
 * Opens the judges of a configuration. Null when none is configured and none was asked for; any mistake in
 * the settings is an error, before anything is graded.
 */
export function openJudges(options: JudgingOptions, io: JudgingIo): Result<OpenedJudges | null> {
  const { adapters: entries, choices = [], cassette = null } = options;
  if (Object.keys(entries).length === 0 && choices.length === 0) {
    return { ok: true, value: null, problems: [] };
  }
  const folder = resolve(io.cwd, options.folder ?? '.');
  const { env } = io;
  const readSecret = createSecretReader(env, folder);
  const opened = openAdapters(entries, choices, { env, folder, readSecret });
  const run = readLimits(options.runBudget ?? null);
  const day = readLimits(options.dayBudget ?? null);
  const store = openStore(options, cassette, folder);
  const results = [opened, run, day, store];
  if (!opened.ok || !run.ok || !day.ok || !store.ok) {
    return { ok: false, problems: results.flatMap(({ problems }) => problems) };
  }
  const services = { ...systemServices, ...io.services };
  const books = resolve(folder, options.bookFolder ?? '.retrial/judges');
  const book = createDayBook({ folder: books, ...services });
  const hasDay = day.value !== noLimits;
  const budget = createBudget(run.value, hasDay ? { limits: day.value, book } : null);
  const judges = createJudges({
    adapters: opened.value,
    store: store.value.answers,
    budget,
    services,
    ...(io.signal !== undefined && { signal: io.signal }),
  });
  const finish = () => ({ ledger: describeLedger(judges.ledger()), problems: store.value.save() });
  return { ok: true, value: { judges, adapters: opened.value, finish }, problems: [] };
}

export interface Judging {
  readonly judges: Judges | null;
  /** Keeps what has to be kept, tells what judging cost, and answers with everything that went wrong. */
  readonly finish: () => readonly Problem[];
}

/** Opens the judges that one grading needs. With a mistake in their settings no judge is asked. */
export function openJudging(
  options: JudgingOptions | undefined,
  { sessions }: Pick<LoadedSessions, 'sessions'>,
  io: PipelineIo,
): Judging {
  const opened = openJudges(options ?? { adapters: {} }, io);
  const value = opened.ok ? opened.value : null;
  if (value === null) return { judges: null, finish: () => opened.problems };
  const unknown = findUnknownJudges(sessions, value.adapters);
  return {
    judges: value.judges,
    finish: () => {
      const { ledger, problems } = value.finish();
      if (ledger !== null) io.onNotice?.(ledger);
      return [...unknown, ...problems];
    },
  };
}

function readLimits(text: string | null): Result<BudgetLimits> {
  const limits = text === null ? noLimits : parseBudget(text);
  if (limits !== null) return { ok: true, value: limits, problems: [] };
  return { ok: false, problems: [createProblem('budget-invalid', { text: text ?? '' })] };
}

interface Store {
  readonly answers: AnswerStore;
  readonly save: () => readonly Problem[];
}

function openStore(
  { cacheFolder = null }: JudgingOptions,
  cassette: JudgingOptions['cassette'],
  folder: string,
): Result<Store> {
  if (cassette !== null && cassette !== undefined) {
    const opened = openCassette(resolve(folder, cassette.file), cassette.mode);
    if (!opened.ok) {
      const problem = createProblem('cassette-unusable', { detail: opened.message });
      return { ok: false, problems: [problem] };
    }
    return {
      ok: true,
      value: { answers: opened.cassette, save: () => save(opened.cassette) },
      problems: [],
    };
  }
  const answers =
    cacheFolder === null ? noStore : createDiskCache(resolve(folder, cacheFolder), Math.random);
  return { ok: true, value: { answers, save: () => [] }, problems: [] };
}

function save(cassette: { save(): void }): readonly Problem[] {
  try {
    cassette.save();
    return [];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [createProblem('cassette-unusable', { detail })];
  }
}
