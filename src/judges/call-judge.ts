import { canonicalJson } from '../util/json-text.js';
import { waitFor } from '../util/scheduler.js';
import type { Adapter } from './adapters.js';
import type { Budget, Estimate } from './budget.js';
import { costOf } from './money.js';
import { ownRequest } from './own-answer.js';
import type { CallServices, Question } from './provider.js';
import { readAnswer } from './read-answer.js';
import { type Answer, type Failure, failure, type Reply, type Usage } from './reply.js';

/** What one question came to, all its attempts together. */
export type CallResult =
  | {
      readonly kind: 'answered';
      readonly answer: Answer;
      readonly inputTokens: number | null;
      readonly outputTokens: number | null;
      readonly nanoUsd: number | null;
      readonly latencyMs: number;
    }
  | { readonly kind: 'over_budget'; readonly reason: string }
  | Failure;

/** Told of every attempt, for the ledger. */
export interface CallEvents {
  called(usage: Usage, nanoUsd: number | null): void;
}

/** What all calls of one adapter share. */
export interface AdapterState {
  /** The provider asked for silence until then. */
  quietUntilMs: number;
  /** Why no call can work before that time; null while some may. */
  broken: { readonly failure: Failure; readonly untilMs: number } | null;
}

const firstDelayMs = 500;
const longestDelayMs = 30_000;
/** A wrong key may be put right while a server runs: until then one call a minute is enough. */
const restMs = 60_000;

/**
 * Asks one question, again where that can help: after a failure that the provider calls passing, waiting
 * as long as it says, and once after an answer that does not keep to the format. Each attempt reserves its
 * worst case from the budget before it starts.
 *
 *   reserve -> call -> settle -> answered | failed
 *                 failed, retryable, attempts left -> wait -> reserve
 *                 answered, malformed, first time  -> reserve
 */
export async function callJudge(
  adapter: Adapter,
  question: Question,
  sample: number,
  context: {
    readonly state: AdapterState;
    readonly budget: Budget;
    readonly services: CallServices;
    readonly signal: AbortSignal;
    readonly events: CallEvents;
  },
): Promise<CallResult> {
  const { common, judge, price } = adapter;
  const { state, budget, services, signal, events } = context;
  const { scheduler } = services;
  const estimate = estimateCall(adapter, question);
  const total = createTotal();
  let wasMalformed = false;
  for (let attempt = 1; ; attempt += 1) {
    const quietMs = state.quietUntilMs - scheduler.nowMs();
    if (quietMs > 0) await waitFor(scheduler, quietMs, signal);
    if (signal.aborted) return failure('aborted', 'the grading was interrupted');
    if (state.broken !== null && state.broken.untilMs > scheduler.nowMs()) {
      return state.broken.failure;
    }
    const reserved = await budget.reserve(estimate);
    if (!reserved.ok) return { kind: 'over_budget', reason: reserved.reason };
    const startedMs = scheduler.nowMs();
    let reply: Reply;
    try {
      const shift = sample + (wasMalformed ? 100 : 0);
      reply = await judge.ask(question, {
        services,
        timeoutMs: common.timeout,
        signal,
        sample: shift,
      });
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      reply = failure('protocol', detail, { mayBill: true });
    }
    total.addTime(scheduler.nowMs() - startedMs);
    if (reply.kind === 'failed') {
      reserved.reservation.settle(reply.mayBill ? { tokens: null, nanoUsd: null } : 'nothing');
      const nowMs = scheduler.nowMs();
      const askedMs = reply.retryAfterMs;
      const isTooLong = askedMs !== null && askedMs > common.max_retry_wait;
      if (reply.fatal || isTooLong) {
        const untilMs = nowMs + (isTooLong ? askedMs : restMs);
        state.broken = { failure: reply, untilMs };
      } else if (askedMs !== null) {
        state.quietUntilMs = nowMs + askedMs;
      }
      if (!reply.retryable || isTooLong || attempt >= common.max_attempts) return reply;
      if (askedMs === null) {
        const waitMs = Math.min(backoff(attempt, services.random), common.max_retry_wait);
        await waitFor(scheduler, waitMs, signal);
      }
      continue;
    }
    const { answer, usage } = reply;
    const nanoUsd = costOf(usage, price);
    const { inputTokens, outputTokens } = usage;
    const tokens =
      inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;
    reserved.reservation.settle({ tokens, nanoUsd });
    events.called(usage, nanoUsd);
    total.add(usage, nanoUsd);
    const reading = readAnswer(answer, question.prompt);
    const isMalformed = reading.kind === 'unusable' && reading.why === 'malformed';
    if (!isMalformed || wasMalformed || attempt >= common.max_attempts) {
      return { kind: 'answered', answer, ...total.read() };
    }
    wasMalformed = true;
  }
}

function backoff(attempt: number, random: () => number): number {
  return Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs) * (0.5 + random());
}

/** What a call costs at most: a text never has more tokens than bytes. */
function estimateCall({ judge, price }: Adapter, { prompt, request }: Question): Estimate {
  const text =
    prompt === null
      ? canonicalJson(ownRequest(request))
      : `${prompt.system}${prompt.user}${canonicalJson(prompt.schema)}`;
  const inputTokens = Buffer.byteLength(text);
  const outputTokens = judge.extraTokens;
  const most = { inputTokens, outputTokens };
  const dearest =
    price === null
      ? null
      : {
          ...price,
          output_per_million: Math.max(price.input_per_million, price.output_per_million),
        };
  return { calls: 1, tokens: inputTokens + outputTokens, nanoUsd: costOf(most, dearest) };
}

/** Sums over attempts; one unknown makes the sum unknown. */
function createTotal() {
  let inputTokens: number | null = 0;
  let outputTokens: number | null = 0;
  let nanoUsd: number | null = 0;
  let latencyMs = 0;
  const plus = (sum: number | null, value: number | null): number | null =>
    sum === null || value === null ? null : sum + value;
  return {
    addTime(ms: number): void {
      latencyMs += ms;
    },
    add(usage: Usage, nanos: number | null): void {
      inputTokens = plus(inputTokens, usage.inputTokens);
      outputTokens = plus(outputTokens, usage.outputTokens);
      nanoUsd = plus(nanoUsd, nanos);
    },
    read: () => ({ inputTokens, outputTokens, nanoUsd, latencyMs: Math.round(latencyMs) }),
  };
}
