import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.js';
import { folderWith } from '../support/temporary-folder.js';

function load(yaml: string) {
  const folder = folderWith({ 'retrial.yaml': yaml });
  return loadConfig({ folder, file: 'retrial.yaml', environment: {}, flags: [] });
}

describe('judges in retrial.yaml', () => {
  it('an adapter is kept as it was written', () => {
    const loaded = load('adapters: { strict: { provider: openai, model: gpt-4.1, timeout: 30s } }');
    expect(loaded.ok && loaded.value.values.adapters).toEqual({
      strict: { provider: 'openai', model: 'gpt-4.1', timeout: '30s' },
    });
  });

  it.each([
    [
      'adapters: { a: { provider: openai } }',
      '1:16',
      'adapters.a.model: expected the name of a model',
    ],
    ['adapters: { a: { provider: opnai, model: m } }', '1:28', 'did you mean openai?'],
    [
      'adapters:\n  a: { provider: openai, model: m, api_key: sk-123 }',
      '2:36',
      'secrets stand in an environment variable or a file',
    ],
    ['judges: { budget: { run: 5 } }', '1:26', 'expected a budget such as 2usd'],
    ['judges: { budget: { day: 5eur } }', '1:26', 'expected a budget such as 2usd'],
    [
      'judges: { cassette: { file: c.jsonl, mode: play } }',
      '1:44',
      'expected one of: auto, record, replay',
    ],
    ['judges: { serve: { sample: 5 } }', '1:28', 'expected a share from 0 to 1'],
    ['judges: { serve: { when: [failed] } }', '1:27', 'expected one of: pass, fail, inconclusive'],
    ['judges: { cash: {} }', '1:11', 'unknown key "judges.cash"'],
  ])('%s is told at its place', (yaml, place, message) => {
    const loaded = load(yaml);
    expect(loaded.ok).toBe(false);
    const [problem] = loaded.problems;
    expect(`${problem?.message} ${problem?.hint}`).toContain(message);
    expect(JSON.stringify(problem)).not.toContain('sk-123');
    expect(`${problem?.position?.line}:${problem?.position?.column}`).toBe(place);
  });
});
