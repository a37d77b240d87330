import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { checkAdapter, openAdapters } from '../../src/judges/adapters.js';
import { providers } from '../../src/judges/providers/index.js';
import { createSecretReader } from '../../src/judges/secrets.js';
import { folderWith } from '../support/temporary-folder.js';
import { secrets, tableOf } from './support.js';

const chat = (more: object = {}) => ({ provider: 'openai', model: 'gpt-4.1-mini', ...more });
const foundry = { provider: 'azure_foundry', endpoint: 'https://x.example/p', deployment: 'd' };

function open(adapters: Record<string, unknown>, choices: readonly string[] = []) {
  const around = { env: secrets, folder: '.', readSecret: createSecretReader(secrets, '.') };
  return openAdapters(adapters, choices, around);
}

function chosenName(
  adapters: Record<string, unknown>,
  choices: string[],
  type: string,
  name: string | null,
) {
  const chosen = tableOf({ adapters, choices }).choose(type, name);
  return chosen.kind === 'chosen' ? chosen.adapter.name : chosen;
}

describe('which judge', () => {
  const two = { fast: chat(), strict: chat({ types: ['Violence', 'llm_judge'] }) };

  it.each([
    ['the only one judges everything', { one: chat() }, [], 'Fluency', null, 'one'],
    ['the one that claims the type', two, [], 'Violence', null, 'strict'],
    ['the one without claims judges the rest', two, [], 'Fluency', null, 'fast'],
    ['the named one, whatever is claimed', two, [], 'Violence', 'fast', 'fast'],
    ['a named one also for types it does not claim', two, [], 'Fluency', 'strict', 'strict'],
    ['--adapter NAME is the default of all types', two, ['fast'], 'Violence', null, 'fast'],
    ['--adapter type=NAME of one type', two, ['llm_judge=fast'], 'llm_judge', null, 'fast'],
    ['and of no other', two, ['llm_judge=fast'], 'Violence', null, 'strict'],
    ['type=NAME goes before NAME', two, ['fast', 'Violence=strict'], 'Violence', null, 'strict'],
    ['a flag does not overrule the name in a rule', two, ['strict'], 'Violence', 'fast', 'fast'],
    [
      'of two without claims, the one that can',
      { f: foundry, c: chat() },
      [],
      'llm_judge',
      null,
      'c',
    ],
  ] as const)('%s', (_, adapters, choices, type, name, expected) => {
    expect(chosenName(adapters, [...choices], type, name)).toBe(expected);
  });

  it.each([
    [
      'an unknown name',
      two,
      [],
      'Violence',
      'strickt',
      'adapter.not_configured',
      'no adapter is named "strickt"; did you mean "strict"?',
    ],
    [
      'an unknown name is no reason to take the default',
      { one: chat() },
      [],
      'Violence',
      'other',
      'adapter.not_configured',
      'no adapter is named "other"; configured: one',
    ],
    [
      'none at all',
      {},
      [],
      'llm_judge',
      null,
      'adapter.not_configured',
      'no judge is configured for llm_judge: add one under `adapters:` in retrial.yaml',
    ],
    [
      'two that could',
      { a: chat(), b: chat() },
      [],
      'Violence',
      null,
      'adapter.not_configured',
      'a and b could all judge Violence: say which one with `types:` or --adapter',
    ],
    [
      'a named one that cannot',
      { f: foundry },
      [],
      'llm_judge',
      'f',
      'adapter.unsupported_type',
      '"f" (azure_foundry) cannot judge llm_judge',
    ],
    [
      'a flag that cannot',
      { f: foundry, c: chat() },
      ['f'],
      'llm_judge',
      null,
      'adapter.unsupported_type',
      '"f" (azure_foundry) cannot judge llm_judge',
    ],
  ] as const)('%s gives none', (_, adapters, choices, type, name, code, message) => {
    expect(chosenName(adapters, [...choices], type, name)).toEqual({ kind: 'none', code, message });
  });

  it.each([
    [
      '--adapter with an unknown name',
      { fast: chat() },
      ['fats'],
      'no adapter is named "fats"',
      'did you mean fast?',
    ],
    [
      '--adapter with an unknown type',
      { fast: chat() },
      ['violence=fast'],
      '--adapter: no type of evaluation that is judged is named "violence"',
      'did you mean Violence?',
    ],
    [
      'two that claim a type',
      { a: chat({ types: ['Fluency'] }), b: chat({ types: ['Fluency'] }) },
      [],
      'the adapters "a" and "b" both claim Fluency',
      'take the type out of the `types` of one of them',
    ],
    [
      'a claim that cannot be kept',
      { f: { ...foundry, types: ['llm_judge'] } },
      [],
      'adapters.f.types: azure_foundry cannot judge llm_judge',
      undefined,
    ],
  ])('%s is an error before anything is graded', (_, adapters, choices, message, hint) => {
    const opened = open(adapters, choices);
    expect(opened.ok).toBe(false);
    expect(opened.problems).toMatchObject([{ severity: 'error', message, ...(hint && { hint }) }]);
  });
});

describe('settings of an adapter', () => {
  it('every provider opens from its example', () => {
    for (const { kind, example } of providers) {
      expect([kind, checkAdapter(example)]).toEqual([kind, []]);
      expect([kind, open({ it: example }).ok]).toEqual([kind, true]);
    }
  });

  it.each([
    ['no provider', {}, 'provider', 'expected one of: openai, azure_openai, anthropic'],
    ['an unknown one', { provider: 'antropic' }, 'provider', 'did you mean anthropic?'],
    [
      'a misspelt key',
      chat({ temperatur: 0 }),
      'temperatur',
      'unknown key; did you mean temperature?',
    ],
    [
      'a secret in the file',
      chat({ api_key: 'sk-1' }),
      'api_key',
      'secrets stand in an environment variable or a file',
    ],
    ['a wrong duration', chat({ timeout: 5 }), 'timeout', 'expected a duration such as 30s or 2m'],
    ['no model', { provider: 'openai' }, 'model', 'expected the name of a model'],
    ['even samples', chat({ samples: 2 }), 'samples', 'expected 1, 3, 5, 7 or 9'],
    ['a negative price', chat({ price: { per_call: -1 } }), 'price.per_call', '0 or more'],
    [
      'an unknown type',
      chat({ types: ['Voilence'] }),
      'types.0',
      'no type "Voilence"; did you mean Violence?',
    ],
    [
      'a scale upside down',
      { provider: 'http', url: 'http://h', scale: { low: 5, high: 1 } },
      'scale',
      'low must be below high',
    ],
    ['an address that is none', { provider: 'http', url: 'ftp://h' }, 'url', 'expected a URL'],
    [
      'a command as text',
      { provider: 'command', command: 'node judge.mjs' },
      'command',
      'expected a list',
    ],
    ['nothing at all', null, 'provider', 'expected one of'],
  ])('%s is told with its place', (_, entry, path, message) => {
    const faults = checkAdapter(entry).map((fault) => ({
      ...fault,
      path: [...fault.path, fault.key ?? []].flat().join('.'),
    }));
    expect(faults).toMatchObject([{ path, message: expect.stringContaining(message) }]);
  });
});

describe('secrets', () => {
  it('come from a file before the variable, read anew at every call', async () => {
    const folder = folderWith({ 'key.txt': '  first-token \n' });
    const read = createSecretReader({ KEY: 'from-env' }, folder);
    const reveal = () => {
      const found = read({ env: 'KEY', file: 'key.txt' });
      return found.ok ? found.secret.reveal() : found.lack;
    };
    expect(reveal()).toBe('first-token');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${folder}/key.txt`, 'second-token');
    expect(reveal()).toBe('second-token');
    const fromEnv = read({ env: 'KEY', file: null });
    expect(fromEnv.ok && fromEnv.secret.reveal()).toBe('from-env');
  });

  it.each([
    ['no variable', { env: 'NONE', file: null }, 'the environment variable NONE holds no secret'],
    [
      'an empty one',
      { env: 'EMPTY', file: null },
      'the environment variable EMPTY holds no secret',
    ],
    [
      'a prototype name',
      { env: 'constructor', file: null },
      'an environment variable whose name is not in capitals holds no secret',
    ],
    [
      'the secret itself where its variable should be named',
      { env: 'sk-proj-123', file: null },
      'an environment variable whose name is not in capitals holds no secret',
    ],
    [
      'a line break inside',
      { env: 'BROKEN', file: null },
      'the environment variable BROKEN holds characters that a secret cannot have',
    ],
    ['no file', { env: 'KEY', file: 'gone.txt' }, 'the file gone.txt cannot be read'],
  ])('%s is a lack, told without any value', (_, place, lack) => {
    const read = createSecretReader({ KEY: 'k', EMPTY: ' ', BROKEN: 'a\r\nx-evil: 1' }, '/nowhere');
    expect(read(place)).toEqual({ ok: false, lack });
  });

  it('cannot be printed by accident', () => {
    const found = createSecretReader({ KEY: 'sk-hidden' }, '.')({ env: 'KEY', file: null });
    const texts = [
      JSON.stringify(found),
      inspect(found, { depth: 9 }),
      `${found.ok && found.secret}`,
    ];
    expect(texts.join()).not.toContain('sk-hidden');
  });
});
