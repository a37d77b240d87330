import { describe, expect, it } from 'vitest';
import { createBudget, noLimits } from '../../src/judges/budget.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { chatCompletion, type Script, startScriptedJudge } from '../support/scripted-judge.js';
import { ask, askAll, judgesOf, requestOf } from './support.js';

const good = { body: chatCompletion({ reason: 'Warm.', score: 5 }) };

const entryOf = (url: string, more: object = {}) => ({
  provider: 'openai',
  base_url: url,
  model: 'gpt-4.1-mini',
  ...more,
});

/** Answers the first calls with these and every later one well. */
const first =
  (...answers: readonly ReturnType<Script>[]): Script =>
  (_, number) =>
    answers[number - 1] ?? good;

const limited = (headers: Record<string, string>) => ({ status: 429, headers, body: {} });

describe('asking again', () => {
  it.each([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['milliseconds', { 'retry-after-ms': '1500' }, 1_500],
    ['a date', { 'retry-after': 'Mon, 30 Nov 2026 12:00:21 GMT' }, 21_000],
    ['a date that is over', { 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, 0],
  ])(
    'a 429 is asked again after what Retry-After says in %s, not before',
    async (_, headers, waitMs) => {
      const scheduler = createFakeScheduler();
      const server = await startScriptedJudge(first(limited(headers)));
      const judges = judgesOf({
        adapters: { it: entryOf(server.url) },
        services: { scheduler },
      });
      const asking = ask(judges, requestOf());
      if (waitMs > 0) {
        await scheduler.whenWaiting(1);
        expect(scheduler.pendingDelays()).toEqual([waitMs]);
        expect(server.calls).toHaveLength(1);
        await scheduler.advance(waitMs);
      }
      expect(await asking).toMatchObject({ kind: 'scored', score: 1 });
      expect(server.calls).toHaveLength(2);
    },
  );

  it("Google's RetryInfo in the body counts too", async () => {
    const scheduler = createFakeScheduler();
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3.5s' }];
    const server = await startScriptedJudge(
      first({ status: 429, body: { error: { code: 429, message: 'quota', details } } }),
    );
    const judges = judgesOf({ adapters: { it: entryOf(server.url) }, services: { scheduler } });
    const asking = ask(judges, requestOf());
    await scheduler.whenWaiting(1);
    expect(scheduler.pendingDelays()).toEqual([3_500]);
    await scheduler.advance(3_500);
    expect(await asking).toMatchObject({ kind: 'scored' });
  });

  it('all questions of the adapter keep quiet while the provider wants it', async () => {
    const scheduler = createFakeScheduler();
    const server = await startScriptedJudge(first(limited({ 'retry-after': '9' })));
    const judges = judgesOf({
      adapters: { it: entryOf(server.url, { concurrency: 1 }) },
      services: { scheduler },
    });
    const asking = askAll(judges, [requestOf(), requestOf({ response: 'Second.' })]);
    await scheduler.whenWaiting(1);
    expect(server.calls).toHaveLength(1);
    await scheduler.advance(9_000);
    expect((await asking).map(({ kind }) => kind)).toEqual(['scored', 'scored']);
  });

  it('a Retry-After beyond max_retry_wait is not waited for, and nobody asks before it is over', async () => {
    const scheduler = createFakeScheduler();
    const server = await startScriptedJudge(first(limited({ 'retry-after': '3600' })));
    const judges = judgesOf({
      adapters: { it: entryOf(server.url, { concurrency: 1 }) },
      services: { scheduler },
    });
    const answers = await askAll(judges, [requestOf(), requestOf({ response: 'Second.' })]);
    expect(answers).toMatchObject(
      Array(2).fill({ code: 'adapter.error', reason: '"it" failed: HTTP 429' }),
    );
    expect(server.calls).toHaveLength(1);
    await scheduler.advance(3_600_000);
    expect(await ask(judges, requestOf())).toMatchObject({ kind: 'scored' });
  });

  it('a key that is put right while a server runs is tried again after a minute', async () => {
    const scheduler = createFakeScheduler();
    const server = await startScriptedJudge(first({ status: 401, body: {} }));
    const judges = judgesOf({ adapters: { it: entryOf(server.url) }, services: { scheduler } });
    expect(await ask(judges, requestOf())).toMatchObject({ kind: 'unanswered' });
    await scheduler.advance(59_000);
    expect(await ask(judges, requestOf())).toMatchObject({ kind: 'unanswered' });
    expect(server.calls).toHaveLength(1);
    await scheduler.advance(1_000);
    expect(await ask(judges, requestOf())).toMatchObject({ kind: 'scored' });
  });

  it.each([408, 425, 429, 500, 502, 503, 504, 529])(
    'status %d is asked again with growing delays, four times in all',
    async (status) => {
      const scheduler = createFakeScheduler();
      const server = await startScriptedJudge(() => ({ status, body: {} }));
      const judges = judgesOf({ adapters: { it: entryOf(server.url) }, services: { scheduler } });
      const asking = ask(judges, requestOf());
      for (const delay of [500, 1_000, 2_000]) {
        await scheduler.whenWaiting(1);
        expect(scheduler.pendingDelays()).toEqual([delay]);
        await scheduler.advance(delay);
      }
      expect(await asking).toMatchObject({ kind: 'unanswered', code: 'adapter.error' });
      expect(server.calls).toHaveLength(4);
    },
  );

  it.each([400, 413, 422, 501])('status %d is final for this question only', async (status) => {
    const server = await startScriptedJudge(
      first({ status, body: { error: { message: 'not like this' } } }),
    );
    const judges = judgesOf({ adapters: { it: entryOf(server.url, { concurrency: 1 }) } });
    const [one, two] = await askAll(judges, [requestOf(), requestOf({ response: 'Second.' })]);
    expect(one).toMatchObject({ reason: `"it" failed: HTTP ${status}: not like this` });
    expect(two).toMatchObject({ kind: 'scored' });
    expect(server.calls).toHaveLength(2);
  });

  it.each([401, 403, 404])('after status %d the adapter is not asked again', async (status) => {
    const server = await startScriptedJudge(() => ({ status, body: {} }));
    const judges = judgesOf({ adapters: { it: entryOf(server.url, { concurrency: 1 }) } });
    const requests = Array.from({ length: 20 }, (_, n) => requestOf({ response: `Number ${n}` }));
    const answers = await askAll(judges, requests);
    expect(new Set(answers.map(({ reason }) => reason))).toEqual(
      new Set([`"it" failed: HTTP ${status}`]),
    );
    expect(server.calls).toHaveLength(1);
  });

  it('a missing secret is told without a call, and without the secret of another', async () => {
    const server = await startScriptedJudge(() => good);
    const judges = judgesOf({
      adapters: { it: entryOf(server.url) },
      env: { ANTHROPIC_API_KEY: 'ant-loopback' },
    });
    expect(await ask(judges, requestOf())).toMatchObject({
      code: 'adapter.not_configured',
      reason: '"it" cannot be asked: the environment variable OPENAI_API_KEY holds no secret',
    });
    expect(server.calls).toHaveLength(0);
  });
});

describe('time limits', () => {
  it('a judge that does not answer in time is cut off at the socket', async () => {
    const server = await startScriptedJudge(() => 'silence');
    const judges = judgesOf({ adapters: { it: entryOf(server.url, { timeout: '1s' }) } });
    expect(await ask(judges, requestOf())).toMatchObject({
      kind: 'unanswered',
      code: 'evaluator.timeout',
      reason: '"it" failed: no complete answer within 1000 ms',
    });
    // The server sees its connection closed: nothing goes on and bills there.
    expect(await server.closed).toBe(1);
    expect(server.calls).toHaveLength(1);
  });

  it('an answer that begins and does not end is a timeout, and is not asked for again', async () => {
    const server = await startScriptedJudge(() => 'half');
    const judges = judgesOf({ adapters: { it: entryOf(server.url, { timeout: '1s' }) } });
    expect(await ask(judges, requestOf())).toMatchObject({ code: 'evaluator.timeout' });
    expect(await server.closed).toBe(1);
    expect(server.calls).toHaveLength(1);
  });

  it('an interruption closes what is under way and starts nothing more', async () => {
    const interrupt = new AbortController();
    const server = await startScriptedJudge(() => {
      interrupt.abort();
      return 'silence';
    });
    const judges = judgesOf({
      adapters: { it: entryOf(server.url, { concurrency: 1 }) },
      signal: interrupt.signal,
    });
    const requests = Array.from({ length: 5 }, (_, n) => requestOf({ response: `Number ${n}` }));
    const answers = await askAll(judges, requests);
    expect(answers.every(({ kind }) => kind === 'unanswered')).toBe(true);
    expect(await server.closed).toBe(1);
    expect(server.calls).toHaveLength(1);
  });
});

describe('many questions', () => {
  it('no more than `concurrency` run at once, and all are answered', async () => {
    // Answers come only when three calls wait for them, so fewer at once would hang.
    let waiting: (() => void)[] = [];
    const server = await startScriptedJudge(async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length < 3) return;
        for (const release of waiting) release();
        waiting = [];
      });
      return { body: chatCompletion({ reason: 'Warm.', score: 5 }) };
    });
    const judges = judgesOf({ adapters: { it: entryOf(server.url, { concurrency: 3 }) } });
    const requests = Array.from({ length: 39 }, (_, n) => requestOf({ response: `Number ${n}` }));
    const answers = await askAll(judges, requests);
    expect(answers.every(({ kind }) => kind === 'scored')).toBe(true);
    expect(server.calls).toHaveLength(39);
    expect(server.mostAtOnce).toBe(3);
  });

  it('the same question is asked once, also when two gradings ask it at the same time', async () => {
    const server = await startScriptedJudge(() => good);
    const judges = judgesOf({ adapters: { it: entryOf(server.url) } });
    await Promise.all([askAll(judges, [requestOf(), requestOf()]), askAll(judges, [requestOf()])]);
    expect(server.calls).toHaveLength(1);
  });

  it('the ledger tells calls, tokens and money', async () => {
    const server = await startScriptedJudge(first({ status: 400, body: {} }));
    const judges = judgesOf({
      adapters: { it: entryOf(server.url, { concurrency: 1 }) },
      budget: createBudget(noLimits, null),
    });
    await askAll(judges, [requestOf(), requestOf({ response: 'b' }), requestOf({ response: 'c' })]);
    // Two answers of 100 + 20 tokens at $0.4 and $1.6 per million: 72,000 nano-dollars each.
    expect(judges.ledger()).toEqual({
      calls: 2,
      kept: 0,
      overBudget: 0,
      failed: 1,
      inputTokens: 200,
      outputTokens: 40,
      nanoUsd: 144_000,
      unpriced: 0,
    });
  });

  it('a model without a known price costs an unknown amount, never nothing', async () => {
    const server = await startScriptedJudge(() => good);
    const judges = judgesOf({ adapters: { it: entryOf(server.url, { model: 'house-llm' }) } });
    const answer = await ask(judges, requestOf());
    expect(answer.judge).toMatchObject({ model: 'house-llm', inputTokens: 100, costUsd: null });
    expect(judges.ledger()).toMatchObject({ calls: 1, nanoUsd: 0, unpriced: 1 });
  });
});
