import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Destination, DestinationEvents } from '../../src/exporters/destination.js';
import {
  createOtlpHttpDestination,
  type OtlpHttpDestinationOptions,
} from '../../src/exporters/otlp-http.js';
import type { QueueItem } from '../../src/exporters/send-queue.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { accept, type Peer, type PeerBehavior, startPeer } from '../support/otlp-peer.js';

interface Counts {
  forwarded: number;
  destination_rejected: number;
  queue_expired: number;
  readonly log: string[];
}

let scheduler: FakeScheduler;
let counts: Counts;
let peer: Peer;
const open: Destination[] = [];

const events: DestinationEvents = {
  forwarded: (_, spans) => {
    counts.forwarded += spans;
  },
  discarded: (_, reason, spans) => {
    counts[reason] += spans;
  },
  log: (_, message) => {
    counts.log.push(message);
  },
};

beforeEach(async () => {
  scheduler = createFakeScheduler();
  counts = { forwarded: 0, destination_rejected: 0, queue_expired: 0, log: [] };
  peer = await startPeer();
});
afterEach(async () => {
  for (const destination of open.splice(0)) {
    const stopped = destination.stop(0);
    await scheduler.advance(1);
    await stopped;
  }
  await peer.stop();
});

function connect(options: Partial<OtlpHttpDestinationOptions> = {}): Destination {
  const destination = createOtlpHttpDestination(
    {
      name: 'tempo',
      url: peer.url,
      headers: { authorization: 'Bearer t' },
      signals: new Set(['traces', 'logs'] as const),
      maxQueueBytes: 10_000,
      retry: { initialIntervalMs: 5_000, maxIntervalMs: 30_000, maxElapsedMs: 300_000 },
      ...options,
    },
    { scheduler, random: () => 0.5, epochMs: () => Date.UTC(2026, 0, 1), events },
  );
  open.push(destination);
  return destination;
}

function item(text: string, spans = 1, signal: QueueItem['signal'] = 'traces'): QueueItem {
  return { signal, payload: Buffer.from(text), spans };
}

const status =
  (code: number, headers: Record<string, string> = {}, body: string | Buffer = ''): PeerBehavior =>
  (response) => {
    response.writeHead(code, headers).end(body);
  };

const bodies = (): readonly string[] => peer.requests.map((r) => r.body.toString());

describe('F1: retry', () => {
  it.each([429, 502, 503, 504])(
    '%i is sent again, byte for byte, until it is taken',
    async (code) => {
      peer.behave = status(code);
      const destination = connect();
      destination.enqueue(item('abc', 3));
      await scheduler.whenWaiting();
      expect(counts).toMatchObject({ forwarded: 0, queue_expired: 0 });
      expect(destination.isFailing).toBe(true);
      peer.behave = accept;
      await scheduler.advance(5_000);
      await destination.whenEmpty();
      expect(bodies()).toEqual(['abc', 'abc']);
      expect(counts.forwarded).toBe(3);
      expect(destination.isFailing).toBe(false);
    },
  );

  it.each([301, 307, 400, 401, 403, 404, 408, 413, 415, 422, 500, 501, 505])(
    '%i is final',
    async (code) => {
      peer.behave = status(code, { location: '/elsewhere' });
      const destination = connect();
      destination.enqueue(item('abc', 3));
      await destination.whenEmpty();
      expect(peer.requests).toHaveLength(1);
      expect(counts).toMatchObject({ forwarded: 0, destination_rejected: 3 });
    },
  );

  it('waits longer each time, up to the maximum', async () => {
    peer.behave = status(503);
    connect().enqueue(item('abc'));
    const delays: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      await scheduler.whenWaiting();
      const [delay = 0] = scheduler.pendingDelays();
      delays.push(delay);
      await scheduler.advance(delay);
    }
    expect(delays).toEqual([5_000, 7_500, 11_250, 16_875, 25_312.5, 30_000, 30_000]);
  });

  it.each([
    ['7', 7_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 5_000],
    ['soon', 5_000],
    ['-3', 5_000],
  ])('otelcol#12366: Retry-After "%s" is honoured', async (header, expected) => {
    peer.behave = status(429, { 'retry-after': header });
    connect().enqueue(item('abc'));
    await scheduler.whenWaiting();
    expect(scheduler.pendingDelays()).toEqual([expected]);
  });

  it('gives up after max_elapsed_time and counts what is lost', async () => {
    peer.behave = status(503);
    const destination = connect({
      retry: { initialIntervalMs: 5_000, maxIntervalMs: 5_000, maxElapsedMs: 12_000 },
    });
    destination.enqueue(item('abc', 4));
    await scheduler.whenWaiting();
    await scheduler.advance(5_000);
    await scheduler.whenWaiting();
    await scheduler.advance(5_000);
    await destination.whenEmpty();
    expect(peer.requests).toHaveLength(3);
    expect(counts).toMatchObject({ forwarded: 0, queue_expired: 4 });
  });

  it('a server that is down is tried again, and nothing is lost', async () => {
    await peer.stop();
    const destination = connect();
    destination.enqueue(item('one'));
    await scheduler.whenWaiting();
    destination.enqueue(item('two'));
    await scheduler.advance(5_000);
    await scheduler.whenWaiting();
    await peer.start();
    await scheduler.advance(30_000);
    await destination.whenEmpty();
    expect(bodies().join('')).toBe('onetwo');
    expect(counts).toMatchObject({ forwarded: 2, queue_expired: 0, destination_rejected: 0 });
    expect(counts.log).toHaveLength(2);
  });

  it('a server that takes the request and never answers is a failed attempt', async () => {
    peer.behave = () => undefined;
    const destination = connect({ requestTimeoutMs: 40 });
    destination.enqueue(item('abc'));
    await scheduler.whenWaiting();
    expect(peer.requests).toHaveLength(1);
    peer.behave = accept;
    await scheduler.advance(5_000);
    await destination.whenEmpty();
    expect(counts.forwarded).toBe(1);
  });
});

describe('F2, F3: success', () => {
  const partial = Buffer.from([0x0a, 0x06, 0x08, 0x02, 0x12, 0x02, 0x6e, 0x6f]);
  it.each([
    ['protobuf', partial],
    ['JSON', '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no"}}'],
  ])('otelcol#9260: partial success in %s is counted and never sent again', async (_, body) => {
    peer.behave = status(200, {}, body);
    const destination = connect();
    destination.enqueue(item('abc', 5));
    await destination.whenEmpty();
    expect(peer.requests).toHaveLength(1);
    expect(counts).toMatchObject({ forwarded: 3, destination_rejected: 2 });
    expect(counts.log).toEqual(['tempo: refused 2 span(s) of a request: no']);
  });

  it('a peer that claims to have refused more than was sent is believed up to that', async () => {
    peer.behave = status(200, {}, '{"partialSuccess":{"rejectedSpans":900}}');
    const destination = connect();
    destination.enqueue(item('abc', 5));
    await destination.whenEmpty();
    expect(counts).toMatchObject({ forwarded: 0, destination_rejected: 5 });
  });

  it.each([
    ['otelcol#9666: an empty body', ''],
    ['an empty partial success', Buffer.from([0x0a, 0x00])],
    ['otelcol#15386: HTML', '<html>welcome</html>'],
    ['broken protobuf', Buffer.from([0x0a, 0xff, 0xff])],
    ['broken JSON', '{"partialSuccess":'],
    ['JSON of another shape', '{"partialSuccess":[1]}'],
  ])('%s in a 2xx is success', async (_, body) => {
    peer.behave = status(202, {}, body);
    const destination = connect();
    destination.enqueue(item('abc'));
    await destination.whenEmpty();
    expect(peer.requests).toHaveLength(1);
    expect(counts).toMatchObject({ forwarded: 1, destination_rejected: 0 });
  });

  it('F7: a 2xx with an endless body is success, and reading it stops', async () => {
    peer.behave = (response) => {
      response.writeHead(200);
      const block = Buffer.alloc(256 * 1024);
      const write = (): void => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', write);
      write();
    };
    const destination = connect();
    destination.enqueue(item('abc'));
    await destination.whenEmpty();
    expect(counts.forwarded).toBe(1);
  });

  it('a 2xx whose body never ends is success once the time is over', async () => {
    peer.behave = (response) => {
      response.writeHead(200);
      response.write('x');
    };
    const destination = connect({ requestTimeoutMs: 40 });
    destination.enqueue(item('abc'));
    await destination.whenEmpty();
    expect(counts.forwarded).toBe(1);
  });
});

describe('F4, F8: batches', () => {
  it('joins what waits, in order, below the limit, one signal at a time', async () => {
    const destination = connect({ maxBatchBytes: 6 });
    for (const text of ['aa', 'bb', 'cc', 'dd', 'a long one', 'ee'])
      destination.enqueue(item(text));
    destination.enqueue(item('log', 0, 'logs'));
    destination.enqueue(item('ff'));
    await destination.whenEmpty();
    expect(peer.requests.map((r) => `${r.path} ${r.body}`)).toEqual([
      '/v1/traces aabbcc',
      '/v1/traces dd',
      '/v1/traces a long one',
      '/v1/traces ee',
      '/v1/logs log',
      '/v1/traces ff',
    ]);
    expect(counts.forwarded).toBe(7);
  });

  it('sends protobuf with the headers of the configuration', async () => {
    const destination = connect({ url: new URL('/otlp/v1/traces/', peer.url) });
    destination.enqueue(item('abc'));
    await destination.whenEmpty();
    expect(peer.requests[0]).toMatchObject({
      path: '/otlp/v1/traces',
      headers: {
        'content-type': 'application/x-protobuf',
        authorization: 'Bearer t',
        'content-length': '3',
      },
    });
  });

  it('F7: a request above 64 MiB is not sent and counted', async () => {
    const destination = connect({ maxQueueBytes: 2 ** 30 });
    destination.enqueue({ signal: 'traces', payload: Buffer.alloc(64 * 2 ** 20 + 1), spans: 2 });
    await destination.whenEmpty();
    expect(peer.requests).toHaveLength(0);
    expect(counts.destination_rejected).toBe(2);
  });
});

describe('F5: connections', () => {
  it('are kept, and replaced at once when the peer closed an idle one', async () => {
    const destination = connect();
    for (const text of ['one', 'two']) {
      destination.enqueue(item(text));
      await destination.whenEmpty();
    }
    await peer.stop();
    await peer.start();
    destination.enqueue(item('three'));
    await destination.whenEmpty();
    const connections = peer.requests.map((r) => r.connection);
    expect(connections[0]).toBe(connections[1]);
    expect(connections[2]).not.toBe(connections[0]);
    expect(counts).toMatchObject({ forwarded: 3, log: [] });
  });

  it('opentelemetry-ruby#1658: a retry after a broken connection uses a new one', async () => {
    peer.behave = (response) => response.destroy();
    const destination = connect();
    destination.enqueue(item('abc'));
    await scheduler.whenWaiting();
    peer.behave = accept;
    await scheduler.advance(5_000);
    await destination.whenEmpty();
    const connections = peer.requests.map((r) => r.connection);
    expect(connections.at(-1)).not.toBe(connections[0]);
    expect(counts.forwarded).toBe(1);
  });
});

describe('F6: queues', () => {
  it('a destination that hangs does not keep another waiting', async () => {
    const healthy = await startPeer();
    peer.behave = () => undefined;
    const stuck = connect({ requestTimeoutMs: 60_000 });
    const free = connect({ name: 'other', url: healthy.url });
    stuck.enqueue(item('x'));
    free.enqueue(item('y'));
    await free.whenEmpty();
    expect(healthy.requests).toHaveLength(1);
    expect(counts.forwarded).toBe(1);
    await healthy.stop();
  });

  it('a full queue gives up its oldest requests, never the one being sent, and counts them', async () => {
    peer.behave = status(503);
    const destination = connect({ maxQueueBytes: 10 });
    destination.enqueue(item('sending', 1));
    await scheduler.whenWaiting();
    destination.enqueue(item('old', 2));
    expect(destination.fill).toBe(1);
    destination.enqueue(item('new', 4));
    expect(counts.queue_expired).toBe(2);
    destination.enqueue(item('too long', 8));
    expect(counts.queue_expired).toBe(10);
    peer.behave = accept;
    await scheduler.advance(5_000);
    await destination.whenEmpty();
    expect(bodies()).toEqual(['sending', 'sending', 'new']);
    expect(counts.forwarded).toBe(5);
  });
});

describe('stopping', () => {
  it('sends what waits first', async () => {
    const destination = connect({ maxBatchBytes: 1 });
    for (const text of ['a', 'b', 'c']) destination.enqueue(item(text));
    await destination.stop(1_000);
    expect(bodies()).toEqual(['a', 'b', 'c']);
    expect(counts).toMatchObject({ forwarded: 3, queue_expired: 0 });
  });

  it('counts what could not be sent in time, also a request under way', async () => {
    peer.behave = () => undefined;
    const destination = connect({ requestTimeoutMs: 60_000, maxBatchBytes: 1 });
    for (const text of ['a', 'b']) destination.enqueue(item(text));
    await peer.received(1);
    const stopped = destination.stop(1_000);
    await scheduler.advance(1_000);
    await stopped;
    expect(counts).toMatchObject({ forwarded: 0, queue_expired: 2 });
    destination.enqueue(item('too late', 1));
    expect(counts.queue_expired).toBe(3);
  });
});
