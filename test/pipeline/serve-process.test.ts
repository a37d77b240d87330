import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { badRun, goodRun, refundSpec, statedRun } from '../support/native.js';
import { requestProtobuf } from '../support/otlp.js';
import { startPeer } from '../support/otlp-peer.js';
import { folderWith } from '../support/temporary-folder.js';
import { forwardedSpans, projectRoot } from './serve-support.js';

// A build of its own, so that no other test's build is rewritten while it runs.
const build = join(projectRoot, 'node_modules/.cache/serve-process');
const bin = join(build, 'dist/cli/main.js');

beforeAll(() => {
  mkdirSync(build, { recursive: true });
  copyFileSync(join(projectRoot, 'package.json'), join(build, 'package.json'));
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '-p', 'tsconfig.build.json', '--outDir', join(build, 'dist')];
  spawnSync(process.execPath, args, { cwd: projectRoot });
}, 120_000);

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
  readonly adminUrl: string;
  /** Exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  stderr(): string;
}

async function startServer(args: readonly string[], cwd: string): Promise<Server> {
  const ports = ['--http-port', '0', '--admin-port', '0'];
  const child = spawn(process.execPath, [bin, 'serve', ...ports, ...args], { cwd });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'exit').then(([code]) => code);
  for await (const chunk of child.stdout) {
    stdout += chunk;
    if (stdout.split('\n').length > 2) break;
  }
  const [url, adminUrl] = [...stdout.matchAll(/http:\S+/g)].map(([found]) => found);
  if (url === undefined || adminUrl === undefined)
    throw new Error(`no address: ${stdout}${stderr}`);
  return { child, url, adminUrl, ended, stderr: () => stderr };
}

const traceId = (index: number): string => index.toString(16).padStart(32, '0');

describe('the command', () => {
  it('kill -TERM under load: everything acknowledged is forwarded, and the report is written', async () => {
    const backend = await startPeer();
    const cwd = folderWith({ 'refund.abs.yaml': refundSpec });
    const server = await startServer(
      ['--spec', 'refund.abs.yaml', '--forward', backend.url.href, '--report', 'report.json'],
      cwd,
    );
    const acknowledged: string[] = [];
    let next = 1;
    const sendUntilRefused = async (): Promise<void> => {
      for (;;) {
        const id = traceId(next);
        next += 1;
        const run = statedRun(next % 3 === 0 ? badRun : goodRun, { traceId: id });
        const body = requestProtobuf(run);
        const status = await fetch(`${server.url}/v1/traces`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-protobuf' },
          body,
        }).then(
          ({ status }) => status,
          () => 0,
        );
        if (status !== 200) return;
        acknowledged.push(id);
        if (acknowledged.length === 300) server.child.kill('SIGTERM');
      }
    };
    await Promise.all([1, 2, 3, 4].map(sendUntilRefused));
    expect(await server.ended).toBe(1);
    expect(acknowledged.length).toBeGreaterThanOrEqual(300);
    const spansByTrace = new Map<string, number>();
    for (const { span } of forwardedSpans(backend)) {
      spansByTrace.set(span.traceId, (spansByTrace.get(span.traceId) ?? 0) + 1);
    }
    for (const id of acknowledged) expect(spansByTrace.get(id)).toBeGreaterThanOrEqual(5);
    const report = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'));
    const reported = new Set(report.units.map(({ id }: { id: string }) => id));
    for (const id of acknowledged) expect(reported).toContain(id);
    expect(report).toMatchObject({ exitCode: 1, reasonCode: 'violations' });
    await backend.stop();
  }, 120_000);

  it('without a report a drained server ends with 0; POST /stop ends it too', async () => {
    const cwd = folderWith({ 'refund.abs.yaml': refundSpec });
    const server = await startServer(['--spec', 'refund.abs.yaml'], cwd);
    const response = await fetch(`${server.adminUrl}/stop`, { method: 'POST' });
    expect(await response.json()).toMatchObject({ units: [] });
    expect(await server.ended).toBe(0);
  }, 60_000);
});
