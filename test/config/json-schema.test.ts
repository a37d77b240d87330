import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../src/config/json-schema.js';

const published = new URL('../../schemas/retrial-config.schema.json', import.meta.url);

describe('the JSON Schema of retrial.yaml', () => {
  it('is published as the source makes it (node scripts/generate-config-schema.mjs)', () => {
    expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(configJsonSchema());
  });

  it('takes what the file may hold and refuses unknown keys', () => {
    const validate = new Ajv({ strict: false }).compile(configJsonSchema());
    expect(validate({ hold: { decision_wait: '5s', max_bytes: 1024 }, unit: null })).toBe(true);
    expect(validate({ hold: { decision_wiat: '5s' } })).toBe(false);
    expect(validate({ emit: 'everything' })).toBe(false);
  });

  it('shows the default of every key to the editor', () => {
    expect(configJsonSchema()).toMatchObject({
      properties: { hold: { properties: { decision_wait: { default: '30s' } } } },
    });
  });
});
