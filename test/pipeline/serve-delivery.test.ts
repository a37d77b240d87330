import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeLogs } from '../support/log-records.js';
import { type Peer, startPeer } from '../support/otlp-peer.js';
import {
  batchOf,
  expectBalanced,
  forwardedSpans,
  recording,
  refundDocument,
  startTestServe,
  type TestServe,
} from './serve-support.js';

let serve: TestServe;
let first: Peer;
let second: Peer;

beforeEach(async () => {
  first = await startPeer();
  second = await startPeer();
});
afterEach(async () => {
  expectBalanced(serve);
  await serve.stop();
  expectBalanced(serve);
  await Promise.all([first.stop(), second.stop()]);
});

async function start(yaml = ''): Promise<void> {
  serve = await startTestServe(`
specs: [ { files: [${refundDocument}] } ]
destinations:
  - { name: first, otlp_http: ${first.url.href} }
  - { name: second, otlp_http: ${second.url.href} }
${yaml}
`);
}

const goodSpans = batchOf(recording('good')).size;
const bothSpans = goodSpans + batchOf(recording('handoff')).size;

async function sendAndRelease(variant: string): Promise<void> {
  await serve.send(recording(variant));
  await serve.scheduler.advance(2_000);
}

describe('destinations', () => {
  it('each gets the same bytes, whatever happens to the other', async () => {
    await start();
    await sendAndRelease('good');
    await serve.whenIdle();
    expect(first.requests.map(({ body }) => body.toString('hex'))).toEqual(
      second.requests.map(({ body }) => body.toString('hex')),
    );
  });

  it('F6: one that hangs does not keep the other waiting, nor the intake', async () => {
    first.behave = () => undefined;
    await start();
    await sendAndRelease('good');
    await second.received(1);
    await first.received(1);
    expect((await serve.send(recording('handoff'))).status).toBe(200);
    await serve.scheduler.advance(2_000);
    await second.received(2);
    while (serve.counts().destinations.second?.queued !== 0) {
      await new Promise((done) => setImmediate(done));
    }
    expect(serve.counts().destinations).toMatchObject({
      first: { forwarded: 0, queued: expect.any(Number) },
      second: { queued: 0, forwarded: bothSpans },
    });
  });

  it('down for a minute and back: nothing is lost', async () => {
    await first.stop();
    await start();
    await sendAndRelease('good');
    for (let second = 0; second < 60; second += 10) {
      await serve.scheduler.whenWaiting();
      await serve.scheduler.advance(10_000);
      expectBalanced(serve);
    }
    await sendAndRelease('handoff');
    expect(serve.counts().destinations.first?.forwarded).toBe(0);
    await first.start();
    await serve.scheduler.whenWaiting();
    await serve.scheduler.advance(60_000);
    await serve.whenIdle();
    expect(forwardedSpans(first)).toHaveLength(bothSpans);
    expect(serve.counts().destinations.first).toEqual({
      queued: 0,
      forwarded: bothSpans,
      discarded: {},
    });
  });

  it.each([
    ['garbage in a 200', 200, '<html>', { forwarded: goodSpans, discarded: {} }],
    ['a 400', 400, 'no', { forwarded: 0, discarded: { destination_rejected: goodSpans } }],
    [
      'partial success',
      200,
      '{"partialSuccess":{"rejectedSpans":4}}',
      { forwarded: goodSpans - 4, discarded: { destination_rejected: 4 } },
    ],
  ])('%s is counted as otlp.md §1.6 says', async (_, code, body, expected) => {
    first.behave = (response) => response.writeHead(code).end(body);
    await start();
    await sendAndRelease('good');
    await serve.whenIdle();
    expect(serve.counts().destinations.first).toEqual({ queued: 0, ...expected });
    expect(first.requests).toHaveLength(1);
  });

  it('a 429 with Retry-After is waited for', async () => {
    first.behave = (response) => response.writeHead(429, { 'retry-after': '120' }).end();
    await start();
    await sendAndRelease('good');
    await first.received(1);
    await second.received(1);
    while (serve.scheduler.pendingDelays().length < 2)
      await new Promise((done) => setImmediate(done));
    first.behave = (response) => response.writeHead(200).end();
    await serve.scheduler.advance(119_000);
    expect(first.requests).toHaveLength(1);
    await serve.scheduler.advance(1_000);
    await serve.whenIdle();
    expect(serve.counts().destinations.first?.forwarded).toBe(goodSpans);
  });
});

describe('overload', () => {
  it('when every destination is far behind, intake is refused and readiness says why', async () => {
    for (const peer of [first, second]) peer.behave = (response) => response.writeHead(503).end();
    serve = await startTestServe(`
destinations:
  - { name: first, otlp_http: ${first.url.href}, sending_queue: { max_bytes: 40KiB } }
  - { name: second, otlp_http: ${second.url.href}, sending_queue: { max_bytes: 40KiB } }
`);
    const ready = (): Promise<Response> => fetch(`${serve.adminUrl}/readyz`);
    expect((await ready()).status).toBe(200);
    let status = 200;
    for (const variant of ['good', 'handoff', 'no-lookup', 'claim', 'stream']) {
      ({ status } = await serve.send(recording(variant)));
      if (status !== 200) break;
      await serve.scheduler.advance(2_000);
    }
    expect(status).toBe(503);
    expect((await ready()).status).toBe(503);
    expectBalanced(serve);
  });
});

describe('emit', () => {
  const logs = (peer: Peer) =>
    peer.requests.filter(({ path }) => path === '/v1/logs').flatMap(({ body }) => decodeLogs(body));
  const hasResults = (peer: Peer): boolean =>
    forwardedSpans(peer).some(({ events }) =>
      events.some((e) => e.name.startsWith('gen_ai.evaluation')),
    );

  it('log_events: the same results as log records with the ids of the graded span', async () => {
    first.behave = (response) => response.writeHead(200).end();
    await start('emit: log_events');
    await sendAndRelease('good');
    await serve.whenIdle();
    expect(hasResults(first)).toBe(false);
    const records = logs(first);
    expect(records).toHaveLength(9);
    const [span] = forwardedSpans(first);
    expect(records[0]).toMatchObject({
      service: 'retrial',
      scope: 'retrial',
      eventName: 'gen_ai.evaluation.result',
      traceId: span?.span.traceId,
      attributes: expect.arrayContaining([
        { key: 'gen_ai.evaluation.name', value: { stringValue: 'looks the order up' } },
        { key: 'retrial.final', value: { boolValue: true } },
        { key: 'retrial.generation', value: { intValue: '1' } },
      ]),
    });
  });

  it('both and none', async () => {
    await start('emit: both');
    await sendAndRelease('good');
    await serve.whenIdle();
    expect([hasResults(first), logs(first).length]).toEqual([true, 9]);
    await serve.stop();
    const silent = await startTestServe(
      `emit: none\ndestinations: [ { name: second, otlp_http: ${second.url.href} } ]`,
    );
    const before = second.requests.length;
    await silent.send(recording('good'));
    await silent.pass(2_000);
    expect(second.requests).toHaveLength(before + 1);
    await silent.stop();
  });

  it('a destination gets the signals it is configured for', async () => {
    serve = await startTestServe(`
emit: both
specs: [ { files: [${refundDocument}] } ]
destinations:
  - { name: first, otlp_http: ${first.url.href}, signals: [traces] }
  - { name: second, otlp_http: ${second.url.href}, signals: [logs] }
`);
    await sendAndRelease('good');
    await serve.whenIdle();
    expect(first.requests.map(({ path }) => path)).toEqual(['/v1/traces']);
    expect(second.requests.map(({ path }) => path)).toEqual(['/v1/logs']);
    expect(Object.keys(serve.counts().destinations)).toEqual(['first']);
  });
});

describe('a grader that breaks', () => {
  it('T9: costs its own results and is counted; the spans go out', async () => {
    serve = await startTestServe(
      `destinations: [ { name: first, otlp_http: ${first.url.href} } ]`,
      undefined,
      {
        grader: {
          canBeViolatedEarly: true,
          isCountAboveMax: () => false,
          findEarly() {
            throw new Error('broken early');
          },
          grade() {
            throw new Error('broken');
          },
        },
      },
    );
    await sendAndRelease('good');
    await serve.whenIdle();
    expect(serve.counts().destinations.first?.forwarded).toBe(goodSpans);
    expect(serve.log).toEqual(['error: a trace was forwarded without results: broken']);
    const metrics = await (await fetch(`${serve.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/^retrial_grader_faults_total\S* 1$/m);
  });
});
