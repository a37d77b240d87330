import { describe, expect, it } from 'vitest';
import { fixtureGoldens } from './fixture-goldens.js';
import { expectedBehaviors, shortBehaviors, tellingLosses } from './golden.js';
import { readUnits } from './read-units.js';

describe.each(['json', 'pb'] as const)(
  'recordings of the refund conversation as OTLP %s',
  (encoding) => {
    it.each(
      fixtureGoldens(encoding).map(
        (fixture) => [`${fixture.sdk}, ${fixture.variant}`, fixture] as const,
      ),
    )('%s', async (_, { recording, golden }) => {
      const units = await readUnits([recording]);
      expect(units.map(({ kind }) => kind)).toHaveLength(golden.units.length);
      for (const [index, expected] of golden.units.entries()) {
        const unit = units[index];
        if (unit === undefined) throw new Error(`no unit ${expected.id}`);
        if (expected.id !== 'trace') expect(unit.id).toBe(expected.id);
        const behaviors = expectedBehaviors(expected);
        expect(shortBehaviors(unit.behaviors, behaviors)).toEqual(behaviors);
        expect(tellingLosses(unit, expected)).toEqual([...expected.losses].sort());
      }
    });
  },
);
