import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AdminActions, startAdmin } from '../../src/receivers/admin-http.js';
import type { RunningServer } from '../../src/receivers/receiver.js';
import { sendRaw } from './support.js';

let server: RunningServer;
let notReady: string[];
let finishStop: (report: string) => void;

beforeEach(async () => {
  notReady = [];
  const actions: AdminActions = {
    reasonsNotReady: () => notReady,
    metrics: (_, response) => response.end('metric 1\n'),
    report: () => '{"so":"far"}',
    stop: () =>
      new Promise((resolve) => {
        finishStop = resolve;
      }),
  };
  server = await startAdmin({ host: '127.0.0.1', port: 0 }, actions);
});
afterEach(() => server.stop(100));

const get = (path: string): Promise<Response> => fetch(`${server.url}${path}`);

describe('the admin address', () => {
  it('A5: is alive, and ready unless something says why not', async () => {
    expect(await (await get('/healthz')).text()).toBe('ok\n');
    expect((await get('/readyz')).status).toBe(200);
    notReady = ['shutting down', 'destination tempo: queue full'];
    const response = await get('/readyz');
    expect(response.status).toBe(503);
    expect(await response.text()).toBe('shutting down\ndestination tempo: queue full\n');
    expect((await get('/healthz')).status).toBe(200);
  });

  it('serves metrics and the report so far', async () => {
    expect(await (await get('/metrics')).text()).toBe('metric 1\n');
    const report = await get('/report');
    expect(report.headers.get('content-type')).toBe('application/json');
    expect(await report.json()).toEqual({ so: 'far' });
  });

  it('stop answers with the report, once everything is drained', async () => {
    const answer = fetch(`${server.url}/stop`, { method: 'POST' });
    while (finishStop === undefined) await new Promise((resolve) => setImmediate(resolve));
    finishStop('{"final":true}');
    expect(await (await answer).json()).toEqual({ final: true });
  });

  it('says what it serves, and with which method', async () => {
    expect(await (await get('/nothing')).text()).toContain('/healthz');
    expect((await get('/constructor')).status).toBe(404);
    const stop = await get('/stop');
    expect([stop.status, stop.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('answers no web page, neither by origin nor by a name pointed at this address', async () => {
    const crossSite = await fetch(`${server.url}/stop`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    });
    expect(crossSite.status).toBe(403);
    const request = (host: string): Promise<string> =>
      sendRaw(server, `GET /report HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await request('evil.example:4319')).toMatch(/^HTTP\/1.1 403 /);
    expect(await request('localhost:4319')).toMatch(/^HTTP\/1.1 200 /);
    expect(await request('[::1]:4319')).toMatch(/^HTTP\/1.1 200 /);
  });
});
