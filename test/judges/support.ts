import { type AdapterTable, openAdapters } from '../../src/judges/adapters.js';
import type { AnswerStore } from '../../src/judges/answer-store.js';
import { type Budget, createBudget, noLimits } from '../../src/judges/budget.js';
import { noStore } from '../../src/judges/disk-cache.js';
import { createJudges, type Judges } from '../../src/judges/judges.js';
import type { CallServices } from '../../src/judges/provider.js';
import { runProcess } from '../../src/judges/run-process.js';
import { createSecretReader } from '../../src/judges/secrets.js';
import type { JudgeAnswer, JudgeRequest } from '../../src/model/evaluator.js';
import { sendRequest } from '../../src/util/http-request.js';
import { systemScheduler } from '../../src/util/scheduler.js';

/** 30 November 2026, 12:00 UTC. */
export const noonMs = Date.UTC(2026, 10, 30, 12);

export const secrets = {
  OPENAI_API_KEY: 'sk-loopback',
  AZURE_OPENAI_API_KEY: 'azure-loopback',
  ANTHROPIC_API_KEY: 'ant-loopback',
  GEMINI_API_KEY: 'gem-loopback',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  AZURE_FOUNDRY_TOKEN: 'foundry-loopback',
  GOOGLE_ACCESS_TOKEN: 'google-loopback',
  PATH: process.env.PATH,
};

const services: CallServices = {
  scheduler: systemScheduler,
  epochMs: () => noonMs,
  random: () => 0.5,
  send: sendRequest,
  runProcess,
};

export interface JudgesSetup {
  readonly adapters: Readonly<Record<string, unknown>>;
  readonly choices?: readonly string[];
  readonly store?: AnswerStore;
  readonly budget?: Budget;
  readonly services?: Partial<CallServices>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
  readonly signal?: AbortSignal;
}

export function tableOf(setup: JudgesSetup): AdapterTable {
  const env = setup.env ?? secrets;
  const folder = setup.folder ?? process.cwd();
  const around = { env, folder, readSecret: createSecretReader(env, folder) };
  const opened = openAdapters(setup.adapters, setup.choices ?? [], around);
  if (!opened.ok) throw new Error(opened.problems.map(({ message }) => message).join('\n'));
  return opened.value;
}

export function judgesOf(setup: JudgesSetup): Judges {
  return createJudges({
    adapters: tableOf(setup),
    store: setup.store ?? noStore,
    budget: setup.budget ?? createBudget(noLimits, null),
    services: { ...services, ...setup.services },
    ...(setup.signal !== undefined && { signal: setup.signal }),
  });
}

/** Has every request judged in one run, in order. */
export async function askAll(
  judges: Judges,
  requests: readonly JudgeRequest[],
): Promise<readonly JudgeAnswer[]> {
  const run = judges.startRun();
  for (const request of requests) run.answer(request);
  await run.settle();
  return requests.map((request) => run.answer(request));
}

export async function ask(judges: Judges, request: JudgeRequest): Promise<JudgeAnswer> {
  const [answer] = await askAll(judges, [request]);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

export function requestOf(more: Partial<JudgeRequest> = {}): JudgeRequest {
  return {
    type: 'llm_judge',
    adapter: null,
    criteria: 'The answer is friendly.',
    prompt: null,
    dataset: null,
    query: null,
    context: null,
    response: 'Hello, my friend.',
    fields: { type: 'llm_judge', criteria: 'The answer is friendly.' },
    ...more,
  };
}
