import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlertMessage } from '../../src/alerts/alert.js';
import { AlertBook } from '../../src/alerts/alert-book.js';
import { isPublicAddress } from '../../src/alerts/public-address.js';
import type { AlertSink } from '../../src/alerts/sink.js';
import { createWebhookSink, type WebhookOptions } from '../../src/alerts/webhook.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { accept, type Peer, startPeer } from '../support/otlp-peer.js';
import { sampleAlert } from './samples.js';

let peer: Peer;
let scheduler: FakeScheduler;
let delivered: number;
let failures: string[];
let resolved: string[];
let answer: { address: string; family: number }[];

beforeEach(async () => {
  peer = await startPeer();
  scheduler = createFakeScheduler();
  delivered = 0;
  failures = [];
  resolved = [];
  answer = [{ address: '127.0.0.1', family: 4 }];
});
afterEach(() => peer.stop());

function connect(options: Partial<WebhookOptions> = {}): AlertSink {
  return createWebhookSink(
    { name: 'ops', url: peer.url, headers: {}, timeoutMs: 5_000, allowPrivate: true, ...options },
    {
      scheduler,
      random: () => 0.5,
      resolve: async (host) => {
        resolved.push(host);
        return answer;
      },
      events: {
        delivered: () => {
          delivered += 1;
        },
        failed: (_, message) => failures.push(message),
      },
    },
  );
}

function message(rule?: string): AlertMessage {
  const raised = new AlertBook(10).raise(sampleAlert(rule));
  if (raised === null) throw new Error('a new book raises');
  return raised;
}

describe('the webhook sink', () => {
  it('posts the alert with its rule, place, witness and an idempotency key', async () => {
    const sink = connect({ headers: { authorization: 'Bearer hook' } });
    const sent = message();
    sink.send(sent);
    await sink.whenIdle();
    const [request] = peer.requests;
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': sent.idempotencyKey,
      authorization: 'Bearer hook',
    });
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({
      version: 1,
      state: 'raised',
      id: sent.idempotencyKey.replace(':raised', ''),
      idempotencyKey: sent.idempotencyKey,
      document: 'specs/refund.abs.yaml',
      session: 'refund',
      via: null,
      rule: '/evaluations/0',
      unit: { kind: 'trace', id: 'a'.repeat(32) },
      generation: 1,
      early: true,
      severity: 'critical',
      type: 'never',
      title: 'No hand-off',
      verdict: 'fail',
      reason: 'assistant hands off to billing, which must never happen',
      position: 'specs/refund.abs.yaml:41',
      witness: [
        {
          behavior: 4,
          traceId: 'a'.repeat(32),
          spanId: 'b'.repeat(16),
          text: 'assistant hands_off billing',
        },
      ],
    });
    expect([delivered, failures]).toEqual([1, []]);
  });

  it.each([429, 500, 503])('tries again after %i, with the same key, in order', async (code) => {
    peer.behave = (response) => response.writeHead(code).end();
    const sink = connect();
    sink.send(message('/evaluations/0'));
    sink.send(message('/evaluations/1'));
    await scheduler.whenWaiting();
    expect(scheduler.pendingDelays()).toEqual([1_000]);
    peer.behave = accept;
    await scheduler.advance(1_000);
    await sink.whenIdle();
    const keys = peer.requests.map((r) => r.headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[1]);
    expect(delivered).toBe(2);
  });

  it('gives up after five attempts and goes on with the next alert', async () => {
    peer.behave = (response) => response.destroy();
    const sink = connect();
    sink.send(message('/evaluations/0'));
    sink.send(message('/evaluations/1'));
    for (let i = 0; i < 4; i += 1) {
      await scheduler.whenWaiting();
      await scheduler.advance(8_000);
    }
    await scheduler.whenWaiting();
    peer.behave = accept;
    await scheduler.advance(1_000);
    await sink.whenIdle();
    expect([delivered, failures.length]).toEqual([1, 1]);
  });

  it.each([400, 404, 302])('%i is final, and a redirect is not followed', async (code) => {
    const other = await startPeer();
    peer.behave = (response) => response.writeHead(code, { location: other.url.href }).end();
    const sink = connect();
    sink.send(message());
    await sink.whenIdle();
    expect([peer.requests.length, other.requests.length]).toEqual([1, 0]);
    expect(failures).toEqual([`HTTP ${code}`]);
    await other.stop();
  });

  it('a receiver that hangs is cut off, and stopping counts what waits as failed', async () => {
    peer.behave = () => undefined;
    const sink = connect({ timeoutMs: 40 });
    sink.send(message('/evaluations/0'));
    sink.send(message('/evaluations/1'));
    await scheduler.whenWaiting();
    const stopped = sink.stop(500);
    await scheduler.advance(500);
    await stopped;
    expect(delivered).toBe(0);
    expect(failures).toHaveLength(2);
    sink.send(message());
    expect(failures).toHaveLength(3);
  });

  it('S8: a storm is bounded', () => {
    peer.behave = () => undefined;
    const sink = connect();
    for (let i = 0; i < 1_001; i += 1) sink.send(message());
    expect(failures).toEqual(['too many alerts wait']);
  });

  it('S7: text from a trace cannot leave its JSON string', async () => {
    const sink = connect();
    const evil = 'x"},"state":"retracted",<!channel> \r\nX-Evil: 1 \u2028';
    const raised = message();
    sink.send({ ...raised, alert: { ...raised.alert, title: evil } });
    await sink.whenIdle();
    const payload = JSON.parse(peer.requests[0]?.body.toString() ?? '');
    expect(payload).toMatchObject({ title: evil, state: 'raised' });
    expect(peer.requests[0]?.headers['x-evil']).toBe(undefined);
  });
});

describe('S6: where a webhook may go', () => {
  it('the address that was checked is the one connected to, at every delivery', async () => {
    const sink = connect({ url: new URL(`http://hook.example:${peer.url.port}/x`) });
    sink.send(message());
    await sink.whenIdle();
    answer = [];
    sink.send(message());
    await sink.whenIdle();
    expect(resolved).toEqual(['hook.example', 'hook.example']);
    expect(peer.requests.map((r) => [r.path, r.headers.host])).toEqual([
      ['/x', `hook.example:${peer.url.port}`],
    ]);
    expect(failures).toEqual(['hook.example has no address']);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ])('by default not to this machine, written as %s', async (host) => {
    const sink = connect({
      url: new URL(`https://${host}:${peer.url.port}/`),
      allowPrivate: false,
    });
    sink.send(message());
    await sink.whenIdle();
    expect(peer.requests).toEqual([]);
    expect(failures).toEqual([expect.stringContaining('not a public address')]);
  });

  it('by default not without TLS', async () => {
    const sink = connect({ url: new URL('http://hooks.example/x'), allowPrivate: false });
    sink.send(message());
    await sink.whenIdle();
    expect([resolved, failures]).toEqual([[], ['http://hooks.example is not https']]);
  });

  it('a name with one public and one private address is refused', async () => {
    answer = [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const sink = connect({
      url: new URL(`https://rebind.example:${peer.url.port}`),
      allowPrivate: false,
    });
    sink.send(message());
    await sink.whenIdle();
    expect(peer.requests).toEqual([]);
    expect(failures).toEqual(['rebind.example is 127.0.0.1, which is not a public address']);
  });

  it.each([
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'fd00:ec2::254',
    '::ffff:10.0.0.1',
    '2001:db8::1',
    'localhost',
    '',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:2800:220:1::1', '8.8.8.8'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});
