import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goodRun, refundSpec, statedRun } from '../support/native.js';
import { requestJson } from '../support/otlp.js';
import { folderWith } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
// A build of its own, laid out like the package: the one in dist may be in use.
const build = mkdtempSync(join(tmpdir(), 'retrial-build-'));
const bin = join(build, 'dist/cli/main.js');
const run = `${JSON.stringify(requestJson(statedRun(goodRun)))}\n`;

beforeAll(() => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '-p', 'tsconfig.build.json', '--outDir', join(build, 'dist')];
  spawnSync(process.execPath, args, { cwd: root });
  if (!existsSync(bin)) throw new Error('the command could not be built');
  symlinkSync(join(root, 'node_modules'), join(build, 'node_modules'));
  copyFileSync(join(root, 'package.json'), join(build, 'package.json'));
}, 120_000);
afterAll(() => rmSync(build, { recursive: true }));

describe('the built command', () => {
  it('grades what comes in on standard input and exits with the verdict', () => {
    const cwd = folderWith({ 'refund.abs.yaml': refundSpec });
    const args = [bin, 'grade', '-', '--spec', 'refund.abs.yaml', '--format', 'json'];
    const done = spawnSync(process.execPath, args, { cwd, input: run, encoding: 'utf8' });
    expect([done.status, done.stderr]).toEqual([0, '']);
    expect(JSON.parse(done.stdout).units[0].source).toEqual(['-']);
  });

  it('writes plain text without a terminal, and exits 2 on a wrong flag without a stack', () => {
    const cwd = folderWith({ 'refund.abs.yaml': refundSpec, 'run.jsonl': run });
    const args = [bin, 'grade', 'run.jsonl', '--spec', 'refund.abs.yaml'];
    const done = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
    expect([done.status, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toContain('PASS  Refund request');
    expect(done.stdout).not.toContain('\u001b');
    const wrong = spawnSync(process.execPath, [...args, '--xyzzy'], { cwd, encoding: 'utf8' });
    expect([wrong.status, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toBe("error: unknown option '--xyzzy'\n(retrial --help tells more)\n");
  });

  it('is quiet when its reader goes away', async () => {
    const cwd = folderWith({ 'run.jsonl': run.repeat(2000) });
    const child = spawn(process.execPath, [bin, 'explain', 'run.jsonl', '--format', 'json'], {
      cwd,
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => {
      stderr += text.toString();
    });
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect([status, stderr]).toEqual([0, '']);
  });

  it('ends with 130 and a whole report when it is interrupted while it waits for input', async () => {
    const cwd = folderWith({ 'refund.abs.yaml': refundSpec });
    const args = [bin, 'grade', '-', '--spec', 'refund.abs.yaml', '--format', 'json'];
    const child = spawn(process.execPath, args, { cwd });
    let stdout = '';
    child.stdout.on('data', (text: Buffer) => {
      stdout += text.toString();
    });
    child.stdin.on('error', () => undefined);
    // More than a pipe holds: once it is all written, the command is reading.
    await new Promise((resolve) => child.stdin.write(run.repeat(400), resolve));
    child.kill('SIGINT');
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect(status).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ exitCode: 130, reasonCode: 'interrupted' });
  });
});
