import { afterEach, describe, expect, it } from 'vitest';
import { badRun, goodRun, type RunOptions, refundSpec, statedRun } from '../support/native.js';
import { requestProtobuf, type TestSpan } from '../support/otlp.js';
import { folderWith } from '../support/temporary-folder.js';
import { expectBalanced, startTestServe, type TestServe } from './serve-support.js';

let serve: TestServe;
afterEach(async () => {
  expectBalanced(serve);
  await serve.stop();
});

const named = (session: string): string => refundSpec.replace('Refund request', session);
const files = { 'a.abs.yaml': named('A'), 'b.abs.yaml': named('B') };

async function start(yaml: string): Promise<void> {
  serve = await startTestServe(yaml, folderWith(files));
}

let traces = 0;
async function send(
  behaviors = goodRun,
  options: RunOptions = {},
  resource: Record<string, string> = {},
): Promise<readonly TestSpan[]> {
  traces += 1;
  const traceId = traces.toString(16).padStart(32, 'e');
  const spans = statedRun(behaviors, { traceId, ...options });
  await serve.send(requestProtobuf(spans, resource));
  await serve.pass(2_000);
  return spans;
}

const sessions = (): readonly string[] =>
  serve.report().units.map(({ session, mode, verdict }) => `${session} ${mode} ${verdict}`);

describe('a trace that lost a span at the door', () => {
  it('is graded as incomplete, as it is offline', async () => {
    await start('specs: [ { files: [a.abs.yaml] } ]');
    const good = requestProtobuf(statedRun(goodRun));
    const bad = Buffer.from(requestProtobuf(statedRun(goodRun).slice(1, 2)));
    // The span id of the second request becomes zero: that span is refused, its trace id is readable.
    const at = bad.indexOf(Buffer.from(statedRun(goodRun)[1]?.spanId ?? '', 'hex'));
    bad.fill(0, at, at + 8);
    await serve.send(good);
    await serve.send(bad);
    await serve.pass(2_000);
    const [unit] = serve.report().units;
    expect(unit).toMatchObject({
      complete: false,
      losses: expect.arrayContaining([{ kind: 'span_rejected', count: 1, detail: 'bad_id' }]),
    });
    expect(unit?.evaluations.find(({ type }) => type === 'never')).toMatchObject({
      verdict: 'inconclusive',
      code: 'trace_incomplete',
    });
    expect(serve.report().totals.spans).toEqual({ read: 5, rejected: 1 });
  });
});

describe('which documents grade a trace', () => {
  it('the only session loaded', async () => {
    await start('specs: [ { files: [a.abs.yaml] } ]');
    await send();
    expect(sessions()).toEqual(['A test pass']);
  });

  it('several sessions and no sign which is meant: none, and the candidates are told', async () => {
    await start('specs: [ { files: ["*.abs.yaml"] } ]');
    await send();
    expect(sessions()).toEqual([]);
    expect(serve.report().ungraded).toMatchObject([{ reason: 'no_session' }]);
    expect(
      serve
        .report()
        .diagnostics.map(({ message }) => message)
        .join(),
    ).toContain('A, B');
    expect(serve.report().exitCode).toBe(3);
  });

  it('when: every entry that admits the trace, by resource, span attribute and name', async () => {
    await start(`
specs:
  - { files: [a.abs.yaml], when: 'resource["service.name"] == "shop"' }
  - { files: [b.abs.yaml], when: 'attributes["tier"] == "gold" && name == "run"' }
`);
    await send(goodRun, {}, { 'service.name': 'shop' });
    expect(sessions()).toEqual(['A test pass']);
    await send(goodRun, { root: { tier: 'gold' } }, { 'service.name': 'shop' });
    expect(sessions()).toEqual(['A test pass', 'A test pass', 'B test pass']);
    await send(goodRun, {}, { 'service.name': 'other' });
    expect(serve.report().ungraded).toMatchObject([{ reason: 'no_session' }]);
  });

  it('when: the name of the agent and the conversation', async () => {
    await start(`
specs:
  - { files: [a.abs.yaml], when: 'conversation == "c-1"' }
  - { files: [b.abs.yaml], when: 'agent == "refunds"' }
`);
    await send(goodRun, { root: { 'gen_ai.conversation.id': 'c-1' } });
    expect(sessions()).toEqual(['A test pass']);
    await send(goodRun, {
      root: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'refunds' },
    });
    expect(sessions().map((text) => text.slice(0, 1))).toEqual(['A', 'B']);
  });

  it('retrial.spec names a session directly', async () => {
    await start('specs: [ { files: ["*.abs.yaml"] } ]');
    await send(goodRun, { root: { 'retrial.spec': 'B' } });
    await send(goodRun, {}, { 'retrial.spec': 'A' });
    expect(sessions()).toEqual(['B test pass', 'A test pass']);
  });

  it('mode monitor: only rules of the session, for every trace that is admitted', async () => {
    await start(`
specs:
  - { files: [a.abs.yaml], mode: monitor, when: 'resource["service.name"] == "shop"' }
  - { files: [b.abs.yaml] }
`);
    await send(badRun, {}, { 'service.name': 'shop' });
    await send([], {}, { 'service.name': 'shop' });
    const monitored = serve.report().units.filter(({ mode }) => mode === 'monitor');
    expect(monitored.map(({ verdict }) => verdict)).toEqual(['fail']);
    expect(monitored[0]?.evaluations.map(({ type }) => type)).toEqual(['never']);
  });

  it('a trace of other software is counted as such and does not spoil the exit code', async () => {
    await start('specs: [ { files: [a.abs.yaml] } ]');
    await send();
    await send([], { root: { 'http.route': '/' } });
    expect(serve.report()).toMatchObject({
      exitCode: 0,
      totals: { units: 1, ungraded: 1 },
      ungraded: [{ reason: 'not_an_agent_trace' }],
    });
  });
});
