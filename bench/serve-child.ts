/**
 * One server process of bench/serve.ts. Says its address and what it has done so far over IPC.
 *
 * `index`: receives and indexes, holds and forwards nothing. `forward`: the whole pipeline without a document.
 * `grade`: with one. `alert`: also looking for violations while traces are held.
 */
import { lookup } from 'node:dns/promises';
import { loadConfig } from '../src/config/load-config.js';
import { indexTraces } from '../src/otlp/span-index.js';
import { startServe } from '../src/pipeline/serve.js';
import { readServeOptions } from '../src/pipeline/serve-config.js';
import { createCorsPolicy } from '../src/receivers/cors.js';
import { startOtlpHttp } from '../src/receivers/otlp-http.js';
import { systemScheduler } from '../src/util/scheduler.js';

export interface ChildState {
  readonly url: string;
  /** Spans that reached the end of this server's work. */
  readonly done: number;
  readonly cpuMicros: number;
}

const [mode = 'index', document = '', sink = ''] = process.argv.slice(2);

async function start(): Promise<{ readonly url: string; readonly countDone: () => number }> {
  return mode === 'index' ? startIndexOnly() : startPipeline();
}

async function startIndexOnly() {
  let done = 0;
  const maxRequestBodyBytes = 64 * 2 ** 20;
  const options = {
    host: '127.0.0.1',
    port: 0,
    maxRequestBodyBytes,
    cors: createCorsPolicy([]),
    auth: null,
  };
  const { url } = await startOtlpHttp(options, {
    enter: () => null,
    leave: () => undefined,
    countRefusal: () => undefined,
    accept(body) {
      const indexed = indexTraces(body);
      if (indexed.kind === 'malformed') return { kind: 'malformed', detail: indexed.message };
      done += indexed.batch.size;
      return { kind: 'accepted', partial: null };
    },
  });
  return { url, countDone: () => done };
}

async function startPipeline() {
  const hook = { webhook: sink, allow_private: true };
  const flags = [
    { path: ['receivers', 'http', 'port'], value: 0, origin: '' },
    { path: ['admin', 'port'], value: 0, origin: '' },
    { path: ['destinations'], value: [{ name: 'sink', otlp_http: sink }], origin: '' },
    { path: ['hold', 'decision_wait_after_root_received'], value: '500ms', origin: '' },
    ...(mode === 'alert' ? [{ path: ['alerts', 'sinks', 'hook'], value: hook, origin: '' }] : []),
  ];
  const cwd = process.cwd();
  const config = loadConfig({ folder: cwd, file: null, environment: {}, flags });
  const specs = mode === 'forward' ? [] : [document];
  const options = config.ok
    ? readServeOptions(config.value, { specs, insecure: false, cwd, env: {} })
    : config;
  if (!options.ok) throw new Error(options.problems.map(({ message }) => message).join('\n'));
  const serve = await startServe(options.value, {
    scheduler: systemScheduler,
    random: Math.random,
    epochMs: Date.now,
    resolve: (host) => lookup(host, { all: true }),
    log: (severity, message) => process.stderr.write(`${mode}: ${severity}: ${message}\n`),
  });
  return { url: serve.url, countDone: () => serve.counts().destinations.sink?.forwarded ?? 0 };
}

const { url, countDone } = await start();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const state: ChildState = { url, done: countDone(), cpuMicros: user + system };
  process.send?.(state);
});
process.on('disconnect', () => process.exit(0));
