import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBearerAuth } from '../../src/receivers/bearer-auth.js';
import { createCorsPolicy } from '../../src/receivers/cors.js';
import { defaultTimeouts } from '../../src/receivers/listen.js';
import type { OtlpHttpOptions } from '../../src/receivers/otlp-http.js';
import type { RunningServer } from '../../src/receivers/receiver.js';
import {
  createRecordingIntake,
  decodeMessage,
  type RecordingIntake,
  responseType,
  retryInfoType,
  sendRaw,
  startReceiver,
  statusType,
} from './support.js';

const protobufType = 'application/x-protobuf';
const jsonType = 'application/json';

let intake: RecordingIntake;
let server: RunningServer;

async function start(options: Partial<OtlpHttpOptions> = {}): Promise<void> {
  server = await startReceiver(intake, options);
}

beforeEach(() => {
  intake = createRecordingIntake();
});
afterEach(async () => {
  await server.stop(100);
});

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

async function post(
  body: string | Buffer,
  headers: Record<string, string> = {},
  path = '/v1/traces',
): Promise<Reply> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': protobufType, ...headers },
    body,
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

function statusOf(reply: Reply): Record<string, unknown> {
  if (reply.headers.get('content-type') === jsonType) return JSON.parse(reply.bytes.toString());
  expect(reply.headers.get('content-type')).toBe(protobufType);
  return decodeMessage(statusType, reply.bytes);
}

describe('the request', () => {
  it('H1: POST /v1/traces is taken; another method is 405 with Allow and a Status', async () => {
    await start();
    expect((await post('abc')).status).toBe(200);
    expect(intake.bodies).toEqual([{ format: 'protobuf', text: 'abc' }]);
    const response = await fetch(`${server.url}/v1/traces?x=1`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await response.json()).toMatchObject({
      code: 12,
      message: expect.stringContaining('GET'),
    });
  });

  it('H2: protobuf and JSON arrive at one port', async () => {
    await start();
    await post('{}', { 'content-type': jsonType });
    await post('p');
    expect(intake.bodies.map((b) => b.format)).toEqual(['json', 'protobuf']);
  });

  it.each([
    ['Application/JSON', 'json'],
    ['application/json;v=1', 'json'],
    [' application/json ; charset=utf-8', 'json'],
    ['application/json; charset="UTF-8"', 'json'],
    ['application/x-protobuf; messageType="x"', 'protobuf'],
  ])('H3: the media type is parsed, not compared: %s', async (type, format) => {
    await start();
    expect((await post('{}', { 'content-type': type })).status).toBe(200);
    expect(intake.bodies[0]?.format).toBe(format);
  });

  it.each(['text/plain', 'application', 'application/json; charset=utf-16', ''])(
    'H3, H4: content type "%s" is 415 with a Status',
    async (type) => {
      await start();
      const reply = await post('x', { 'content-type': type });
      expect(reply.status).toBe(415);
      expect(statusOf(reply)).toMatchObject({
        code: 3,
        message: expect.stringContaining('x-protobuf'),
      });
      expect(intake.refusals).toEqual(['unsupported_media_type']);
    },
  );

  it.each(['gzip', 'x-gzip', 'GZIP', ' gzip ', 'identity, gzip'])(
    'H5, H6: content encoding "%s" is undone',
    async (coding) => {
      await start();
      const reply = await post(zlib.gzipSync('hello'), { 'content-encoding': coding });
      expect(reply.status).toBe(200);
      expect(intake.bodies[0]?.text).toBe('hello');
    },
  );

  it.each([
    ['with a zlib wrapper', zlib.deflateSync('hello')],
    ['raw', zlib.deflateRawSync('hello')],
  ])('H5 (mlflow/mlflow#19024): deflate %s is undone', async (_, body) => {
    await start();
    expect((await post(body, { 'content-encoding': 'deflate' })).status).toBe(200);
    expect(intake.bodies[0]?.text).toBe('hello');
  });

  it.each(['br', 'zstd', 'gzip, gzip', 'deflate,gzip'])(
    'H5, H6: content encoding "%s" is 415 and the answer lists what is taken',
    async (coding) => {
      await start();
      const reply = await post('x', { 'content-encoding': coding });
      expect(reply.status).toBe(415);
      expect(reply.headers.get('accept-encoding')).toBe('gzip, deflate, identity');
      expect(intake.refusals).toEqual(['unsupported_encoding']);
    },
  );

  const large = Buffer.from('member '.repeat(10_000));
  it.each([
    ['two members', Buffer.concat([zlib.gzipSync('one '), zlib.gzipSync('two')]), 'one two'],
    ['zeros behind', Buffer.concat([zlib.gzipSync('one'), Buffer.alloc(64)]), 'one'],
    ['a body inflated off the main thread', zlib.gzipSync(large, { level: 0 }), large.toString()],
  ])('H7: gzip of %s is read whole', async (_, body, text) => {
    await start();
    expect((await post(body, { 'content-encoding': 'gzip' })).status).toBe(200);
    expect(intake.bodies[0]?.text).toBe(text);
  });

  it.each([
    ['garbage behind', Buffer.concat([zlib.gzipSync('one'), Buffer.from('garbage')])],
    ['truncated', zlib.gzipSync('hello world').subarray(0, 20)],
    ['empty', Buffer.alloc(0)],
    ['a wrong header', Buffer.from('PK\u0003\u0004 not gzip')],
  ])('H7: gzip with %s is 400', async (_, body) => {
    await start();
    const reply = await post(body, { 'content-encoding': 'gzip' });
    expect(reply.status).toBe(400);
    expect(statusOf(reply)).toMatchObject({ code: 3, message: expect.stringContaining('gzip') });
    expect(intake.refusals).toEqual(['malformed']);
  });

  it('H8: a body above the limit is 413, declared or not; one of exactly the limit is taken', async () => {
    await start({ maxRequestBodyBytes: 1_000 });
    expect((await post(Buffer.alloc(1_000))).status).toBe(200);
    const reply = await post(Buffer.alloc(1_001));
    expect(reply.status).toBe(413);
    expect(statusOf(reply)).toMatchObject({
      code: 8,
      message: expect.stringContaining('1000 bytes'),
    });
    const chunk = 'x'.repeat(0x400);
    const chunked = await sendRaw(
      server,
      `POST /v1/traces HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${protobufType}\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n400\r\n${chunk}\r\n0\r\n\r\n`,
    );
    expect(chunked).toMatch(/^HTTP\/1.1 413 /);
    expect(intake.refusals).toEqual(['too_large', 'too_large']);
    expect(intake.inside).toBe(0);
  });

  it.each([
    ['gzip', zlib.gzipSync(Buffer.alloc(50_000_000))],
    ['gzip', Buffer.concat(Array.from({ length: 200 }, () => zlib.gzipSync(Buffer.alloc(1_000))))],
    ['deflate', zlib.deflateSync(Buffer.alloc(50_000_000))],
    ['deflate', zlib.deflateRawSync(Buffer.alloc(50_000_000))],
  ])('H8, S1: a small %s body that inflates above the limit is 413', async (coding, body) => {
    await start({ maxRequestBodyBytes: 60_000 });
    const before = process.memoryUsage().arrayBuffers;
    const reply = await post(body.subarray(0, 60_000), { 'content-encoding': coding });
    expect(reply.status).toBe(413);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });

  it('H8: large bodies of many senders are inflated in turn, and each gets its answer', async () => {
    await start({ maxRequestBodyBytes: 1_000_000 });
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(200_000));
    const replies = await Promise.all(
      texts.map((text) => post(zlib.gzipSync(text, { level: 0 }), { 'content-encoding': 'gzip' })),
    );
    expect(replies.map(({ status }) => status)).toEqual(texts.map(() => 200));
    expect(intake.bodies.map(({ text }) => text).sort()).toEqual(texts);
  });

  it('S1: gzip inside gzip is inflated once; what comes out is the body', async () => {
    await start();
    const inner = zlib.gzipSync(Buffer.alloc(1_000_000));
    expect((await post(zlib.gzipSync(inner), { 'content-encoding': 'gzip' })).status).toBe(200);
    expect(intake.bodies).toHaveLength(1);
  });

  it('H10: chunked bodies are read; a length together with chunks is refused', async () => {
    await start();
    const head = `POST /v1/traces HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${protobufType}\r\n`;
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`;
    expect(await sendRaw(server, chunked)).toMatch(/^HTTP\/1.1 200 /);
    expect(intake.bodies[0]?.text).toBe('abcde');
    const both = `${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    expect(await sendRaw(server, both)).toMatch(/^HTTP\/1.1 400 /);
    expect(intake.bodies).toHaveLength(1);
  });

  it('H10: a sender that goes away before its body is complete leaves nothing behind', async () => {
    await start();
    const socket = net.connect(server.address.port, '127.0.0.1');
    socket.write(
      `POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: ${protobufType}\r\nContent-Length: 100\r\n\r\nabc`,
    );
    await once(socket, 'connect');
    while (intake.inside === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    while (intake.inside > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(intake.bodies).toEqual([]);
  });

  it('H11: Expect: 100-continue is answered', async () => {
    await start();
    const answer = await sendRaw(
      server,
      `POST /v1/traces HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${protobufType}\r\n` +
        'Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc',
    );
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
  });

  it('H12, H13: slow senders are cut off, idle connections outlive load balancers', async () => {
    await start();
    expect(defaultTimeouts.headersTimeoutMs).toBeLessThanOrEqual(60_000);
    expect(defaultTimeouts.requestTimeoutMs).toBeLessThanOrEqual(30_000);
    expect(defaultTimeouts.keepAliveTimeoutMs).toBeGreaterThanOrEqual(75_000);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (let i = 0; i < 3; i += 1) {
      const request = http.request(`${server.url}/v1/traces`, {
        method: 'POST',
        agent,
        headers: { 'content-type': protobufType },
      });
      request.end('x');
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      ports.add(response.socket.localPort);
      expect(response.headers['keep-alive']).toBe('timeout=80');
      response.resume();
      await once(response, 'end');
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });

  it('H14: IPv6 is listened on when asked', async () => {
    await start({ host: '::1' });
    expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await post('x')).status).toBe(200);
  });

  it.each([
    ['/v1/metrics', 'metrics are not enabled'],
    ['/v1/logs', 'logs are not enabled'],
    ['/v1development/profiles', 'profiles are not enabled'],
    ['/', 'POST /v1/traces'],
  ])('H19: %s is 404 with a Status, never taken and dropped', async (path, text) => {
    await start();
    const reply = await post('x', {}, path);
    expect(reply.status).toBe(404);
    expect(statusOf(reply)).toMatchObject({ code: 12, message: expect.stringContaining(text) });
    expect(intake.bodies).toEqual([]);
  });

  it('H20: HTTP/2 with prior knowledge is refused', async () => {
    await start();
    expect(await sendRaw(server, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('the response', () => {
  it('R1: has the content type of the request, without parameters', async () => {
    await start();
    const json = await post('{}', { 'content-type': 'application/json; charset=utf-8' });
    expect(json.headers.get('content-type')).toBe(jsonType);
    expect(json.bytes.toString()).toBe('{}');
    const binary = await post('');
    expect(binary.headers.get('content-type')).toBe(protobufType);
    expect(binary.bytes).toHaveLength(0);
  });

  it('R3, R4, R5: partial success says how many and why, in the encoding of the request', async () => {
    await start();
    const message = `2 span(s) refused: bad_id ${'é'.repeat(2_000)}`;
    intake.answer = { kind: 'accepted', partial: { rejectedSpans: 300, message } };
    const { partialSuccess } = decodeMessage(responseType, (await post('')).bytes) as {
      partialSuccess: { rejectedSpans: string; errorMessage: string };
    };
    expect(partialSuccess.rejectedSpans).toBe('300');
    expect(partialSuccess.errorMessage).toMatch(/^2 span\(s\) refused: bad_id é+…$/);
    expect(Buffer.byteLength(partialSuccess.errorMessage)).toBeLessThanOrEqual(1024);
    const json = JSON.parse((await post('{}', { 'content-type': jsonType })).bytes.toString());
    expect(json).toEqual({ partialSuccess: { ...partialSuccess, rejectedSpans: '300' } });
  });

  it('R7: 400 is a Status in the encoding of the request', async () => {
    await start();
    intake.answer = { kind: 'malformed', detail: 'broken at byte 7' };
    for (const type of [protobufType, jsonType]) {
      const reply = await post('x', { 'content-type': type });
      expect(reply.status).toBe(400);
      expect(reply.headers.get('content-type')).toBe(type);
      expect(statusOf(reply)).toEqual({
        code: 3,
        message: 'the body cannot be read: broken at byte 7',
      });
    }
  });

  it('R8, R9: overload is 503 with Retry-After and RetryInfo, decided before the body is read', async () => {
    await start();
    intake.refusal = { reason: 'overload', retryAfterSeconds: 200 };
    const binary = await post('x');
    expect(binary.status).toBe(503);
    expect(binary.headers.get('retry-after')).toBe('200');
    const { code, details } = statusOf(binary) as {
      code: number;
      details: { type_url: string; typeUrl?: string; value: string }[];
    };
    expect(code).toBe(14);
    const detail = details[0];
    expect(detail?.typeUrl ?? detail?.type_url).toBe('type.googleapis.com/google.rpc.RetryInfo');
    expect(decodeMessage(retryInfoType, Buffer.from(detail?.value ?? '', 'base64'))).toEqual({
      retryDelay: { seconds: '200' },
    });
    const json = await post('{}', { 'content-type': jsonType });
    expect(statusOf(json)).toMatchObject({
      code: 14,
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '200s' }],
    });
    expect(intake.bodies).toEqual([]);
    expect(intake.refusals).toEqual(['overload', 'overload']);
  });

  it('R8: a full hold found out after reading is 503 too, and shutting down says so', async () => {
    await start();
    const refusal = { reason: 'shutting_down', retryAfterSeconds: 1 } as const;
    intake.answer = { kind: 'refused', refusal };
    const reply = await post('x');
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
    expect(statusOf(reply)).toMatchObject({ message: 'Retrial is shutting down' });
    expect(intake.refusals).toEqual(['shutting_down']);
  });

  it('R12: a fault inside is 500 without any word of it', async () => {
    await start();
    intake.accept = () => {
      throw new Error('secret detail');
    };
    const reply = await post('x');
    expect(reply.status).toBe(500);
    expect(reply.bytes.toString()).not.toContain('secret');
    expect((await post('x')).status).toBe(500);
  });
});

describe('who may send', () => {
  const auth = createBearerAuth('# comment\nfirst-token\n\nsecond-token\n');

  it('A2: the token is checked first; 401 even when the content type is unknown', async () => {
    await start({ auth });
    const wrong = await post('x', { 'content-type': 'text/plain', authorization: 'Bearer nope' });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer');
    expect(statusOf(wrong)).toMatchObject({ code: 16 });
    expect((await post('x')).status).toBe(401);
    expect((await post('x', { authorization: 'Basic first-token' })).status).toBe(401);
    expect((await post('x', { authorization: 'bearer second-token' })).status).toBe(200);
    expect(intake.refusals).toEqual(['unauthenticated', 'unauthenticated', 'unauthenticated']);
  });

  it('A2: a token file without tokens lets nobody in', () => {
    expect(createBearerAuth('\n# nothing\n')('Bearer ')).toBe(false);
    expect(createBearerAuth('')('Bearer x')).toBe(false);
  });

  it('A1: without allowed origins a browser gets no permission', async () => {
    await start();
    const response = await fetch(`${server.url}/v1/traces`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(405);
    expect(response.headers.get('access-control-allow-origin')).toBe(null);
  });

  it('A1: a preflight from an allowed origin is answered before the token is asked for', async () => {
    await start({ auth, cors: createCorsPolicy(['https://*.example']) });
    const preflight = (origin: string): Promise<Response> =>
      fetch(`${server.url}/v1/traces`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const allowed = await preflight('https://app.example');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(allowed.headers.get('access-control-allow-headers')).toContain('content-type');
    expect((await preflight('https://app.example.evil')).status).toBe(405);
    const sent = await post('x', {
      origin: 'https://app.example',
      authorization: 'Bearer first-token',
    });
    expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://app.example',
    ]);
  });

  it('A6: a busy port is a sentence, not a code', async () => {
    await start();
    await expect(startReceiver(intake, { port: server.address.port })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${server.address.port}: another process does`,
    );
  });
});
