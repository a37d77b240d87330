import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectedBehaviors, readGolden, shortBehaviors, tellingLosses } from './golden.js';
import { readUnits } from './read-units.js';

const traces = new URL('../../../shared/traces/', import.meta.url);
const folder = new URL('shared/', import.meta.url);
const isPresent = existsSync(traces);
if (!isPresent) console.warn('SKIPPED: ../shared/traces is absent, no recording of it is read');

const goldens = readdirSync(folder).filter((name) => name !== 'texts.yaml');

describe.skipIf(!isPresent)('recordings of real instrumentations, read by hand', () => {
  it('there are at least thirty of them', () => {
    expect(goldens.length).toBeGreaterThanOrEqual(30);
  });

  it.each(goldens)('%s', async (name) => {
    const golden = readGolden(new URL(name, folder));
    const files = (golden.recordings ?? []).map((path) => new URL(path, traces));
    const units = await readUnits(files);
    expect(units).toHaveLength(golden.units.length);
    for (const expected of golden.units) {
      const unit = expected.id === 'trace' ? units[0] : units.find(({ id }) => id === expected.id);
      if (unit === undefined) throw new Error(`no unit ${expected.id}`);
      const behaviors = expectedBehaviors(expected);
      expect(shortBehaviors(unit.behaviors, behaviors)).toEqual(behaviors);
      expect(tellingLosses(unit, expected)).toEqual([...expected.losses].sort());
    }
  });
});
