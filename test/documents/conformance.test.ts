import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bindSession } from '../../src/documents/abs/bind.js';
import { checkDocuments } from '../../src/documents/abs/check.js';
import { evaluators } from '../../src/evaluators/index.js';
import type { JsonObject } from '../../src/util/json.js';
import { parseJson } from '../../src/util/json-parse.js';
import { isJsonArray, isJsonObject } from '../../src/util/json-text.js';
import { errorsOf } from './support.js';

const casesFile = new URL('../../../shared/conformance/abs/cases.json', import.meta.url);
const isPresent = existsSync(casesFile);

interface Case {
  readonly id: string;
  readonly title: string;
  readonly document: string;
  readonly expected: 'valid' | 'error';
  readonly row: JsonObject | null;
  readonly vars: JsonObject;
}

function readCases(): Case[] {
  const parsed = parseJson(readFileSync(casesFile, 'utf8'));
  if (!parsed.ok || !isJsonArray(parsed.value)) throw new Error('cases.json cannot be read');
  return parsed.value.filter(isJsonObject).map((one) => ({
    id: String(one.id),
    title: String(one.title),
    document: String(one.document),
    expected: one.check === 'error' ? 'error' : 'valid',
    row: isJsonObject(one.row) ? one.row : null,
    vars: isJsonObject(one.vars) ? one.vars : {},
  }));
}

const cases = isPresent ? readCases() : [];

// The shared cases are not part of this repository: without them the suite says so instead of passing.
describe.skipIf(!isPresent)('the shared ABS cases: what check says', () => {
  it.each(cases)('$id: $title is $expected', ({ id, document, expected }) => {
    const { problems, sessions } = checkDocuments(
      [{ file: `${id}.abs.yaml`, text: document }],
      evaluators,
    );
    expect(errorsOf(problems).length > 0 ? 'error' : 'valid').toBe(expected);
    expect(sessions.length > 0).toBe(expected === 'valid');
  });

  it.each(cases.filter(({ expected }) => expected === 'valid'))(
    '$id: $title can be bound',
    ({ id, document, row, vars }) => {
      const { sessions } = checkDocuments([{ file: `${id}.abs.yaml`, text: document }], evaluators);
      for (const session of sessions) {
        const { ok, problems } = bindSession(session, {
          row:
            row === null ? null : { index: 0, dataset: session.dataset?.id ?? null, values: row },
          variables: new Map(Object.entries(vars).map(([name, value]) => [name, String(value)])),
          environment: {},
        });
        expect([ok, errorsOf(problems)]).toEqual([true, []]);
      }
    },
  );
});
