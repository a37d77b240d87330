import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { badRun, goodRun, refundSpec, statedRun } from '../support/native.js';
import { requestJson } from '../support/otlp.js';
import { runCommand } from '../support/run-command.js';
import { folderWith } from '../support/temporary-folder.js';
import { parseXml } from '../support/xml-checker.js';

const badTrace = 'aaaabbbbccccddddeeeeffff00001111';
const files = {
  'refund.abs.yaml': refundSpec,
  'good.json': JSON.stringify(requestJson(statedRun(goodRun))),
  'bad.json': JSON.stringify(requestJson(statedRun(badRun, { traceId: badTrace }))),
};
const grade = ['grade', 'good.json', 'bad.json', '--spec', 'refund.abs.yaml'];

describe('what grade prints', () => {
  it('is text for people on stdout, and nothing on stderr', async () => {
    const { code, stdout, stderr } = await runCommand(grade, { cwd: folderWith(files) });
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^PASS {2}Refund request {2}refund\.abs\.yaml$/m);
    expect(stdout).toMatch(/^FAIL {2}Refund request {2}refund\.abs\.yaml$/m);
    expect(stdout).toMatch(
      /^ {2}✗ fail {2}quotes the refund id \(contains\) {2}refund\.abs\.yaml:15$/m,
    );
    expect(stdout).toMatch(/^2 units graded: 1 pass, 1 fail$/m);
  });

  it('is coloured on a terminal unless --no-color or NO_COLOR says otherwise', async () => {
    const cwd = folderWith(files);
    const isTTY = true;
    expect((await runCommand(grade, { cwd, isTTY })).stdout).toContain('\u001b[');
    const plain = [
      await runCommand([...grade, '--no-color'], { cwd, isTTY }),
      await runCommand(grade, { cwd, isTTY, env: { NO_COLOR: '1' } }),
    ];
    for (const { stdout, stderr } of plain) expect(stdout + stderr).not.toContain('\u001b[3');
  });

  it('leaves out what passed with --quiet', async () => {
    const { stdout } = await runCommand([...grade, '-q'], { cwd: folderWith(files) });
    expect(stdout).not.toContain('PASS');
    expect(stdout).not.toContain('✓ pass');
    expect(stdout).toContain('FAIL');
  });

  it('is only the report on stdout in a machine format; what is wrong goes to stderr', async () => {
    const cwd = folderWith({ ...files, 'broken.json': '{"resourceSpans": nope}' });
    const args = [...grade, 'broken.json', '--format', 'json'];
    const { stdout, stderr } = await runCommand(args, { cwd });
    expect(JSON.parse(stdout).totals.units).toBe(2);
    expect(stderr).toMatch(/^error: broken\.json looks like .* \[recording-unreadable\]$/m);
    expect((await runCommand([...args, '-q'], { cwd })).stderr).toBe('');
  });

  it('goes to every -o file too, in the format of its ending, in folders made for it', async () => {
    const cwd = folderWith(files);
    const outputs = ['out/report.json', 'out/deep/junit.xml', 'report.md', 'report.jsonl'];
    const args = [...grade, ...outputs.flatMap((file) => ['-o', file])];
    const { code, stdout } = await runCommand(args, { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('2 units graded');
    const [json = '', xml = '', markdown = '', lines = ''] = outputs.map((file) =>
      readFileSync(join(cwd, file), 'utf8'),
    );
    expect(JSON.parse(json).exitCode).toBe(1);
    // Two rules for each of two units, and the reply that quotes another id still is the reply.
    expect(parseXml(xml).attributes).toMatchObject({ tests: '4', failures: '2', skipped: '0' });
    expect(markdown).toMatch(/^### Retrial: 1 pass, 1 fail, 0 inconclusive$/m);
    expect(lines.trimEnd().split('\n')).toHaveLength(3);
  });

  it('an ending that says nothing takes the format of --format', async () => {
    const cwd = folderWith(files);
    await runCommand([...grade, '--format', 'junit', '-o', 'report.out'], { cwd });
    expect(parseXml(readFileSync(join(cwd, 'report.out'), 'utf8')).name).toBe('testsuites');
  });

  it('a file that cannot be written is told, and a failure stays a failure', async () => {
    const cwd = folderWith(files);
    const bad = await runCommand([...grade, '-o', 'good.json/x.json'], { cwd });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('error: cannot write the report to good.json/x.json');
    const args = ['grade', 'good.json', '--spec', 'refund.abs.yaml', '-o', 'good.json/x.json'];
    expect((await runCommand(args, { cwd })).code).toBe(4);
  });

  it('nothing is written when the command line is wrong', async () => {
    const cwd = folderWith(files);
    await runCommand([...grade, '-o', 'a.json', '-o', 'b.unknown'], { cwd });
    expect(existsSync(join(cwd, 'a.json'))).toBe(false);
  });
});

describe('what explain prints', () => {
  it('lists the Behaviors of a trace with span, provenance and content', async () => {
    const { code, stdout, stderr } = await runCommand(['explain', 'good.json'], {
      cwd: folderWith(files),
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^trace 5b8aa5a2d2c872e8321cf37308d69df2 {2}complete {2}good\.json$/m);
    expect(stdout).toMatch(/^ {2}#1 assistant calls get_order {2}\+0\.010s$/m);
    expect(stdout).toMatch(/^ {6}with \{"orderId":"A-17"\}$/m);
    expect(stdout).toMatch(/^ {6}.*span 5b8aa5a2d2c80003; act stated/m);
  });

  it('as JSON has the keys of the contract', async () => {
    const { stdout } = await runCommand(['explain', 'good.json', '--format', 'json'], {
      cwd: folderWith(files),
    });
    const { units } = JSON.parse(stdout);
    expect(Object.keys(units[0])).toEqual([
      'id',
      'kind',
      'traceIds',
      'complete',
      'behaviors',
      'losses',
      'diagnostics',
    ]);
    expect(units[0].behaviors[1]).toMatchObject({
      index: 1,
      actor: 'assistant',
      action: 'calls',
      acts: ['calls'],
      target: 'get_order',
      with: { orderId: 'A-17' },
      at: '1700000000020000000',
      evidence: { act: 'stated', spans: [{ spanId: '5b8aa5a2d2c80003' }] },
    });
  });

  it('exits 3 when there is no trace, and 2 when there is no recording', async () => {
    const cwd = folderWith({ 'empty.jsonl': '{"resourceSpans":[]}\n' });
    const empty = await runCommand(['explain', 'empty.jsonl'], { cwd });
    expect([empty.code, empty.stderr]).toEqual([
      3,
      'warning: the recordings hold no span; check that the exporter wrote traces, and that the process flushed before it ended [no-traces]\n',
    ]);
    const missing = await runCommand(['explain', 'none.jsonl'], { cwd });
    expect([missing.code, missing.stderr]).toEqual([
      2,
      'error: no such file or folder: none.jsonl [file-not-found]\n',
    ]);
  });
});
