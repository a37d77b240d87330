import { afterEach, describe, expect, it } from 'vitest';
import {
  expectBalanced,
  recording,
  refundDocument,
  startTestServe,
  type TestServe,
} from './serve-support.js';

let serve: TestServe;
afterEach(async () => {
  await serve.stop();
});

const start = async (yaml = ''): Promise<void> => {
  serve = await startTestServe(`specs: [ { files: [${refundDocument}] } ]\n${yaml}`);
};
const admin = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${serve.adminUrl}${path}`, init);

describe('the admin address of a running server', () => {
  it('GET /report: the report so far, in the shape of the contract', async () => {
    await start();
    expect(await (await admin('/report')).json()).toMatchObject({ units: [], exitCode: 0 });
    await serve.send(recording('handoff'));
    await serve.pass(2_000);
    const report = await (await admin('/report')).json();
    expect(report).toMatchObject({
      retrial: { reportVersion: 1 },
      exitCode: 1,
      reasonCode: 'violations',
      unit: 'trace',
      totals: { units: 1, fail: 1, spans: { rejected: 0 } },
      units: [{ session: 'Refund of one order', verdict: 'fail', releaseReason: 'root_ended' }],
    });
  });

  it('POST /stop: grades what is held, answers with the report, and takes nothing more', async () => {
    await start();
    await serve.send(recording('good'));
    const answer = admin('/stop', { method: 'POST' });
    const report = await (await answer).json();
    expect(report).toMatchObject({
      totals: { units: 1, pass: 1 },
      units: [{ releaseReason: 'drained', verdict: 'pass', complete: true }],
    });
    expect(await serve.stopped).toMatchObject({ exitCode: 0 });
    await expect(serve.send(recording('good'))).rejects.toThrow();
    expectBalanced(serve);
  });

  it('asked twice to stop, it drains once', async () => {
    await start();
    await serve.send(recording('good'));
    const [one, two] = await Promise.all([serve.stop(), serve.stop()]);
    expect(one).toBe(two);
  });

  it('G24: metrics agree with the ledger and the report, without any text of a trace', async () => {
    await start('destinations: [ { name: gone, otlp_http: "http://127.0.0.1:9" } ]');
    await serve.send(recording('handoff'));
    await serve.send(recording('handoff'));
    await serve.send(Buffer.from('not protobuf'));
    await fetch(`${serve.url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    });
    await serve.scheduler.advance(2_000);
    await serve.scheduler.whenWaiting();
    const text = await (await admin('/metrics')).text();
    const value = (line: RegExp): number =>
      Number(
        text
          .split('\n')
          .find((one) => line.test(one))
          ?.split(' ')
          .at(-1),
      );
    const spans = serve.counts();
    expect(value(/^retrial_spans_received_total/)).toBe(spans.received);
    expect(value(/^retrial_spans_discarded_total\{.*reason="duplicate"/)).toBe(13);
    expect(value(/^retrial_spans_queued\{.*destination="gone"/)).toBe(13);
    expect(value(/^retrial_spans_held/)).toBe(0);
    expect(value(/^retrial_requests_total\{.*outcome="accepted"/)).toBe(2);
    expect(value(/^retrial_requests_total\{.*outcome="malformed"/)).toBe(1);
    expect(value(/^retrial_requests_total\{.*outcome="unsupported_media_type"/)).toBe(1);
    expect(value(/^retrial_units_graded_total\{.*verdict="fail"/)).toBe(1);
    expect(value(/^retrial_destination_failing\{.*destination="gone"/)).toBe(1);
    expect(text).not.toMatch(/POST \/chat|gpt|scripted|refund-agent/);
  });
});
