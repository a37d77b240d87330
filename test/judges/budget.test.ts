import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { type BudgetLimits, createBudget, noLimits, parseBudget } from '../../src/judges/budget.js';
import { createDayBook } from '../../src/judges/day-book.js';
import { describeLedger } from '../../src/judges/judge-ledger.js';
import type { Amounts } from '../../src/judges/money.js';
import { chatCompletion, startScriptedJudge } from '../support/scripted-judge.js';
import { folderWith } from '../support/temporary-folder.js';
import { askAll, judgesOf, noonMs, requestOf } from './support.js';

const entryOf = (url: string, more: object = {}) => ({
  provider: 'openai',
  base_url: url,
  model: 'gpt-4.1-mini',
  max_output_tokens: 100,
  concurrency: 16,
  ...more,
});
const good = { body: chatCompletion({ reason: 'Warm.', score: 5 }) };
const limits = (more: Partial<BudgetLimits>): BudgetLimits => ({ ...noLimits, ...more });
const questions = (count: number) =>
  Array.from({ length: count }, (_, n) => requestOf({ response: `Number ${n}` }));

describe('a budget of a run', () => {
  it.each([1, 7, 25])('of %d calls stops at that many; the rest is inconclusive', async (count) => {
    const server = await startScriptedJudge(() => good);
    const judges = judgesOf({
      adapters: { it: entryOf(server.url) },
      budget: createBudget(limits({ calls: count }), null),
    });
    const answers = await askAll(judges, questions(40));
    expect(server.calls).toHaveLength(count);
    const open = answers.filter(({ kind }) => kind === 'unanswered');
    expect(open).toHaveLength(40 - count);
    for (const answer of open) {
      expect(answer).toEqual({
        kind: 'unanswered',
        code: 'budget_exhausted',
        reason: `the budget of the run in calls is used up (${count} calls)`,
      });
    }
    expect(describeLedger(judges.ledger())).toBe(
      `judges: ${count} ${count === 1 ? 'call' : 'calls'}, 0 kept answers, ` +
        `${count * 100} + ${count * 20} tokens, $${((count * 72) / 1e6).toFixed(6).replace(/0{1,4}$/, '')}, ` +
        `${40 - count} not asked: the budget is used up`,
    );
  });

  it('of tokens is never passed, although many calls run at once, and is well used', async () => {
    const server = await startScriptedJudge(() => good);
    const judges = judgesOf({
      adapters: { it: entryOf(server.url) },
      budget: createBudget(limits({ tokens: 12_000 }), null),
    });
    await askAll(judges, questions(200));
    const { inputTokens, outputTokens, overBudget, calls } = judges.ledger();
    expect(inputTokens + outputTokens).toBeLessThanOrEqual(12_000);
    // A call uses 120; the worst case that is set aside for one is below 5,000.
    expect(calls).toBeGreaterThanOrEqual((12_000 - 5_000) / 120);
    expect(overBudget).toBe(200 - calls);
  });

  it('of money is never passed', async () => {
    const server = await startScriptedJudge(() => good);
    const judges = judgesOf({
      adapters: { it: entryOf(server.url) },
      budget: createBudget(limits({ nanoUsd: 5_000_000 }), null),
    });
    await askAll(judges, questions(100));
    const { nanoUsd, calls } = judges.ledger();
    expect(nanoUsd).toBeLessThanOrEqual(5_000_000);
    expect(calls).toBe(server.calls.length);
    expect(calls).toBeGreaterThan(20);
    expect(calls).toBeLessThan(70);
  });

  it('of money cannot be kept without a price, so nothing is asked', async () => {
    const server = await startScriptedJudge(() => good);
    const judges = judgesOf({
      adapters: { it: entryOf(server.url, { model: 'house-llm' }) },
      budget: createBudget(limits({ nanoUsd: 1e12 }), null),
    });
    const [answer] = await askAll(judges, questions(1));
    expect(answer).toMatchObject({ code: 'budget_exhausted' });
    expect(answer?.reason).toContain('set `price:`');
    expect(server.calls).toHaveLength(0);
  });

  it('counts a timed-out call at its worst case, a refused connection at nothing', async () => {
    const server = await startScriptedJudge(() => 'silence');
    const slow = judgesOf({
      adapters: { it: entryOf(server.url, { timeout: '300ms', concurrency: 1 }) },
      budget: createBudget(limits({ calls: 2 }), null),
    });
    const codes = (await askAll(slow, questions(4))).map(
      (one) => one.kind === 'unanswered' && one.code,
    );
    expect(codes).toEqual([
      'evaluator.timeout',
      'evaluator.timeout',
      'budget_exhausted',
      'budget_exhausted',
    ]);
    const nobody = judgesOf({
      adapters: { it: entryOf('http://127.0.0.1:1', { max_attempts: 1, concurrency: 1 }) },
      budget: createBudget(limits({ calls: 2 }), null),
    });
    const failed = (await askAll(nobody, questions(4))).map(
      (one) => one.kind === 'unanswered' && one.code,
    );
    expect(failed).toEqual(Array(4).fill('adapter.error'));
  });

  property.prop([
    fc.record({ calls: fc.integer({ min: 0, max: 8 }), tokens: fc.integer({ min: 0, max: 500 }) }),
    fc.array(
      fc.record({
        estimate: fc.integer({ min: 0, max: 200 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 20 },
    ),
    fc.infiniteStream(fc.nat()),
  ])(
    'whatever calls ask for and in whatever order they end, no limit is passed and none hangs',
    async (bounds, calls, order) => {
      const budget = createBudget(limits(bounds), null);
      const used = { calls: 0, tokens: 0 };
      const ends: (() => void)[] = [];
      const done = Promise.all(
        calls.map(async ({ estimate, share }) => {
          const reserved = await budget.reserve({ calls: 1, tokens: estimate, nanoUsd: 0 });
          if (!reserved.ok) return;
          await new Promise<void>((resolve) => ends.push(resolve));
          const tokens = Math.floor(estimate * share);
          used.calls += 1;
          used.tokens += tokens;
          reserved.reservation.settle({ tokens, nanoUsd: 0 });
        }),
      );
      let isDone = false;
      const watched = done.then(() => {
        isDone = true;
      });
      while (!isDone) {
        await new Promise((resolve) => setImmediate(resolve));
        const [end] = ends.splice(order.next().value % Math.max(1, ends.length), 1);
        end?.();
      }
      await watched;
      expect(used.calls).toBeLessThanOrEqual(bounds.calls);
      expect(used.tokens).toBeLessThanOrEqual(bounds.tokens);
    },
  );
});

describe('a budget of a day', () => {
  const bookIn = (folder: string, random: number, atMs = noonMs) =>
    createDayBook({ folder, epochMs: () => atMs, random: () => random });
  const amounts = (calls: number): Amounts => ({ calls, tokens: 0, nanoUsd: 0 });
  const day = limits({ calls: 10 });

  it('is shared by every run of the day, and is new on the next', async () => {
    const folder = folderWith({});
    const server = await startScriptedJudge(() => good);
    const run = (atMs: number, random: number) =>
      judgesOf({
        adapters: { it: entryOf(server.url) },
        budget: createBudget(noLimits, { limits: day, book: bookIn(folder, random, atMs) }),
      });
    await askAll(run(noonMs, 0.1), questions(6));
    const answers = await askAll(run(noonMs + 3_600_000, 0.2), questions(6));
    expect(server.calls).toHaveLength(10);
    expect(answers.filter(({ kind }) => kind === 'unanswered')).toHaveLength(2);
    expect(answers.at(-1)?.reason).toBe('the budget of the day is used up (10 calls)');
    await askAll(run(noonMs + 86_400_000, 0.3), questions(6));
    expect(server.calls).toHaveLength(16);
  });

  it('two processes that reserve in turns never pass it together', () => {
    const folder = folderWith({});
    const books = [bookIn(folder, 0.1), bookIn(folder, 0.2)];
    const taken = Array.from(
      { length: 30 },
      (_, n) => books[n % 2]?.reserve(amounts(1), day) ?? null,
    );
    expect(taken.filter((entry) => entry !== null)).toHaveLength(10);
    // What was set aside and not used is free again, for the other one too.
    books[0]?.settle(taken[0] ?? '', amounts(0));
    expect(books[1]?.reserve(amounts(1), day)).not.toBeNull();
    expect(books[0]?.reserve(amounts(1), day)).toBeNull();
  });

  it('what a dead process had set aside stays spent; half a line of it harms nobody', async () => {
    const folder = folderWith({});
    bookIn(folder, 0.1).reserve(amounts(9), day);
    const { appendFileSync, readdirSync } = await import('node:fs');
    appendFileSync(`${folder}/${readdirSync(folder)[0]}`, '\n{"id":"x","amou');
    const other = bookIn(folder, 0.2);
    expect(other.reserve(amounts(2), day)).toBeNull();
    expect(other.reserve(amounts(1), day)).not.toBeNull();
  });
});

describe('a budget as text', () => {
  it.each([
    ['2usd', { nanoUsd: 2e9 }],
    ['$0.50', { nanoUsd: 5e8 }],
    ['100calls', { calls: 100 }],
    ['1 call', { calls: 1 }],
    ['50000tokens', { tokens: 50_000 }],
    ['$1, 200000 tokens', { nanoUsd: 1e9, tokens: 200_000 }],
    ['0calls', { calls: 0 }],
  ])('%s', (text, expected) => {
    expect(parseBudget(text)).toEqual({ ...noLimits, ...expected });
  });

  it.each(['', '5', 'usd', '-1usd', '1.5calls', '1e9tokens', '$1,$2', '5 euro', '1usd;'])(
    '"%s" is none',
    (text) => {
      expect(parseBudget(text)).toBeNull();
    },
  );
});
