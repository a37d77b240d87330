import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judgeMark } from '../../src/model/judge-mark.js';
import { decodeLogs } from '../support/log-records.js';
import { type Stated, statedRun } from '../support/native.js';
import { requestProtobuf, type TestSpan } from '../support/otlp.js';
import { type Peer, startPeer } from '../support/otlp-peer.js';
import {
  chatCompletion,
  type ScriptedJudge,
  startScriptedJudge,
} from '../support/scripted-judge.js';
import { folderWith } from '../support/temporary-folder.js';
import { expectBalanced, forwardedSpans, startTestServe, type TestServe } from './serve-support.js';

const document = `abs_version: "0.2"
session: Greeting
behaviors:
  - { actor: user, action: says }
  - actor: assistant
    action: greets
    evaluations:
      - { type: contains, title: says hello, value: hello }
      - { type: llm_judge, title: friendly, criteria: It is friendly. }
`;

const traceIdOf = (n: number): string => n.toString(16).padStart(32, '0');
const greeting = (text: string): Stated[] => [
  { actor: 'user', action: 'says', content: 'hi' },
  { actor: 'assistant', action: 'greets', content: text },
];
const traceOf = (n: number, text = `hello ${n}`): Uint8Array =>
  requestProtobuf(statedRun(greeting(text), { traceId: traceIdOf(n) }));

let serve: TestServe;
let backend: Peer;
let judge: ScriptedJudge;

beforeEach(async () => {
  backend = await startPeer();
  judge = await startScriptedJudge(() => ({
    body: chatCompletion({ reason: 'Warm.', score: 5 }),
  }));
});
afterEach(async () => {
  expectBalanced(serve);
  await serve.stop();
  await backend.stop();
});

async function start(liveJudges: string, adapter = ''): Promise<void> {
  const entry = `provider: openai, base_url: "${judge.url}", model: m, auth: none, max_output_tokens: 64`;
  serve = await startTestServe(
    `specs: [ { files: [greeting.abs.yaml] } ]
destinations: [ { name: backend, otlp_http: ${backend.url.href} } ]
adapters: { it: { ${entry}${adapter} } }
judges: { cache: { enabled: false }${liveJudges} }
`,
    folderWith({ 'greeting.abs.yaml': document }),
  );
}

interface Result {
  readonly name: unknown;
  readonly label: unknown;
  readonly code: unknown;
  readonly generation: unknown;
}
const resultOf = (attributes: Readonly<Record<string, unknown>>): Result => ({
  name: attributes['gen_ai.evaluation.name'],
  label: attributes['gen_ai.evaluation.score.label'],
  code: attributes['retrial.verdict.code'],
  generation: Number(attributes['retrial.generation']),
});
/** By name: the rule order of the document is not that of the spans. */
const byName = (results: readonly Result[]): readonly Result[] =>
  results.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
const onSpans = (): readonly Result[] =>
  forwardedSpans(backend).flatMap(({ events }) => events.map((one) => resultOf(one.attributes)));
const onLogs = (): readonly Result[] =>
  backend.requests
    .filter(({ path }) => path === '/v1/logs')
    .flatMap(({ body }) => decodeLogs(body))
    .map(({ attributes }) =>
      resultOf(
        Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      ),
    );

describe('judges in serve', () => {
  it('are off: what needs one is not judged, what needs none is graded', async () => {
    await start('');
    await serve.send(traceOf(1));
    await serve.pass(60_000);
    expect(judge.calls).toHaveLength(0);
    expect(byName(onSpans())).toEqual([
      { name: 'Greeting', label: 'inconclusive', code: undefined, generation: 1 },
      { name: 'friendly', label: 'inconclusive', code: 'not_judged', generation: 1 },
      { name: 'says hello', label: 'pass', code: undefined, generation: 1 },
    ]);
  });

  it('are asked after the trace was forwarded; a second generation carries the answer', async () => {
    let release: () => void = () => undefined;
    const thinking = new Promise<void>((resolve) => {
      release = resolve;
    });
    judge.script = async () => {
      await thinking;
      return { body: chatCompletion({ reason: 'Warm.', score: 5 }) };
    };
    await start(', serve: { sample: 1 }');
    await serve.send(traceOf(1));
    await serve.scheduler.advance(60_000);
    // The judge has not answered, and everything else is out already.
    await backend.received(1);
    expect(byName(onSpans()).map(({ name, label }) => `${name}: ${label}`)).toEqual([
      'Greeting: inconclusive',
      'friendly: inconclusive',
      'says hello: pass',
    ]);
    expect(serve.report().units[0]).toMatchObject({ verdict: 'inconclusive', generation: 1 });
    release();
    await serve.whenIdle();
    expect(byName(onLogs())).toEqual([
      { name: 'Greeting', label: 'pass', code: undefined, generation: 2 },
      { name: 'friendly', label: 'pass', code: undefined, generation: 2 },
      { name: 'says hello', label: 'pass', code: undefined, generation: 2 },
    ]);
    const [unit] = serve.report().units;
    expect(unit).toMatchObject({ verdict: 'pass', generation: 2 });
    expect(unit?.evaluations[1]?.judge).toMatchObject({ adapter: 'it', samples: 1 });
    // No span went out twice.
    expect(forwardedSpans(backend)).toHaveLength(3);
  });

  it('judge the share of the units that was asked for, always the same ones', async () => {
    await start(', serve: { sample: 0.25 }');
    const chosen = Array.from({ length: 80 }, (_, n) => traceIdOf(n + 1)).filter(
      (id) => createHash('sha256').update(id).digest().readUInt32BE(0) / 2 ** 32 < 0.25,
    );
    for (let n = 1; n <= 80; n += 1) await serve.send(traceOf(n));
    await serve.pass(60_000);
    const { units } = serve.report();
    const judged = units.filter(({ generation }) => generation === 2).map(({ id }) => id);
    expect(judged).toEqual(chosen);
    expect(chosen.length).toBeGreaterThan(8);
    expect(judge.calls).toHaveLength(chosen.length);
  });

  it('judge only units that came to what was asked for without them', async () => {
    await start(', serve: { sample: 1, when: [fail] }');
    await serve.send(traceOf(1, 'hello'));
    await serve.send(traceOf(2, 'goodbye'));
    await serve.pass(60_000);
    expect(judge.calls).toHaveLength(1);
    expect(judge.calls[0]?.body).toContain('goodbye');
    expect(serve.report().units.map(({ generation }) => generation)).toEqual([1, 2]);
  });

  it('do not pile up: beyond max_queue a unit is not judged', async () => {
    let release: () => void = () => undefined;
    const thinking = new Promise<void>((resolve) => {
      release = resolve;
    });
    judge.script = async () => {
      await thinking;
      return { body: chatCompletion({ reason: 'Warm.', score: 5 }) };
    };
    await start(', serve: { sample: 1, max_queue: 3 }');
    for (let n = 1; n <= 10; n += 1) await serve.send(traceOf(n));
    await serve.scheduler.advance(60_000);
    await backend.received(1);
    release();
    await serve.whenIdle();
    const judged = serve.report().units.filter(({ generation }) => generation === 2);
    expect(judged).toHaveLength(3);
  });

  it('a late span makes the pending answer old: only the newer generation is judged', async () => {
    const releases: (() => void)[] = [];
    judge.script = async () => {
      await new Promise<void>((resolve) => releases.push(resolve));
      return { body: chatCompletion({ reason: 'Warm.', score: 5 }) };
    };
    await start(', serve: { sample: 1 }');
    const spans = statedRun(greeting('hello'), { traceId: traceIdOf(1) });
    const late: TestSpan = {
      traceId: traceIdOf(1),
      spanId: 'ffffffffffffff01',
      ...(spans[0] && { parentSpanId: spans[0].spanId }),
      startMs: 25,
      attributes: {
        'abs.actor': 'assistant',
        'abs.action': 'greets',
        'abs.content': 'hello again',
      },
    };
    await serve.send(requestProtobuf(spans));
    await serve.scheduler.advance(60_000);
    await expect.poll(() => releases.length).toBe(1);
    await serve.send(requestProtobuf([late]));
    await serve.scheduler.advance(60_000);
    await expect.poll(() => onSpans().filter(({ generation }) => generation === 2).length).toBe(3);
    while (serve.report().units[0]?.generation !== 3) {
      for (const release of releases.splice(0)) release();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await serve.whenIdle();
    // The first job's answers never went out.
    expect(new Set(onLogs().map(({ generation }) => generation))).toEqual(new Set([3]));
  });

  it('a judge that never answers does not keep the server from stopping', async () => {
    judge.script = () => 'silence';
    await start(', serve: { sample: 1 }');
    await serve.send(traceOf(1));
    await serve.scheduler.advance(60_000);
    await expect.poll(() => judge.calls.length).toBe(1);
    const report = await serve.stop();
    expect(report.units[0]?.evaluations[1]).toMatchObject({
      verdict: 'inconclusive',
      code: 'adapter.error',
    });
    expect(await judge.closed).toBe(1);
    expect(onLogs().find(({ name }) => name === 'friendly')).toMatchObject({
      label: 'inconclusive',
      code: 'adapter.error',
    });
  });

  it('what judging cost is told at the end', async () => {
    await start(', serve: { sample: 1 }, budget: { run: 1calls }');
    await serve.send(traceOf(1));
    await serve.send(traceOf(2));
    await serve.pass(60_000);
    await serve.stop();
    expect(serve.log.at(-1)).toBe(
      'info: judges: 1 call, 0 kept answers, 100 + 20 tokens, $0.00, 1 of unknown price, 1 not asked: the budget is used up',
    );
  });

  it('traffic of a judge is forwarded and never graded', async () => {
    await start(', serve: { sample: 1 }');
    const messages = [
      { role: 'system', parts: [{ type: 'text', content: `${judgeMark} You grade …` }] },
      { role: 'user', parts: [{ type: 'text', content: 'Rate how far …' }] },
    ];
    const answer = [{ role: 'assistant', parts: [{ type: 'text', content: '{"score": 5}' }] }];
    const span: TestSpan = {
      traceId: traceIdOf(9),
      spanId: '0000000000000009',
      name: 'chat m',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'm',
        'gen_ai.input.messages': JSON.stringify(messages),
        'gen_ai.output.messages': JSON.stringify(answer),
      },
    };
    const { role: _, ...instructions } = messages[0] ?? { role: '', parts: [] };
    const separate: TestSpan = {
      ...span,
      traceId: traceIdOf(10),
      attributes: {
        ...span.attributes,
        'gen_ai.system_instructions': JSON.stringify(instructions.parts),
        'gen_ai.input.messages': JSON.stringify(messages.slice(1)),
      },
    };
    await serve.send(requestProtobuf([span]));
    await serve.send(requestProtobuf([separate]));
    await serve.pass(60_000);
    expect(serve.report().units).toEqual([]);
    expect(serve.report().ungraded.map(({ reason }) => reason)).toEqual([
      'not_an_agent_trace',
      'not_an_agent_trace',
    ]);
    expect(forwardedSpans(backend)).toHaveLength(2);
    expect(judge.calls).toHaveLength(0);
  });
});
