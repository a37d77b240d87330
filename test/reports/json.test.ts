import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/model/report.js';
import { jsonReport } from '../../src/reports/json.js';
import { jsonLinesReport } from '../../src/reports/jsonl.js';
import { paintNothing } from '../../src/util/terminal.js';
import { behavior, failingUnit, passingUnit, reportOf } from '../support/sample-report.js';

const schemaFile = new URL('../../schemas/report.schema.json', import.meta.url);
const validate = new Ajv({
  strict: true,
  strictRequired: false,
  allErrors: true,
  allowUnionTypes: true,
}).compile(JSON.parse(readFileSync(schemaFile, 'utf8')));
const options = { paint: paintNothing, detail: 'all' } as const;

function render(report: Report): string {
  return [...jsonReport.render(report, options)].join('');
}

const withBehaviors = passingUnit({
  behaviors: [
    behavior({ content: { big: 123456789012345678901234567890n, __proto__: null, nothing: null } }),
    behavior({ index: 1, actor: 'tool', action: 'responds', content: null, id: 'step-1', step: 4 }),
  ],
});

describe('the JSON report', () => {
  it('validates against the published schema, whatever kind of unit it holds', () => {
    for (const units of [[], [failingUnit()], [passingUnit(), withBehaviors]]) {
      validate(JSON.parse(render(reportOf(units))));
      expect(validate.errors ?? []).toEqual([]);
    }
  });

  it('is refused by the schema when a key is missing, unknown or outside of its closed list', () => {
    const good = JSON.parse(render(reportOf([failingUnit()])));
    const { nextStep: _, ...withoutKey } = good;
    const [unit] = good.units;
    const broken = [
      withoutKey,
      { ...good, extra: 1 },
      { ...good, exitCode: 5 },
      { ...good, units: [{ ...unit, verdict: 'skipped' }] },
      { ...good, units: [{ ...unit, evaluations: [{ ...unit.evaluations[3], score: 1 }] }] },
      { ...good, units: [{ ...unit, steps: [{ ...unit.steps[0], line: 0 }] }] },
    ];
    expect(broken.map((report) => validate(report))).toEqual(broken.map(() => false));
  });

  it('keeps big integers exact and times as decimal text', () => {
    const text = render(reportOf([withBehaviors]));
    expect(text).toContain('"big":123456789012345678901234567890');
    expect(text).toContain('"at":"1700000000000000001","endAt":"1700000000000000002"');
  });

  it('leaves out keys that a Behavior does not have, and keeps a null that was recorded', () => {
    const report = JSON.parse(render(reportOf([withBehaviors])));
    const [, second] = report.units[0].behaviors;
    expect(Object.keys(second)).toEqual([
      'index',
      'actor',
      'action',
      'acts',
      'content',
      'at',
      'endAt',
      'evidence',
    ]);
    expect(second.content).toBeNull();
  });
});

describe('the JSON lines report', () => {
  it('has a line per unit and the totals on the last line', () => {
    const report = reportOf([failingUnit(), passingUnit()]);
    const lines = [...jsonLinesReport.render(report, options)].join('').trimEnd().split('\n');
    const [first, second, last] = lines.map((line) => JSON.parse(line));
    expect([first.verdict, second.verdict, last.totals.units]).toEqual(['fail', 'pass', 2]);
    expect(lines).toHaveLength(3);
  });
});
