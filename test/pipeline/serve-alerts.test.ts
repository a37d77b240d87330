import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Stated, statedRun } from '../support/native.js';
import { requestProtobuf, type TestSpan } from '../support/otlp.js';
import { type Peer, startPeer } from '../support/otlp-peer.js';
import { folderWith } from '../support/temporary-folder.js';
import { expectBalanced, startTestServe, type TestServe } from './serve-support.js';

const document = `abs_version: "0.2"
session: Care
behaviors:
  - actor: user
    action: says
    content: hello
evaluations:
  - type: never
    title: never deletes
    match: { actor: assistant, action: calls, target: delete_account }
  - type: count
    title: at most one refund
    match: { actor: assistant, action: calls, target: refund }
    max: 1
  - type: count
    title: looks at least once
    match: { actor: assistant, action: calls, target: look_up }
    min: 1
  - type: eventually
    title: says goodbye
    severity: info
    match: { actor: assistant, action: calls, target: wave }
`;

const call = (target: string): Stated => ({ actor: 'assistant', action: 'calls', target });
const hello: Stated = { actor: 'user', action: 'says', content: 'hello' };
const calm = [hello, call('look_up'), call('wave')];

let serve: TestServe;
let hook: Peer;

beforeEach(async () => {
  hook = await startPeer();
});
afterEach(async () => {
  expectBalanced(serve);
  await serve.stop();
  await hook.stop();
});

async function start(more = '', alerts = ''): Promise<void> {
  const sink = `{ webhook: ${hook.url.href}, allow_private: true }`;
  serve = await startTestServe(
    `specs: [ { files: [care.abs.yaml] } ]\n${more}\nalerts: { sinks: { ops: ${sink} }${alerts} }\n`,
    folderWith({ 'care.abs.yaml': document }),
  );
}

async function send(spans: readonly TestSpan[]): Promise<void> {
  expect((await serve.send(requestProtobuf(spans))).status).toBe(200);
  await serve.whenIdle();
}

function alerts(): readonly { state: string; rule: string; early: boolean; generation: number }[] {
  return hook.requests.map(({ body }) => JSON.parse(body.toString()));
}

const told = (): readonly string[] =>
  alerts().map(({ state, rule, early }) => `${state} ${rule}${early ? ' early' : ''}`);

describe('early alerts', () => {
  it('never: at once, while the root is still open', async () => {
    await start();
    const [root, ...steps] = statedRun([...calm, call('delete_account')]);
    await send(steps);
    expect(told()).toEqual(['raised /evaluations/0 early']);
    await send(root === undefined ? [] : [root]);
    await serve.pass(2_000);
    expect(told()).toEqual(['raised /evaluations/0 early']);
  });

  it('never: also when it is decided by the last span of many requests', async () => {
    await start();
    const spans = statedRun([...calm, call('delete_account')]).slice(1);
    for (const [index, span] of spans.entries()) {
      await serve.pass(100);
      await send([span]);
      expect(told()).toHaveLength(index === spans.length - 1 ? 1 : 0);
    }
  });

  it('count max: not while an open parent could still collapse two into one', async () => {
    await start();
    const [root, ...steps] = statedRun([...calm, call('refund'), call('refund')]);
    await send(steps);
    expect(told()).toEqual([]);
    await send(root === undefined ? [] : [root]);
    expect(told()).toEqual(['raised /evaluations/1 early']);
    expect(serve.counts().held).toBe(6);
    await serve.pass(2_000);
    expect(told()).toEqual(['raised /evaluations/1 early']);
  });

  it('order-dependent rules and missing things wait for the release, and alert nobody by default', async () => {
    await start();
    await send(statedRun([hello]));
    expect(told()).toEqual([]);
    await serve.pass(2_000);
    expect(serve.report().units[0]?.evaluations.map((e) => e.verdict)).toEqual([
      'pass',
      'pass',
      'fail',
      'fail',
    ]);
    expect(told()).toEqual([]);
  });

  it('T7: late spans, duplicates and new generations never raise an alert again', async () => {
    await start();
    const spans = statedRun([...calm, call('delete_account')]);
    await send(spans);
    await serve.pass(2_000);
    await send(spans);
    await send([{ ...(spans[1] ?? { spanId: '' }), spanId: 'ab'.repeat(8), startMs: 500 }]);
    await serve.pass(2_000);
    expect(serve.report().units[0]?.generation).toBe(2);
    expect(told()).toEqual(['raised /evaluations/0 early']);
  });
});

describe('retraction', () => {
  it('a failure that a late span clears is taken back once, with the generation that did it', async () => {
    await start('', ', rules: [ { types: [eventually, count] } ]');
    const spans = statedRun(calm);
    const [wave] = spans.slice(-1);
    await send(spans.slice(0, -1));
    await serve.pass(2_000);
    expect(told()).toEqual(['raised /evaluations/3']);
    await send(wave === undefined ? [] : [wave]);
    await serve.pass(2_000);
    expect(told()).toEqual(['raised /evaluations/3', 'retracted /evaluations/3']);
    expect(alerts().map(({ generation }) => generation)).toEqual([1, 2]);
    await send([{ ...(spans[1] ?? { spanId: '' }), spanId: 'ab'.repeat(8), startMs: 500 }]);
    await serve.pass(2_000);
    expect(told()).toHaveLength(2);
  });

  it('a generation that saw only a part takes nothing back', async () => {
    await start('hold: { conversation_wait: 60s }');
    const spans = statedRun([...calm, call('delete_account')]);
    await send(spans);
    await serve.pass(2_000);
    await serve.pass(60_000);
    // The first generation is forgotten; what comes now says nothing about it.
    await send([{ ...(spans[1] ?? { spanId: '' }), spanId: 'ab'.repeat(8), startMs: 500 }]);
    await serve.pass(30_000);
    expect(told()).toEqual(['raised /evaluations/0 early']);
    expect(serve.report().units).toMatchObject([{ verdict: 'fail' }]);
  });
});

describe('alert rules', () => {
  it('choose by severity and sink', async () => {
    await start('', ', rules: [ { min_severity: warning, sinks: [ops] } ]');
    await send(statedRun([hello]));
    await serve.pass(2_000);
    // `looks at least once` is a warning, `says goodbye` was declared info.
    expect(told()).toEqual(['raised /evaluations/2']);
  });

  it('choose by session', async () => {
    await start('', ', rules: [ { sessions: [Another] } ]');
    await send(statedRun([...calm, call('delete_account')]));
    await serve.pass(2_000);
    expect(told()).toEqual([]);
  });
});
