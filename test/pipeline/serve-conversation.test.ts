import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeLogs } from '../support/log-records.js';
import { type Stated, statedRun } from '../support/native.js';
import { requestProtobuf } from '../support/otlp.js';
import { type Peer, startPeer } from '../support/otlp-peer.js';
import { folderWith } from '../support/temporary-folder.js';
import {
  comparable,
  expectBalanced,
  forwardedSpans,
  gradeBytes,
  startTestServe,
  type TestServe,
} from './serve-support.js';

const document = `abs_version: "0.2"
session: Two turns
behaviors:
  - { actor: user, action: says, content: first }
  - { actor: user, action: says, content: second }
evaluations:
  - type: eventually
    title: calls in any turn
    match: { actor: assistant, action: calls, target: look_up }
  - type: never
    title: never deletes
    match: { actor: assistant, action: calls, target: delete_account }
`;

const says = (content: string): Stated => ({ actor: 'user', action: 'says', content });
const call = (target: string): Stated => ({ actor: 'assistant', action: 'calls', target });

function turn(number: number, behaviors: readonly Stated[]): Uint8Array {
  const root = { 'gen_ai.conversation.id': 'thread-7' };
  const traceId = String(number).repeat(32);
  return requestProtobuf(statedRun(behaviors, { traceId, root, startMs: number * 10_000 }));
}

let serve: TestServe;
let backend: Peer;
let hook: Peer;
let folder: string;

beforeEach(async () => {
  backend = await startPeer();
  hook = await startPeer();
  folder = folderWith({ 'turns.abs.yaml': document });
  serve = await startTestServe(
    `unit: auto
specs: [ { files: [turns.abs.yaml] } ]
destinations: [ { name: backend, otlp_http: ${backend.url.href} } ]
alerts: { sinks: { ops: { webhook: ${hook.url.href}, allow_private: true } } }
`,
    folder,
  );
});
afterEach(async () => {
  expectBalanced(serve);
  await serve.stop();
  await Promise.all([backend.stop(), hook.stop()]);
});

const results = () =>
  forwardedSpans(backend).flatMap(({ span, events }) =>
    events
      .filter(({ name }) => name === 'gen_ai.evaluation.result')
      .map(({ attributes }) => ({
        trace: span.traceId.slice(0, 1),
        isRoot: span.parentSpanId === null,
        name: attributes['gen_ai.evaluation.name'],
        label: attributes['gen_ai.evaluation.score.label'],
        generation: attributes['retrial.generation'],
        final: attributes['retrial.final'],
      })),
  );
const logs = () =>
  backend.requests
    .filter(({ path }) => path === '/v1/logs')
    .flatMap(({ body }) => decodeLogs(body));

describe('a conversation over several traces', () => {
  it('every trace goes out at its own release with the conversation so far, not final', async () => {
    await serve.send(turn(1, [says('first')]));
    await serve.pass(2_000);
    expect(forwardedSpans(backend)).toHaveLength(2);
    expect(serve.report().units).toMatchObject([
      { kind: 'conversation', id: 'thread-7', generation: 1, verdict: 'fail' },
    ]);
    await serve.send(turn(2, [says('second'), call('look_up')]));
    await serve.pass(2_000);
    expect(serve.report().units).toMatchObject([
      {
        id: 'thread-7',
        generation: 2,
        verdict: 'pass',
        traceIds: ['1'.repeat(32), '2'.repeat(32)],
      },
    ]);
    const eventually = results().filter(({ name }) => name === 'calls in any turn');
    expect(eventually).toEqual([
      {
        trace: '1',
        isRoot: true,
        name: 'calls in any turn',
        label: 'fail',
        generation: 1,
        final: false,
      },
      {
        trace: '2',
        isRoot: true,
        name: 'calls in any turn',
        label: 'pass',
        generation: 2,
        final: false,
      },
    ]);
    expect(logs()).toEqual([]);
  });

  it('is final conversation_wait after its last trace, as log events on the last root', async () => {
    await serve.send(turn(1, [says('first'), call('look_up')]));
    await serve.pass(2_000);
    await serve.send(turn(2, [says('second')]));
    await serve.pass(2_000);
    await serve.pass(599_000);
    expect(logs()).toEqual([]);
    await serve.pass(1_000);
    const root = forwardedSpans(backend).find(
      ({ span }) => span.parentSpanId === null && span.traceId === '2'.repeat(32),
    );
    expect(logs()).toHaveLength(3);
    for (const record of logs()) {
      expect(record).toMatchObject({
        eventName: 'gen_ai.evaluation.result',
        traceId: '2'.repeat(32),
        spanId: root?.span.spanId,
        attributes: expect.arrayContaining([
          { key: 'retrial.final', value: { boolValue: true } },
          { key: 'retrial.generation', value: { intValue: '2' } },
          { key: 'retrial.release_reason', value: { stringValue: 'quiet' } },
        ]),
      });
    }
  });

  it('a new turn after that starts a new generation', async () => {
    await serve.send(turn(1, [says('first'), call('look_up')]));
    await serve.pass(2_000);
    await serve.pass(600_000);
    await serve.send(turn(2, [says('second')]));
    await serve.pass(2_000);
    expect(serve.report().units).toMatchObject([{ generation: 2, verdict: 'pass' }]);
  });

  it('gives the report of the same bytes offline, and drain ends it', async () => {
    const bytes = [turn(1, [says('first'), call('look_up')]), turn(2, [says('second')])];
    for (const body of [...bytes].reverse()) await serve.send(body);
    await serve.pass(2_000);
    const offline = await gradeBytes(bytes, `${folder}/turns.abs.yaml`, 'auto');
    const strip = (report: ReturnType<typeof comparable>) => ({
      ...report,
      units: report.units.map(({ document: _, ...unit }) => unit),
    });
    expect(strip(comparable(serve.report()))).toEqual(strip(comparable(offline)));
    expect(strip(comparable(await serve.stop()))).toEqual(strip(comparable(offline)));
    expect(logs()).toHaveLength(3);
  });

  it('an alert of one turn is not raised again by the next', async () => {
    await serve.send(turn(1, [says('first'), call('delete_account')]));
    await serve.pass(2_000);
    await serve.send(turn(2, [says('second'), call('look_up')]));
    await serve.pass(2_000);
    const messages = hook.requests.map(({ body }) => JSON.parse(body.toString()));
    expect(messages).toMatchObject([
      { state: 'raised', title: 'never deletes', unit: { kind: 'conversation', id: 'thread-7' } },
    ]);
  });

  it('a trace without a key is a unit of its own', async () => {
    await serve.send(requestProtobuf(statedRun([says('first')])));
    await serve.pass(2_000);
    expect(serve.report().units).toMatchObject([{ kind: 'trace', generation: 1 }]);
    expect(results().every(({ final }) => final === true)).toBe(true);
  });
});
