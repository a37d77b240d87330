import { describe, expect, it } from 'vitest';
import { chatCompletion, startScriptedJudge } from '../support/scripted-judge.js';
import { ask, judgesOf, requestOf } from './support.js';

/** Asks once with a judge that says these scores, one after another; 'no' is a refusal. */
async function run(says: readonly (number | 'no')[], settings: object, threshold?: number) {
  const server = await startScriptedJudge((_, number) => {
    const score = says[number - 1];
    const refused = { choices: [{ message: { refusal: 'No.' }, finish_reason: 'stop' }] };
    return { body: score === 'no' ? refused : chatCompletion({ reason: `call ${number}`, score }) };
  });
  const entry = { provider: 'openai', base_url: server.url, model: 'gpt-4.1-mini', ...settings };
  const fields = {
    type: 'llm_judge',
    criteria: 'c',
    ...(threshold !== undefined && { threshold }),
  };
  const answer = await ask(judgesOf({ adapters: { it: entry } }), requestOf({ fields }));
  return { answer, calls: server.calls };
}

describe('samples', () => {
  it.each([
    // 1 to 5 are 0, 0.25, 0.5, 0.75, 1; the threshold is 0.5 where none is given.
    ['by default one answer decides', [1], {}, undefined, 0],
    ['a clear pass is not confirmed', [5], { samples: 3 }, undefined, 1],
    ['a failure is confirmed by a second one', [1, 2], { samples: 3 }, undefined, 0],
    [
      'a failure that the majority does not share passes',
      [2, 4, 5],
      { samples: 3 },
      undefined,
      0.75,
    ],
    ['a pass near the threshold is confirmed', [3, 3], { samples: 3 }, undefined, 0.5],
    ['a pass near the threshold can be lost', [3, 1, 2], { samples: 3 }, undefined, 0.25],
    ['on_fail leaves a near pass alone', [3], { samples: 3, resample: 'on_fail' }, undefined, 0.5],
    [
      'near_threshold leaves a clear failure alone',
      [1],
      { samples: 3, resample: 'near_threshold' },
      undefined,
      0,
    ],
    [
      'always asks until there is a majority',
      [5, 5],
      { samples: 3, resample: 'always' },
      undefined,
      1,
    ],
    ['five samples stop at three alike', [1, 5, 1, 1], { samples: 5 }, undefined, 0],
    ['the threshold of the rule decides what is near', [4, 4], { samples: 3 }, 0.8, 0.75],
    ['a refusal counts for neither side', ['no', 5, 5], { samples: 3 }, undefined, 1],
  ] as const)('%s', async (_, says, settings, threshold, score) => {
    const { answer, calls } = await run(says, settings, threshold);
    expect(answer).toMatchObject({ kind: 'scored', score });
    expect(calls).toHaveLength(says.length);
    expect(answer.judge?.samples).toBe(says.length);
  });

  it('score and verdict agree, whatever the samples are', async () => {
    for (const says of [
      [2, 5, 1],
      [2, 3, 5],
      [2, 'no', 1],
      ['no', 4, 3],
    ] as const) {
      const { answer } = await run(says, { samples: 3 });
      const passes = says.filter((one) => one !== 'no' && one >= 3).length;
      if (answer.kind !== 'scored') throw new Error(answer.reason);
      expect(answer.score >= 0.5).toBe(passes >= 2);
    }
  });

  it('without a majority nothing is decided', async () => {
    const { answer } = await run(['no', 5, 1], { samples: 3 });
    expect(answer).toMatchObject({
      kind: 'unanswered',
      code: 'adapter.error',
      reason: '"it": no majority among 3 samples: 1 pass, 1 fail; the judge refused: No.',
      judge: { samples: 3 },
    });
  });

  it('each sample has a seed of its own, and tokens and cost are those of all', async () => {
    const { answer, calls } = await run([1, 1], { samples: 3 });
    expect(calls.map(({ json }) => json.seed)).toEqual([7, 8]);
    expect(calls.map(({ json }) => json.temperature)).toEqual([0, 0]);
    expect(answer).toMatchObject({
      reason: 'call 1 (2 of 2 samples)',
      judge: { inputTokens: 200, outputTokens: 40, costUsd: 0.000144 },
    });
  });
});
