import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCassette } from '../../src/judges/cassette.js';
import { createDiskCache } from '../../src/judges/disk-cache.js';
import { chatCompletion, type Script, startScriptedJudge } from '../support/scripted-judge.js';
import { folderWith } from '../support/temporary-folder.js';
import { ask, askAll, judgesOf, requestOf } from './support.js';

const verdict = (score: number): ReturnType<Script> => ({
  body: chatCompletion({ reason: `It is ${score}.`, score }),
});

const entryOf = (url: string, more: object = {}) => ({
  provider: 'openai',
  base_url: url,
  model: 'gpt-4.1-mini',
  ...more,
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

describe('the cache', () => {
  it('a second run asks nothing and gives the same answers, cost and latency included', async () => {
    const folder = folderWith({});
    const server = await startScriptedJudge((_, number) => verdict(number));
    const requests = [1, 2, 3].map((n) => requestOf({ response: `Number ${n}` }));
    const run = () =>
      judgesOf({
        adapters: { it: entryOf(server.url) },
        store: createDiskCache(folder, Math.random),
      });
    const firstRun = await askAll(run(), requests);
    const judges = run();
    const secondRun = await askAll(judges, requests);
    expect(secondRun).toEqual(firstRun);
    expect(server.calls).toHaveLength(3);
    expect(judges.ledger()).toMatchObject({ calls: 0, kept: 3 });
  });

  it.each([
    ['refuses', { refusal: 'No.' }, 'stop'],
    ['is cut off', { content: '{"rea' }, 'length'],
    ['rambles', { content: 'five' }, 'stop'],
  ])('an answer of a judge that %s is kept like any other', async (_, message, finish) => {
    const folder = folderWith({});
    const body = { choices: [{ message, finish_reason: finish }], usage: {} };
    const server = await startScriptedJudge(() => ({ body }));
    const run = () =>
      judgesOf({
        adapters: { it: entryOf(server.url) },
        store: createDiskCache(folder, Math.random),
      });
    const firstAnswer = await ask(run(), requestOf());
    const calls = server.calls.length;
    expect(await ask(run(), requestOf())).toEqual(firstAnswer);
    expect(server.calls).toHaveLength(calls);
  });

  it('a failed call is not kept', async () => {
    const folder = folderWith({});
    const server = await startScriptedJudge((_, number) =>
      number === 1 ? { status: 400, body: {} } : verdict(5),
    );
    const run = () =>
      judgesOf({
        adapters: { it: entryOf(server.url) },
        store: createDiskCache(folder, Math.random),
      });
    expect(await ask(run(), requestOf())).toMatchObject({ kind: 'unanswered' });
    expect(await ask(run(), requestOf())).toMatchObject({ kind: 'scored', score: 1 });
  });

  it.each([
    ['response', {}, { response: 'Hello, my friend!' }],
    [
      'criteria',
      {},
      { fields: { criteria: 'The answer is short.' }, criteria: 'The answer is short.' },
    ],
    ['prompt', {}, { prompt: 'Grade it: {{criteria}}' }],
    ['examples', {}, { dataset: [{ response: 'Hi.', score: 1 }] }],
    ['type', {}, { type: 'Coherence', fields: { type: 'Coherence' } }],
    ['model', { model: 'gpt-4.1' }, {}],
    ['temperature', { temperature: 0.2 }, {}],
    ['seed', { seed: 8 }, {}],
    ['output limit', { max_output_tokens: 512 }, {}],
  ])('another %s is another question', async (_, entry, request) => {
    const folder = folderWith({});
    const server = await startScriptedJudge(() => verdict(4));
    const run = (more: object) =>
      judgesOf({
        adapters: { it: entryOf(server.url, more) },
        store: createDiskCache(folder, Math.random),
      });
    await ask(run({}), requestOf());
    await ask(run(entry), requestOf(request));
    expect(server.calls).toHaveLength(2);
    // What does not change the question does not change the key.
    await ask(run({ concurrency: 9, timeout: '9s' }), requestOf());
    expect(server.calls).toHaveLength(2);
  });

  it.each([
    ['is empty', () => ''],
    ['was cut off', (text: string) => text.slice(0, text.length / 2)],
    ['is another file', () => '{"hello": "world"}'],
    [
      'claims a score of 7',
      (text: string) => text.replace('"kind":"text"', '"kind":"score","score":7,"reason":""'),
    ],
    ['belongs to another key', (text: string) => text.replace(/"key":"../, '"key":"zz')],
    [
      'holds a verdict that the question does not allow',
      (text: string) => text.replace('\\"score\\":4', '\\"score\\":9'),
    ],
  ])('a file that %s never becomes a verdict of its own', async (what, spoil) => {
    const folder = folderWith({});
    const server = await startScriptedJudge(() => verdict(4));
    const run = () =>
      judgesOf({
        adapters: { it: entryOf(server.url) },
        store: createDiskCache(folder, Math.random),
      });
    await ask(run(), requestOf());
    const [file = ''] = filesOf(folder);
    writeFileSync(file, spoil(readFileSync(file, 'utf8')));
    const answer = await ask(run(), requestOf());
    if (what.startsWith('holds')) expect(answer).toMatchObject({ kind: 'unanswered' });
    else expect(answer).toMatchObject({ kind: 'scored', score: 0.75 });
  });

  it('forty runs that write the same folder at once leave whole files only', async () => {
    const folder = folderWith({});
    const server = await startScriptedJudge(() => verdict(3));
    const requests = [1, 2, 3, 4, 5].map((n) => requestOf({ response: `Number ${n}` }));
    await Promise.all(
      Array.from({ length: 40 }, () =>
        askAll(
          judgesOf({
            adapters: { it: entryOf(server.url) },
            store: createDiskCache(folder, Math.random),
          }),
          requests,
        ),
      ),
    );
    const files = filesOf(folder);
    expect(files).toHaveLength(5);
    for (const file of files)
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1 });
  });

  it('a folder that cannot be written costs money, not answers', async () => {
    const folder = folderWith({ blocked: 'a file where a folder should be' });
    const server = await startScriptedJudge(() => verdict(5));
    const store = createDiskCache(join(folder, 'blocked'), Math.random);
    expect(
      await ask(judgesOf({ adapters: { it: entryOf(server.url) }, store }), requestOf()),
    ).toMatchObject({
      kind: 'scored',
    });
  });

  it('neither a secret nor a text of the trace is written to the disk', async () => {
    const folder = folderWith({});
    const server = await startScriptedJudge(() => verdict(5));
    const store = createDiskCache(folder, Math.random);
    const request = requestOf({ response: 'card 4111 1111' });
    await ask(judgesOf({ adapters: { it: entryOf(server.url) }, store }), request);
    const text = filesOf(folder)
      .map((file) => readFileSync(file, 'utf8'))
      .join('');
    expect(text).not.toMatch(/sk-loopback|4111/);
  });
});

describe('cassettes', () => {
  const open = (path: string, mode: 'record' | 'replay' | 'auto') => {
    const opened = openCassette(path, mode);
    if (!opened.ok) throw new Error(opened.message);
    return opened.cassette;
  };

  it('what was recorded is replayed without network and without secrets', async () => {
    const path = join(folderWith({}), 'judge.cassette.jsonl');
    const server = await startScriptedJudge(() => verdict(4));
    const recording = open(path, 'record');
    const requests = [requestOf(), requestOf({ response: 'Other.' })];
    const adapters = { it: entryOf(server.url) };
    const recorded = await askAll(judgesOf({ adapters, store: recording }), requests);
    recording.save();
    const replayed = await askAll(
      judgesOf({
        adapters,
        env: {},
        store: open(path, 'replay'),
        services: { send: () => Promise.reject(new Error('no network here')) },
      }),
      requests,
    );
    // Without the secret nothing could be asked; with the cassette nothing has to be.
    expect(replayed).toEqual(recorded);
    expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it('a question that a replayed cassette lacks is inconclusive and is not asked', async () => {
    const path = join(folderWith({ 'c.jsonl': '' }), 'c.jsonl');
    const server = await startScriptedJudge(() => verdict(4));
    const judges = judgesOf({ adapters: { it: entryOf(server.url) }, store: open(path, 'replay') });
    expect(await ask(judges, requestOf())).toEqual({
      kind: 'unanswered',
      code: 'adapter.error',
      reason: 'the cassette holds no answer to this question',
    });
    expect(server.calls).toHaveLength(0);
  });

  it('auto asks what is missing; record forgets what is no longer asked', async () => {
    const path = join(folderWith({}), 'c.jsonl');
    const server = await startScriptedJudge(() => verdict(4));
    const adapters = { it: entryOf(server.url) };
    for (const [mode, response] of [
      ['auto', 'a'],
      ['auto', 'b'],
      ['auto', 'a'],
    ] as const) {
      const cassette = open(path, mode);
      await ask(judgesOf({ adapters, store: cassette }), requestOf({ response }));
      cassette.save();
    }
    expect(server.calls).toHaveLength(2);
    const cassette = open(path, 'record');
    await ask(judgesOf({ adapters, store: cassette }), requestOf({ response: 'a' }));
    cassette.save();
    expect(server.calls).toHaveLength(3);
    expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(1);
  });

  it('a damaged line is told with its number, a missing file by its name', () => {
    const folder = folderWith({ 'c.jsonl': '\n{"version":1}\n' });
    expect(openCassette(join(folder, 'c.jsonl'), 'replay')).toEqual({
      ok: false,
      message: `${join(folder, 'c.jsonl')}:2 is no kept answer`,
    });
    expect(openCassette(join(folder, 'none.jsonl'), 'replay')).toMatchObject({ ok: false });
    expect(openCassette(join(folder, 'none.jsonl'), 'auto')).toMatchObject({ ok: true });
  });
});
