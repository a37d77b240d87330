import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAbs } from '../../src/documents/abs/parse.js';
import { evaluators } from '../../src/evaluators/index.js';
import type { JsonObject, JsonValue } from '../../src/util/json.js';
import { parseJson } from '../../src/util/json-parse.js';
import { isJsonArray, isJsonObject } from '../../src/util/json-text.js';
import { entryOf, gradeDocument } from '../support/grade-document.js';
import { readTrace } from '../support/stated-trace.js';
import { parseUnit } from '../support/stated-unit.js';

const file = new URL('../../../shared/conformance/abs/cases.json', import.meta.url);

interface ConformanceCase {
  readonly id: string;
  readonly area: string;
  readonly title: string;
  readonly document: string;
  readonly check?: string;
  readonly rule?: string;
  readonly verdict?: string;
  readonly overall?: string;
  readonly behaviors: string | null;
  readonly row: JsonObject | null;
  readonly vars: Readonly<Record<string, string>>;
}

/** Each case twice: its Behaviors as they stand, and as native spans on the whole way from bytes. */
describe.skipIf(!existsSync(file))('the shared ABS cases (../shared/conformance)', () => {
  const cases = existsSync(file) ? readCases(readFileSync(file, 'utf8')) : [];

  it('are all there', () => {
    expect(cases.length).toBeGreaterThanOrEqual(115);
  });

  it.each(cases.map((one) => ({ name: `${one.id} ${one.area}: ${one.title}`, one })))(
    '$name',
    ({ one }) => {
      if (one.check !== undefined) expect(checkOf(one.document)).toBe(one.check);
      if (one.behaviors === null) return;
      for (const unit of [parseUnit(one.behaviors), readTrace(one.behaviors)]) {
        const report = gradeDocument(one.document, unit, {
          evaluationsOnly: true,
          variables: one.vars,
          ...(one.row !== null && { row: one.row }),
        });
        if (one.rule !== undefined) expect(entryOf(report, one.rule).verdict).toBe(one.verdict);
        if (one.overall !== undefined) expect(report.verdict).toBe(one.overall);
      }
    },
  );

  it('each expect something', () => {
    const idle = cases.filter(
      (one) => one.check === undefined && (one.behaviors === null || !(one.rule ?? one.overall)),
    );
    expect(idle.map((one) => one.id)).toEqual([]);
  });
});

function checkOf(document: string): 'valid' | 'error' {
  const { problems, sessions } = parseAbs(document, 'case.abs.yaml', evaluators);
  const isWrong = problems.some((problem) => problem.severity === 'error');
  return isWrong || sessions.length === 0 ? 'error' : 'valid';
}

function readCases(text: string): readonly ConformanceCase[] {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonArray(parsed.value)) throw new Error('cases.json is no list');
  return parsed.value.map(readCase);
}

function readCase(value: JsonValue): ConformanceCase {
  if (!isJsonObject(value)) throw new Error('a case is an object');
  const text = (key: string) => (typeof value[key] === 'string' ? { [key]: value[key] } : {});
  const { id, area, title, document, behaviors, row, vars } = value;
  return {
    id: String(id),
    area: String(area),
    title: String(title),
    document: String(document),
    ...text('check'),
    ...text('rule'),
    ...text('verdict'),
    ...text('overall'),
    behaviors: typeof behaviors === 'string' ? behaviors : null,
    row: isJsonObject(row) ? row : null,
    vars: isJsonObject(vars)
      ? Object.fromEntries(Object.entries(vars).map(([name, bound]) => [name, String(bound)]))
      : {},
  };
}
