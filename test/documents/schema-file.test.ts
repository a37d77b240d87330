import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { assembleAbsSchema } from '../../src/documents/abs/schema.js';
import { evaluators } from '../../src/evaluators/index.js';

describe('schemas/abs.schema.json', () => {
  it('is current: build, then run node scripts/generate-abs-schema.mjs', () => {
    const file = new URL('../../schemas/abs.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(assembleAbsSchema(evaluators))),
    );
  });

  it('is a valid draft-07 schema that knows every evaluator and every required field', () => {
    const ajv = new Ajv({ strict: false });
    const validate = ajv.compile(assembleAbsSchema(evaluators));
    for (const { type, fields } of evaluators) {
      const isRequired = Object.values(fields).some(({ required }) => required);
      const document = {
        session: 's',
        behaviors: [{ actor: 'user', action: 'says' }],
        evaluations: [{ type }],
      };
      expect([type, validate(document)]).toEqual([type, !isRequired]);
    }
  });

  it('a rule inside a composition is validated like any other', () => {
    const validate = new Ajv({ strict: false }).compile(assembleAbsSchema(evaluators));
    const document = (rule: unknown) => ({
      session: 's',
      behaviors: [{ actor: 'user', action: 'says' }],
      evaluations: [{ type: 'all_of', evaluations: [rule] }],
    });
    expect(validate(document({ type: 'contains', value: 'x' }))).toBe(true);
    expect(validate(document({ type: 'contains' }))).toBe(false);
    expect(validate(document({ type: 'nonsense' }))).toBe(false);
  });
});
