import { describe, expect, it } from 'vitest';
import { describeSteps } from '../support/rebuild.js';
import { expectedSteps } from '../support/simulator/conversation.js';
import { faultClasses } from '../support/simulator/faults.js';
import { simulate } from '../support/simulator/run-simulation.js';
import { vocabularies } from './render/index.js';
import { renderRecording } from './render/recording.js';

/** Per class of faults, spread over the vocabularies; scripts/simulate-dialects.ts does 2,000 in each. */
const conversationsPerClass = 200;

describe.each(Object.entries(faultClasses))('random conversations, %s', (_, faults) => {
  const able = vocabularies.filter(({ tellsDelta }) => faults.delta !== 'flagged' || tellsDelta);

  it.each(able.map((one, index) => [one.name, one, index] as const))(
    'recorded in %s: exact, or the loss is told',
    (__, vocabulary, first) => {
      for (let seed = first + 1; seed <= conversationsPerClass; seed += able.length) {
        const run = simulate(seed, faults, (plan) => renderRecording(plan, vocabulary));
        if (run.isExact || run.isReported) continue;
        const expected = describeSteps(expectedSteps(run.conversation));
        expect(describeSteps(run.unit.behaviors), `seed ${seed}`).toBe(expected);
      }
    },
  );
});
