import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Unit } from '../../src/model/behavior.js';
import { collectStrings, RawStrings } from './raw-strings.js';
import { readUnits } from './read-units.js';

const traces = new URL('../../../shared/traces/', import.meta.url);
const isPresent = existsSync(traces);
if (!isPresent) console.warn('SKIPPED: ../shared/traces is absent, no recording of it is read');

/** Every file in an OTLP encoding; log records are another signal. */
const files = (isPresent ? ['gen', 'found'] : []).flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, traces))
    .filter((name) => /\.(otlp\.(json|jsonl|pb)(\.gz)?)$/.test(name) && !name.includes('.logs.'))
    .map((name) => `${folder}/${name}`),
);

describe.skipIf(!isPresent)('every OTLP recording of ../shared/traces', () => {
  it('is looked at: there are more than two hundred', () => {
    expect(files.length).toBeGreaterThan(200);
  });

  it.each(files)('%s: no crash, no call twice, nothing invented', async (path) => {
    const file = new URL(path, traces);
    const units = await readUnits([file]);
    const raw = await RawStrings.of(file);
    for (const unit of units) {
      expect(doubledCalls(unit)).toEqual([]);
      expect(inventedTexts(unit, raw)).toEqual([]);
    }
  });
});

function doubledCalls(unit: Unit): readonly string[] {
  const ids = unit.behaviors.flatMap(({ action, callId }) =>
    (action === 'calls' || action === 'hands_off') && callId !== undefined ? [callId] : [],
  );
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

/** Texts of Behaviors that occur nowhere in the recording. */
function inventedTexts(unit: Unit, raw: RawStrings): readonly string[] {
  return unit.behaviors.flatMap((behavior) => {
    const named = [behavior.target, behavior.tool, behavior.callId, behavior.agent];
    const texts = named.filter((text) => text !== undefined);
    return [...texts, ...collectStrings([behavior.content, behavior.with])].filter(
      (text) => !raw.hold(text),
    );
  });
}
