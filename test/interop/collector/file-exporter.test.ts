import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCollector } from './build-collector.js';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));
const collector = buildCollector();
if ('missing' in collector) console.warn(`SKIPPED Collector interop: ${collector.missing}`);
const binary = 'path' in collector ? collector.path : '';

/** What the file exporter writes, by the name of the file. Each is read back from its content alone. */
const outputs: Readonly<Record<string, string>> = {
  'traces.jsonl': 'format: json',
  'traces.proto': 'format: proto',
};

describe.skipIf('missing' in collector)('the real Collector', () => {
  const folder = mkdtempSync(join(tmpdir(), 'retrial-collector-'));
  const recording = join(projectRoot, 'fixtures/recordings/ai-sdk-7/good.otlp.pb');

  beforeAll(async () => {
    await recordThroughCollector(folder, recording);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('accepts collector-config.yaml', () => {
    const run = spawnSync(
      binary,
      ['validate', '--config', join(projectRoot, 'collector-config.yaml')],
      {
        encoding: 'utf8',
      },
    );
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.each(Object.keys(outputs))(
    'writes %s, which explains like the recording it was sent',
    (name) => {
      const sent = explain(recording);
      expect(sent).toHaveLength(1);
      expect(explain(join(folder, name))).toEqual(sent);
    },
  );
});

/** Starts the Collector with a file exporter for each output, posts the recording, and drains it. */
async function recordThroughCollector(folder: string, recording: string): Promise<void> {
  const port = await findFreePort();
  const names = Object.keys(outputs);
  const config = [
    'receivers: { otlp: { protocols: { http: { endpoint: "127.0.0.1:%PORT%" } } } }',
    'exporters:',
    ...names.map((name, at) => `  file/${at}: { path: "${join(folder, name)}", ${outputs[name]} }`),
    'service:',
    '  telemetry: { metrics: { level: none } }',
    '  pipelines:',
    '    traces:',
    '      receivers: [otlp]',
    `      exporters: [${names.map((_, at) => `file/${at}`).join(', ')}]`,
  ].join('\n');
  const configFile = join(folder, 'config.yaml');
  writeFileSync(configFile, config.replace('%PORT%', String(port)));

  const child = spawn(binary, ['--config', configFile], { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    await waitForLine(child.stderr, 'Everything is ready');
    const answer = await fetch(`http://127.0.0.1:${port}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: readFileSync(recording),
    });
    expect(answer.status).toBe(200);
  } finally {
    const closed = once(child, 'exit');
    child.kill('SIGTERM');
    await closed;
  }
}

function explain(recording: string): unknown[] {
  const run = spawnSync(
    process.execPath,
    [join(projectRoot, 'dist/cli/main.js'), 'explain', recording, '--format', 'json'],
    { encoding: 'utf8' },
  );
  expect(run.stderr).toBe('');
  return JSON.parse(run.stdout).units;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function waitForLine(stream: NodeJS.ReadableStream, wanted: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = '';
    stream.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes(wanted)) resolve();
    });
    stream.on('end', () => reject(new Error(`the Collector did not start: ${seen}`)));
  });
}
