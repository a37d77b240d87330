import { readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refundSpec } from '../support/native.js';
import { runCommand } from '../support/run-command.js';
import { folderWith } from '../support/temporary-folder.js';

const files = { 'refund.abs.yaml': refundSpec };
const free = ['--http-port', '0', '--admin-port', '0'];
const stopped = AbortSignal.abort();

describe('retrial serve', () => {
  it('prints the addresses it took, and drains when it is interrupted', async () => {
    const cwd = folderWith(files);
    const args = ['serve', ...free, '--spec', 'refund.abs.yaml', '--report', 'out/report.json'];
    const { code, stdout, stderr } = await runCommand(args, { cwd, signal: stopped });
    expect(stdout).toMatch(
      /^listening for OTLP\/HTTP on http:\/\/127\.0\.0\.1:\d+\nadmin on http:\/\/127\.0\.0\.1:\d+\n$/,
    );
    expect(stderr).toMatch(/^draining: /);
    expect(code).toBe(0);
    const report = JSON.parse(readFileSync(join(cwd, 'out/report.json'), 'utf8'));
    expect(report).toMatchObject({ units: [], totals: { units: 0 } });
  });

  it.each([
    [['--http-port', 'many'], "option '--http-port <port>' argument 'many' is invalid"],
    [
      ['--http-port', '70000', '--spec', 'refund.abs.yaml'],
      'expected a port, 0 to 65535 (0 takes a free one), found 70000 (from --http-port)',
    ],
    [['--grpc-port', '5000'], 'receivers.grpc is not available yet (from --grpc-port)'],
    [
      ['--inactivity-timeout', 'soon'],
      'expected a duration such as 30s, 2m or 1h30m, found "soon" (from --inactivity-timeout)',
    ],
    [
      ['--forward', 'localhost'],
      'expected a URL such as http://localhost:4318, found "localhost" (from --forward)',
    ],
    [
      ['--forward', 'http://localhost:4318'],
      'destination "forward" is the address that Retrial itself listens on',
    ],
    [['--spec', 'missing.abs.yaml'], 'no such file or folder: missing.abs.yaml'],
    [['--report', 'report.xyz'], 'no report format for "report.xyz"'],
    [['-c', 'missing.yaml'], 'cannot read the configuration missing.yaml'],
  ])('T14: %j is an error at the start, with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await runCommand(['serve', ...args], {
      cwd: folderWith(files),
      signal: stopped,
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/ {2}at .*\.ts/);
  });

  it('a document with an error keeps the server from starting', async () => {
    const cwd = folderWith({ 'bad.abs.yaml': refundSpec.replace('type: never', 'type: nevr') });
    const { code, stderr } = await runCommand(['serve', ...free, '--spec', 'bad.abs.yaml'], {
      cwd,
      signal: stopped,
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/bad\.abs\.yaml:\d+/);
  });

  it('says so when nothing grades, and when everyone may send', async () => {
    const cwd = folderWith({});
    const { code, stderr } = await runCommand(['serve', ...free, '--host', '0.0.0.0'], {
      cwd,
      signal: stopped,
    });
    expect(code).toBe(0);
    expect(stderr).toContain('no document grades: traces are only forwarded');
    expect(stderr).toContain('everyone who reaches 0.0.0.0 may send traces');
  });

  it('A6: a busy port is exit code 4, and what was opened before is closed again', async () => {
    const busy = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => busy.once('listening', resolve));
    const { port } = busy.address() as AddressInfo;
    const cwd = folderWith(files);
    const { code, stderr } = await runCommand(
      ['serve', '--http-port', '0', '--admin-port', String(port), '--spec', 'refund.abs.yaml'],
      { cwd },
    );
    expect(code).toBe(4);
    expect(stderr).toContain(`cannot listen on 127.0.0.1:${port}: another process does`);
    busy.close();
  });
});
