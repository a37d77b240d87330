import { setMaxListeners } from 'node:events';
import type { Judge, JudgeAnswer, JudgeRequest } from '../model/evaluator.js';
import type { JudgeTrail } from '../model/verdict.js';
import { canonicalJson } from '../util/json-text.js';
import type { Adapter, AdapterTable } from './adapters.js';
import { type AnswerStore, answerKey, type KeptAnswer } from './answer-store.js';
import type { Budget } from './budget.js';
import { type AdapterState, type CallResult, callJudge } from './call-judge.js';
import { createGate } from './gate.js';
import { createJudgeLedger, type JudgeLedger } from './judge-ledger.js';
import { nanosToDollars } from './money.js';
import { ownRequest } from './own-answer.js';
import { buildPrompt, digestOf } from './prompt.js';
import type { CallServices, Question } from './provider.js';
import { type Reading, readAnswer } from './read-answer.js';
import { combineSamples } from './sample-policy.js';

export interface JudgesOptions {
  readonly adapters: AdapterTable;
  readonly store: AnswerStore;
  readonly budget: Budget;
  readonly services: CallServices;
  /** Gives up every call under way. */
  readonly signal?: AbortSignal;
}

/** The configured judges. Budget, kept answers and limits are common to all runs. */
export interface Judges {
  startRun(): JudgeRun;
  ledger(): JudgeLedger;
}

/**
 * The questions of one grading. `answer` looks up and notes what it could not answer; `settle` has that
 * judged; then grading again finds the answers.
 */
export interface JudgeRun extends Judge {
  readonly pending: number;
  /** Resolves when everything noted is answered. Never rejects. */
  settle(): Promise<void>;
}

/** Lowest score that passes where a rule names none (statement 122). */
const defaultThreshold = 0.5;

/** Puts the judges to work that `adapters` holds. */
export function createJudges(options: JudgesOptions): Judges {
  const { adapters, store, budget, services } = options;
  const signal = forwardAbort(options.signal);
  const ledger = createJudgeLedger();
  const rooms = new Map<Adapter, Room>();
  const underWay = new Map<string, Promise<KeptAnswer | Unanswered>>();

  function roomOf(adapter: Adapter): Room {
    const known = rooms.get(adapter);
    if (known !== undefined) return known;
    const gate = createGate(adapter.common.concurrency);
    const room = { gate, state: { quietUntilMs: 0, broken: null } };
    rooms.set(adapter, room);
    return room;
  }

  async function judge(request: JudgeRequest): Promise<JudgeAnswer> {
    const chosen = adapters.choose(request.type, request.adapter);
    if (chosen.kind === 'none') return unanswered(chosen.code, chosen.message);
    const { adapter } = chosen;
    const asked = writeQuestion(adapter, request);
    if (!asked.ok) return unanswered(asked.code, `"${adapter.name}": ${asked.message}`);
    const threshold = thresholdOf(request);
    const taken: Taken[] = [];
    for (;;) {
      const readings = taken.map(({ reading }) => reading);
      const combined = combineSamples(readings, adapter.common, threshold);
      if (combined.kind !== 'open') {
        const trail = trailOf(adapter, asked.question, taken);
        if (combined.kind === 'undecided') {
          return {
            ...unanswered('adapter.error', `"${adapter.name}": ${combined.reason}`),
            judge: trail,
          };
        }
        const { score, passed, reason } = combined;
        return {
          kind: 'scored',
          score,
          ...(passed !== undefined && { passed }),
          reason,
          judge: trail,
        };
      }
      const sample = await takeSample(adapter, asked.question, taken.length);
      if (sample.kind === 'unanswered') return sample;
      taken.push(sample);
    }
  }

  /** One answer: kept, under way for somebody else, or asked for. */
  async function takeSample(adapter: Adapter, question: Question, number: number): Promise<Sample> {
    const key = answerKey(adapter.provider, adapter.judge, question, number);
    const known = store.find(key);
    if (known !== null) ledger.kept();
    const kept =
      known ?? (await (underWay.get(key) ?? startAsking(adapter, question, number, key)));
    if ('kind' in kept) return kept;
    // The same words may be the answer to another shape: they are read for this question alone.
    return { kind: 'taken', kept, reading: readAnswer(kept.answer, question.prompt) };
  }

  function startAsking(
    adapter: Adapter,
    question: Question,
    number: number,
    key: string,
  ): Promise<KeptAnswer | Unanswered> {
    const asking = askFor(adapter, question, number, key).finally(() => underWay.delete(key));
    underWay.set(key, asking);
    return asking;
  }

  async function askFor(
    adapter: Adapter,
    question: Question,
    number: number,
    key: string,
  ): Promise<KeptAnswer | Unanswered> {
    if (store.isSealed) {
      ledger.failed();
      return unanswered('adapter.error', 'the cassette holds no answer to this question');
    }
    const lack = adapter.judge.findLack();
    if (lack !== null) {
      ledger.failed();
      return unanswered('adapter.not_configured', `"${adapter.name}" cannot be asked: ${lack}`);
    }
    const { gate, state } = roomOf(adapter);
    const events = { called: ledger.called };
    const result = await gate(() =>
      callJudge(adapter, question, number, { state, budget, services, signal, events }),
    );
    if (result.kind === 'over_budget') {
      ledger.overBudget();
      return unanswered('budget_exhausted', result.reason);
    }
    if (result.kind === 'failed') {
      ledger.failed();
      return unanswered(failureCode(result), `"${adapter.name}" failed: ${result.detail}`);
    }
    const { kind: _, ...measured } = result;
    const kept: KeptAnswer = {
      version: 1,
      key,
      provider: adapter.provider,
      model: adapter.judge.model,
      promptDigest: question.digest,
      ...measured,
    };
    store.keep(kept);
    return kept;
  }

  return {
    ledger: ledger.read,
    startRun: () => createRun(judge),
  };
}

/** The questions of one grading over `judge`, which answers them one by one. */
function createRun(judge: (request: JudgeRequest) => Promise<JudgeAnswer>): JudgeRun {
  const answers = new Map<string, JudgeAnswer>();
  const noted = new Map<string, JudgeRequest>();
  return {
    get pending() {
      return noted.size;
    },
    answer(request) {
      const id = digestOf([canonicalJson({ ...request })]);
      const known = answers.get(id);
      if (known !== undefined) return known;
      noted.set(id, request);
      return unanswered('not_judged', 'the judge has not been asked yet');
    },
    async settle() {
      const batch = [...noted];
      noted.clear();
      await Promise.all(
        batch.map(async ([id, request]) => {
          answers.set(id, await judge(request).catch(broken));
        }),
      );
    },
  };
}

interface Room {
  readonly gate: ReturnType<typeof createGate>;
  readonly state: AdapterState;
}

interface Taken {
  readonly kind: 'taken';
  readonly kept: KeptAnswer;
  readonly reading: Reading;
}

type Unanswered = Extract<JudgeAnswer, { kind: 'unanswered' }>;
type Sample = Taken | Unanswered;

function unanswered(code: Unanswered['code'], reason: string): Unanswered {
  return { kind: 'unanswered', code, reason };
}

function broken(error: unknown): Unanswered {
  const detail = error instanceof Error ? error.message : String(error);
  return unanswered('adapter.error', `judging broke off: ${detail}`);
}

/** A signal of our own: every call under way listens to it, which would look like a leak on another's. */
function forwardAbort(outer: AbortSignal | undefined): AbortSignal {
  const calls = new AbortController();
  setMaxListeners(0, calls.signal);
  if (outer?.aborted === true) calls.abort();
  outer?.addEventListener('abort', () => calls.abort(), { once: true });
  return calls.signal;
}

function failureCode({ why }: Extract<CallResult, { kind: 'failed' }>): Unanswered['code'] {
  if (why === 'timeout') return 'evaluator.timeout';
  return why === 'not_configured' ? 'adapter.not_configured' : 'adapter.error';
}

type Written =
  | { readonly ok: true; readonly question: Question }
  | { readonly ok: false; readonly code: Unanswered['code']; readonly message: string };

function writeQuestion({ judge, common }: Adapter, request: JudgeRequest): Written {
  const built = judge.takes === 'prompt' ? buildPrompt(request) : null;
  if (built?.ok === false) return built;
  const prompt = built?.prompt ?? null;
  const handed = prompt === null ? canonicalJson(ownRequest(request)) : '';
  const length = prompt === null ? handed.length : prompt.system.length + prompt.user.length;
  const most = common.max_input_chars;
  if (length > most) {
    const message = `the question has ${length} characters, more than max_input_chars (${most})`;
    return { ok: false, code: 'adapter.error', message };
  }
  const digest = prompt === null ? digestOf([handed]) : prompt.digest;
  return { ok: true, question: { request, prompt, digest } };
}

function thresholdOf({ fields }: JudgeRequest): number {
  return typeof fields.threshold === 'number' ? fields.threshold : defaultThreshold;
}

function trailOf(adapter: Adapter, question: Question, taken: readonly Taken[]): JudgeTrail {
  const sum = (read: (kept: KeptAnswer) => number | null): number | null =>
    taken.reduce<number | null>((total, { kept }) => {
      const value = read(kept);
      return total === null || value === null ? null : total + value;
    }, 0);
  const nanoUsd = sum((kept) => kept.nanoUsd);
  return {
    adapter: adapter.name,
    provider: adapter.provider,
    model: adapter.judge.model,
    promptDigest: question.digest,
    inputTokens: sum((kept) => kept.inputTokens),
    outputTokens: sum((kept) => kept.outputTokens),
    costUsd: nanoUsd === null ? null : nanosToDollars(nanoUsd),
    latencyMs: sum((kept) => kept.latencyMs) ?? 0,
    samples: taken.length,
  };
}
