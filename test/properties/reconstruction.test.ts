import { describe, expect, it } from 'vitest';
import { describeSteps } from '../support/rebuild.js';
import { expectedSteps } from '../support/simulator/conversation.js';
import { faultClasses } from '../support/simulator/faults.js';
import { renderFacts } from '../support/simulator/render-facts.js';
import { simulate } from '../support/simulator/run-simulation.js';

const conversations = 200;

/** Faults after which the recording still shows everything: nothing may be called lost. */
const harmless = new Set([
  'plain',
  'shuffled arrival',
  'no ids',
  'window of 6 messages',
  'retries',
]);

describe('random conversations are rebuilt exactly from recordings with faults', () => {
  for (const [name, faults] of Object.entries(faultClasses)) {
    it(name, () => {
      for (let seed = 1; seed <= conversations; seed += 1) {
        const { conversation, unit } = simulate(seed, faults, renderFacts);
        const expected = describeSteps(expectedSteps(conversation));
        expect(describeSteps(unit.behaviors), `seed ${seed}`).toBe(expected);
        if (harmless.has(name)) expect(unit.complete, `seed ${seed}`).toBe(true);
      }
    });
  }
});
