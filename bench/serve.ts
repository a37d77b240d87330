/**
 * The live pipeline beside a server that only receives and indexes: four server processes of one run, fed by
 * turns with the same requests. Measured is the CPU time of the server process (user and system) per span,
 * from the request until the destination has taken the span; load generator and destination are other
 * processes.
 *
 * npx tsc -p bench/tsconfig.json && node node_modules/.cache/retrial-bench/bench/serve.js
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { indexTraces } from '../src/otlp/span-index.js';
import type { ChildState } from './serve-child.js';

const rounds = 7;
const requestsPerRound = 150;
const tracesPerRequest = 4;
const document = 'fixtures/documents/refund.abs.yaml';
const modes = ['index', 'forward', 'grade', 'alert'] as const;
type Mode = (typeof modes)[number];

/** A recorded refund; every copy gets a trace id of its own. */
const recorded = readFileSync('fixtures/recordings/ai-sdk-7/good.otlp.pb');
// The version is read from the package file that stands beside the compiled sources.
copyFileSync('package.json', new URL('../package.json', import.meta.url));

function describeRecording(): { readonly traceId: Buffer; readonly spans: number } {
  const indexed = indexTraces(recorded);
  if (indexed.kind === 'malformed') throw new Error(indexed.message);
  const { traceId } = indexed.batch.span(0);
  return { traceId: Buffer.from(traceId, 'hex'), spans: indexed.batch.size };
}

const { traceId: recordedId, spans: spansPerTrace } = describeRecording();
const spansPerRound = requestsPerRound * tracesPerRequest * spansPerTrace;

function freshRequest(): Buffer {
  const traces = Array.from({ length: tracesPerRequest }, () => {
    const copy = Buffer.from(recorded);
    const id = randomBytes(16);
    for (let at = copy.indexOf(recordedId); at >= 0; at = copy.indexOf(recordedId, at + 16)) {
      id.copy(copy, at);
    }
    return copy;
  });
  return Buffer.concat(traces);
}

interface Server {
  readonly mode: Mode;
  readonly child: ChildProcess;
  readonly url: URL;
}

async function askState(child: ChildProcess): Promise<ChildState> {
  const answer = once(child, 'message');
  child.send('state');
  const [state] = await answer;
  return state;
}

async function startChild(mode: Mode, sink: string): Promise<Server> {
  const file = fileURLToPath(new URL('./serve-child.js', import.meta.url));
  const child = fork(file, [mode, document, sink], { execArgv: process.execArgv });
  const { url } = await askState(child);
  return { mode, child, url: new URL('/v1/traces', url) };
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });

function post(url: URL, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-protobuf', 'content-length': body.length };
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** CPU microseconds per span of one round. */
async function runRound({ child, url }: Server): Promise<number> {
  const bodies = Array.from({ length: requestsPerRound }, freshRequest);
  const before = await askState(child);
  for (let at = 0; at < bodies.length; at += 2) {
    await Promise.all(bodies.slice(at, at + 2).map((body) => post(url, body)));
  }
  for (;;) {
    const { done, cpuMicros } = await askState(child);
    if (done - before.done >= spansPerRound) return (cpuMicros - before.cpuMicros) / spansPerRound;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const sink = http.createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end());
});
sink.listen(0, '127.0.0.1');
await once(sink, 'listening');
const sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
const servers: Server[] = [];
for (const mode of modes) servers.push(await startChild(mode, sinkUrl));

const figures = new Map<Mode, number[]>(modes.map((mode) => [mode, []]));
// The first round warms the compilers up and is thrown away.
for (let round = -1; round < rounds; round += 1) {
  for (const server of servers) {
    const micros = await runRound(server);
    if (round >= 0) figures.get(server.mode)?.push(micros);
  }
}
const bytesPerSpan = Math.round(recorded.length / spansPerTrace);
console.log(`${spansPerRound} spans per round, ${bytesPerSpan} B per span, ${rounds} rounds`);
console.log('mode      µs/span   spans/s/core   × index');
const base = figures.get('index') ?? [];
for (const [mode, values] of figures) {
  const ratio = median(values.map((value, round) => value / (base[round] ?? Number.NaN)));
  const micros = median(values);
  const perSecond = Math.round(1_000_000 / micros);
  console.log(
    `${mode.padEnd(8)} ${micros.toFixed(2).padStart(8)} ${String(perSecond).padStart(14)} ${ratio.toFixed(1).padStart(9)}`,
  );
}
for (const { child } of servers) child.disconnect();
agent.destroy();
sink.close();
