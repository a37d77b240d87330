/**
 * What judging a share of the traffic costs the rest: two servers in one process, one without judges and one
 * that judges 1 % of its units, are sent the same traces by turns. Measured is the time from sending a trace
 * until the destination has it. The judge is a local server that takes half a second to answer.
 *
 * npx tsc -p bench/tsconfig.json && node node_modules/.cache/retrial-bench/bench/judges.js [units]
 */
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/config/load-config.js';
import { type RunningServe, startServe } from '../src/pipeline/serve.js';
import { readServeOptions } from '../src/pipeline/serve-config.js';
import { systemScheduler } from '../src/util/scheduler.js';

const units = Number(process.argv[2] ?? 10_000);
const unitsPerTurn = 100;
const judgeTakesMs = 500;

// The version is read from the package file that stands beside the compiled sources.
copyFileSync('package.json', new URL('../package.json', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'retrial-bench-'));
writeFileSync(
  join(folder, 'answer.abs.yaml'),
  `abs_version: "0.2"
session: Answer
behaviors:
  - { actor: user, action: asks }
  - actor: assistant
    action: informs
    evaluations:
      - { type: contains, value: order }
      - { type: llm_judge, criteria: It is friendly. }
`,
);

async function listen(handle: http.RequestListener): Promise<{ server: http.Server; url: string }> {
  const server = http.createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}

let judged = 0;
const judge = await listen((request, response) => {
  judged += 1;
  const content = JSON.stringify({ reason: 'Friendly.', score: 5 });
  const choices = [{ message: { content }, finish_reason: 'stop' }];
  const usage = { prompt_tokens: 400, completion_tokens: 20 };
  request.resume();
  setTimeout(() => response.end(JSON.stringify({ choices, usage })), judgeTakesMs);
});

/** Names of traces whose spans have not arrived yet, with the time they were sent. */
const sent = new Map<string, number>();
let latencies: number[] = [];
let whenEmpty: () => void = () => undefined;
const backend = await listen((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const nowMs = performance.now();
    const text = Buffer.concat(chunks).toString('latin1');
    if (request.url === '/v1/traces') {
      for (const [mark] of text.matchAll(/trace-\d+-/g)) {
        const sentMs = sent.get(mark);
        if (sentMs === undefined || !sent.delete(mark)) continue;
        latencies.push(nowMs - sentMs);
      }
    }
    response.end();
    if (sent.size === 0) whenEmpty();
  });
});

async function startServer(sample: number): Promise<RunningServe> {
  writeFileSync(
    join(folder, 'retrial.yaml'),
    `receivers: { http: { port: 0 } }
admin: { port: 0 }
hold: { decision_wait_after_root_received: 5ms }
specs: [ { files: [answer.abs.yaml] } ]
destinations: [ { name: backend, otlp_http: "${backend.url}" } ]
adapters: { it: { provider: openai, base_url: "${judge.url}", model: m, auth: none } }
judges: { cache: { enabled: false }, serve: { sample: ${sample}, max_queue: 100000 } }
`,
  );
  const config = loadConfig({ folder, file: 'retrial.yaml', environment: {}, flags: [] });
  const wishes = { specs: [], insecure: false, cwd: folder, env: {} };
  const options = config.ok ? readServeOptions(config.value, wishes) : config;
  if (!options.ok) throw new Error(options.problems.map(({ message }) => message).join('\n'));
  return startServe(options.value, {
    scheduler: systemScheduler,
    random: Math.random,
    epochMs: Date.now,
    resolve: async () => [],
    log: () => undefined,
  });
}

let traces = 0;

/** Two spans, native dialect: a question and an answer that no other trace gives. */
function freshTrace(): { readonly mark: string; readonly body: string } {
  traces += 1;
  const mark = `trace-${traces}-`;
  const traceId = traces.toString(16).padStart(32, '0');
  const span = (spanId: string, more: object, behavior: Record<string, string>) => ({
    traceId,
    spanId,
    name: 'step',
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
    attributes: Object.entries(behavior).map(([key, stringValue]) => ({
      key: `abs.${key}`,
      value: { stringValue },
    })),
    ...more,
  });
  const spans = [
    span('0000000000000001', {}, { actor: 'user', action: 'asks', content: 'Where is it?' }),
    span(
      '0000000000000002',
      { parentSpanId: '0000000000000001', startTimeUnixNano: '1700000000500000000' },
      { actor: 'assistant', action: 'informs', content: `Your order ${mark} is on its way.` },
    ),
  ];
  return { mark, body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }) };
}

/** Latencies of one turn of one server, in milliseconds. */
async function turn(serve: RunningServe): Promise<readonly number[]> {
  latencies = [];
  const arrived = new Promise<void>((resolve) => {
    whenEmpty = resolve;
  });
  for (let n = 0; n < unitsPerTurn; n += 1) {
    const { mark, body } = freshTrace();
    sent.set(mark, performance.now());
    const headers = { 'content-type': 'application/json' };
    await fetch(`${serve.url}/v1/traces`, { method: 'POST', headers, body });
  }
  if (sent.size > 0) await arrived;
  return latencies;
}

const servers = { without: await startServer(0), with: await startServer(0.01) };
const all: Record<keyof typeof servers, number[]> = { without: [], with: [] };
for (let round = -1; round < units / unitsPerTurn; round += 1) {
  // By turns who goes first, so that a slow moment of the machine hits both.
  const order = round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const);
  for (const name of order) {
    const measured = await turn(servers[name]);
    // The first round warms the compiler up and is thrown away.
    if (round >= 0) all[name].push(...measured);
  }
}
await servers.with.whenIdle();
const judgedUnits = servers.with.report().units.filter(({ generation }) => generation === 2).length;

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
process.stdout.write(`units per server ${all.with.length}, calls of the judge ${judged}\n`);
process.stdout.write(`units judged among those still reported ${judgedUnits}\n`);
for (const share of [0.5, 0.9, 0.99]) {
  const ratio = quantile(all.with, share) / quantile(all.without, share);
  process.stdout.write(
    `forwarding latency p${share * 100}, with 1 % judged / without: ${ratio.toFixed(3)}\n`,
  );
}
await Promise.all([servers.with.stop(), servers.without.stop()]);
judge.server.close();
backend.server.close();
backend.server.closeAllConnections();
judge.server.closeAllConnections();
rmSync(folder, { recursive: true });
