import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeMessage, responseType, statusType } from '../receivers/support.js';
import { statedRun } from '../support/native.js';
import { requestJson, requestProtobuf } from '../support/otlp.js';
import { type Peer, startPeer } from '../support/otlp-peer.js';
import {
  batchOf,
  expectBalanced,
  forwardedSpans,
  recording,
  startTestServe,
  type TestServe,
} from './serve-support.js';

let serve: TestServe;
let backend: Peer;

beforeEach(async () => {
  backend = await startPeer();
  serve = await startTestServe(
    `destinations: [ { name: backend, otlp_http: ${backend.url.href} } ]`,
  );
});
afterEach(async () => {
  await serve.pass(30_000);
  expectBalanced(serve);
  await serve.stop();
  await backend.stop();
});

const run = statedRun([
  { actor: 'user', action: 'says', content: 'hi' },
  { actor: 'assistant', action: 'responds', content: 'hello' },
]);
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

async function sendJson(value: unknown) {
  const { status, body } = await serve.send(json(value), 'application/json');
  return { status, answer: JSON.parse(body.toString()) };
}

describe('requests', () => {
  it('H15: an empty protobuf body is an empty request', async () => {
    expect(await serve.send(Buffer.alloc(0))).toEqual({ status: 200, body: Buffer.alloc(0) });
    expect(serve.counts().received).toBe(0);
  });

  it.each(['', 'null', '[]', '"x"', '{"resourceSpans":{}}', '{} {}', '{"a":', 'nonsense'])(
    'H16: JSON body %j is 400 with a Status, never 500',
    async (text) => {
      const { status, body } = await serve.send(Buffer.from(text), 'application/json');
      expect(status).toBe(400);
      expect(JSON.parse(body.toString())).toMatchObject({ code: 3, message: expect.any(String) });
    },
  );

  it.each([
    {},
    { resourceSpans: [] },
    { resourceSpans: [{}] },
    { resourceSpans: [{ scopeSpans: [{ spans: [] }] }] },
  ])('H17: an envelope without spans is 200, and nothing is forwarded: %j', async (value) => {
    expect(await sendJson(value)).toEqual({ status: 200, answer: {} });
    await serve.pass(30_000);
    expect(backend.requests).toEqual([]);
  });

  it('H18: langfuse/langfuse#15707: logs posted as protobuf are refused span by span', async () => {
    // A log record: time_unix_nano = 1 (fixed64), severity_number = 9, body "x".
    const record = Buffer.from([0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0x10, 9, 0x2a, 3, 0x0a, 1, 0x78]);
    const wrap = (tag: number, bytes: Buffer): Buffer => Buffer.from([tag, bytes.length, ...bytes]);
    const { status, body } = await serve.send(wrap(0x0a, wrap(0x12, wrap(0x12, record))));
    expect(status).toBe(200);
    expect(decodeMessage(responseType, body)).toMatchObject({
      partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringMatching(/bad_id 1/) },
    });
  });

  it('H18: logs posted as JSON are 200 with a warning', async () => {
    const { status, answer } = await sendJson({ resourceLogs: [] });
    expect(status).toBe(200);
    expect(answer.partialSuccess.errorMessage).toContain('no resourceSpans');
  });

  it('P6: a truncated protobuf body is 400 at every byte, and nothing of it is kept', async () => {
    const body = Buffer.from(requestProtobuf(run));
    for (let length = 1; length < body.length; length += 7) {
      const { status, body: answer } = await serve.send(body.subarray(0, length));
      expect(status).toBe(400);
      expect(decodeMessage(statusType, answer)).toMatchObject({ code: 3 });
    }
    expect(serve.counts().received).toBe(0);
  });

  it('P12: gzip sent as identity is told to be gzip', async () => {
    const { status, body } = await serve.send(zlib.gzipSync(requestProtobuf(run)));
    expect(status).toBe(400);
    expect(body.toString()).toContain('looks like gzip');
  });

  it('R2: 200 means held', async () => {
    await serve.send(requestProtobuf(run));
    expect(serve.counts()).toMatchObject({ received: 3, held: 3 });
  });
});

describe('promise 6: one bad span never sinks its neighbours', () => {
  it.each([
    ['bad_id', { traceId: 'xyz' }],
    ['bad_id', { spanId: '0000000000000000' }],
    ['bad_number', { startTimeUnixNano: '1.5' }],
  ])('%s in the middle of a batch costs itself alone', async (reason, fault) => {
    const request = JSON.parse(JSON.stringify(requestJson(run)));
    const spans = request.resourceSpans[0].scopeSpans[0].spans;
    spans.splice(1, 0, { ...spans[1], ...fault });
    const { status, answer } = await sendJson(request);
    expect(status).toBe(200);
    expect(answer).toEqual({
      partialSuccess: {
        rejectedSpans: '1',
        errorMessage: expect.stringMatching(
          new RegExp(`^1 span\\(s\\) refused: ${reason} 1, first at resourceSpans\\[0\\]`),
        ),
      },
    });
    await serve.pass(30_000);
    expect(forwardedSpans(backend)).toHaveLength(3);
    expect(serve.counts()).toMatchObject({
      received: 4,
      rejected: { [reason]: 1 },
      destinations: { backend: { forwarded: 3 } },
    });
  });

  it('S2: a value nested too deep is refused alone', async () => {
    const request = JSON.parse(JSON.stringify(requestJson(run)));
    const spans = request.resourceSpans[0].scopeSpans[0].spans;
    let deep: object = { stringValue: 'x' };
    for (let level = 0; level < 200; level += 1) deep = { arrayValue: { values: [deep] } };
    spans.push({ ...spans[1], spanId: 'ab'.repeat(8), attributes: [{ key: 'deep', value: deep }] });
    const { status } = await sendJson(request);
    expect(status).toBe(200);
    expect(serve.counts().rejected).toEqual({ too_deep: 1 });
  });

  it('S2, S3: wide spans and keys chosen to collide are taken in reasonable time', async () => {
    const request = JSON.parse(JSON.stringify(requestJson(run)));
    const spans = request.resourceSpans[0].scopeSpans[0].spans;
    spans[1].attributes = Array.from({ length: 100_000 }, (_, i) => ({
      key: `k${i % 50_000}`,
      value: { intValue: i },
    }));
    const started = performance.now();
    expect((await sendJson(request)).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('S4: prototype keys are data', async () => {
    const request = JSON.parse(JSON.stringify(requestJson(run)));
    const spans = request.resourceSpans[0].scopeSpans[0].spans;
    spans[1].attributes.push(
      ...['__proto__', 'constructor', 'toString', ''].map((key) => ({
        key,
        value: { stringValue: 'x' },
      })),
    );
    const text = JSON.stringify(request).replace(
      '"name":"run"',
      '"name":"run","__proto__":{"spans":[1]}',
    );
    expect((await serve.send(Buffer.from(text), 'application/json')).status).toBe(200);
    await serve.pass(30_000);
    const [span] = forwardedSpans(backend).filter(
      ({ span }) => span.attribute('constructor') === 'x',
    );
    expect(span?.span.attribute('__proto__')).toBe('x');
    expect(({} as { spans?: unknown }).spans).toBe(undefined);
  });
});

describe('promise 4: nothing is lost silently', () => {
  it('duplicates, own telemetry, rejected and forwarded spans add up', async () => {
    const own = JSON.parse(JSON.stringify(requestJson(run)));
    own.resourceSpans[0].scopeSpans[0].scope.name = 'retrial';
    await sendJson(own);
    await serve.send(requestProtobuf(run));
    expectBalanced(serve);
    await serve.send(requestProtobuf(run));
    await serve.pass(2_000);
    await serve.send(requestProtobuf(run));
    await serve.pass(2_000);
    expect(serve.counts()).toEqual({
      received: 12,
      held: 0,
      rejected: {},
      discarded: { own_telemetry: 3, duplicate: 6 },
      destinations: { backend: { queued: 0, forwarded: 3, discarded: {} } },
    });
  });

  it('without a destination spans are discarded once, and still graded', async () => {
    const alone = await startTestServe('unit: trace');
    await alone.send(requestProtobuf(run));
    await alone.pass(2_000);
    expect(alone.counts()).toMatchObject({
      received: 3,
      held: 0,
      discarded: { no_destination: 3 },
    });
    expect(alone.report().ungraded).toEqual([{ id: run[0]?.traceId, reason: 'no_spec' }]);
    expectBalanced(alone);
    await alone.stop();
  });

  it('T1, promise 5: a request that mixes traces and resources comes out with the right ones', async () => {
    const one = requestProtobuf(run, { 'service.name': 'one' });
    const other = requestProtobuf(
      statedRun([{ actor: 'user', action: 'says' }], { traceId: 'c'.repeat(32) }),
      { 'service.name': 'two' },
    );
    const mixed = Buffer.concat([one, other, recording('good')]);
    await serve.send(mixed);
    await serve.pass(2_000);
    const sent = batchOf(mixed);
    const describeSpan = (span: {
      spanId: string;
      resource: { attribute(k: string): unknown };
      scope: { name: string };
    }) => [span.spanId, span.resource.attribute('service.name'), span.scope.name].join(' ');
    expect(
      forwardedSpans(backend)
        .map(({ span }) => describeSpan(span))
        .sort(),
    ).toEqual(Array.from(sent, describeSpan).sort());
    const received = new Set(
      Array.from(sent, (_, row) => Buffer.from(sent.spanBytes(row)).toString('hex')),
    );
    for (const { bytes } of forwardedSpans(backend))
      expect(received).toContain(bytes.toString('hex'));
  });

  it('unknown fields of a span survive', async () => {
    const body = Buffer.from(requestProtobuf(run.slice(0, 1)));
    const batch = batchOf(body);
    // Field 99, wire type 2, "new": appended to the span, with every length around it corrected.
    const span = Buffer.concat([
      batch.spanBytes(0),
      Buffer.from([0x9a, 0x06, 3, 0x6e, 0x65, 0x77]),
    ]);
    const wrap = (tag: number, bytes: Buffer): Buffer =>
      Buffer.concat([Buffer.from([tag, (bytes.length & 0x7f) | 0x80, bytes.length >> 7]), bytes]);
    await serve.send(wrap(0x0a, wrap(0x12, wrap(0x12, span))));
    await serve.pass(2_000);
    expect(forwardedSpans(backend)[0]?.bytes.equals(span)).toBe(true);
  });
});
