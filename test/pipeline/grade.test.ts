import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fc, test } from '@fast-check/vitest';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { grade, type Report } from '../../src/index.js';
import { jsonReport } from '../../src/reports/json.js';
import { paintNothing } from '../../src/util/terminal.js';
import { badRun, goodRun, refundSpec, statedRun } from '../support/native.js';
import { requestJson, requestProtobuf, spanJson, type TestSpan } from '../support/otlp.js';
import { runCommand } from '../support/run-command.js';
import { folderWith } from '../support/temporary-folder.js';

const otherTrace = 'aaaabbbbccccddddeeeeffff00001111';
const thirdTrace = 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
const lines = (...runs: readonly (readonly TestSpan[])[]): string =>
  runs.map((run) => `${JSON.stringify(requestJson(run))}\n`).join('');

const good = statedRun(goodRun);
const bad = statedRun(badRun, { traceId: otherTrace });

interface Graded {
  readonly code: number;
  readonly report: Report;
  readonly stderr: string;
}

async function gradeJson(
  files: Readonly<Record<string, string | Uint8Array>>,
  ...flags: readonly string[]
): Promise<Graded> {
  const cwd = folderWith({ 'refund.abs.yaml': refundSpec, ...files });
  const spec = flags.includes('--spec') ? [] : ['--spec', 'refund.abs.yaml'];
  const result = await runCommand(['grade', 'run.jsonl', ...spec, '--format', 'json', ...flags], {
    cwd,
  });
  const report: Report = JSON.parse(result.stdout);
  validate(report);
  expect(validate.errors ?? []).toEqual([]);
  return { code: result.code, report, stderr: result.stderr };
}

const schemaFile = new URL('../../schemas/report.schema.json', import.meta.url);
const validate = new Ajv({ strict: false, allErrors: true }).compile(
  JSON.parse(readFileSync(schemaFile, 'utf8')),
);

const verdicts = (report: Report): string[] =>
  report.units.flatMap(({ id, evaluations }) =>
    evaluations.map(({ title, verdict }) => `${id.slice(0, 4)} ${title}: ${verdict}`),
  );

describe('grading', () => {
  it('a good run passes, exit 0', async () => {
    const { code, report } = await gradeJson({ 'run.jsonl': lines(good) });
    expect(code).toBe(0);
    expect(report).toMatchObject({
      exitCode: 0,
      reasonCode: 'ok',
      nextStep: null,
      unit: 'auto',
      totals: {
        units: 1,
        pass: 1,
        fail: 0,
        inconclusive: 0,
        evaluations: { pass: 2, fail: 0, inconclusive: 0, skipped: 0, error: 0 },
        spans: { read: 5, rejected: 0 },
        ungraded: 0,
      },
      ungraded: [],
      diagnostics: [],
    });
    const [unit] = report.units;
    expect(unit).toMatchObject({
      kind: 'trace',
      source: ['run.jsonl'],
      session: 'Refund request',
      document: 'refund.abs.yaml',
      row: null,
      mode: 'test',
      conformance: 'pass',
      complete: true,
      releaseReason: 'end_of_input',
      generation: 1,
      losses: [],
    });
    expect(unit?.behaviors).toBeUndefined();
  });

  it('a bad run fails exactly the rules it breaks, with witness and next step, exit 1', async () => {
    const { code, report } = await gradeJson({ 'run.jsonl': lines(good, bad) });
    expect(code).toBe(1);
    expect(report.reasonCode).toBe('violations');
    expect(verdicts(report)).toEqual([
      '5b8a quotes the refund id: pass',
      '5b8a never hands off: pass',
      'aaaa quotes the refund id: fail',
      'aaaa never hands off: fail',
    ]);
    const never = report.units[1]?.evaluations[1];
    expect(never?.witness).toEqual([
      { behavior: 3, traceId: otherTrace, spanId: 'aaaabbbbcccc0005' },
    ]);
    expect(report.nextStep).toBe(
      `see what was observed: retrial explain RECORDINGS --trace ${otherTrace}`,
    );
  });

  it('entries are sorted by id, document and session', async () => {
    const second = refundSpec.replace('Refund request', 'Another');
    const { report } = await gradeJson(
      { 'run.jsonl': lines(bad, good), 'a.abs.yaml': second },
      '--spec',
      '.',
      '--mode',
      'monitor',
    );
    expect(
      report.units.map(({ id, document, session }) => [id.slice(0, 4), document, session]),
    ).toEqual([
      ['5b8a', 'a.abs.yaml', 'Another'],
      ['5b8a', 'refund.abs.yaml', 'Refund request'],
      ['aaaa', 'a.abs.yaml', 'Another'],
      ['aaaa', 'refund.abs.yaml', 'Refund request'],
    ]);
  });

  it('a broken document is exit 2, and the others still grade', async () => {
    const broken = refundSpec.replace('type: never', 'type: nevr');
    const { code, report, stderr } = await gradeJson(
      { 'run.jsonl': lines(good), 'broken.abs.yaml': broken },
      '--spec',
      'broken.abs.yaml',
      '--spec',
      'refund.abs.yaml',
    );
    expect([code, report.reasonCode, report.units.length]).toEqual([2, 'document', 1]);
    expect(report.diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'error', file: 'broken.abs.yaml', line: 19 }),
    );
    expect(stderr).toContain('broken.abs.yaml:19');
    expect(report.nextStep).toBe('correct the document: retrial check broken.abs.yaml');
  });

  it('an unresolved variable is a document error before grading; --var settles it', async () => {
    const spec = refundSpec.replace('orderId: A-17', 'orderId: "{{order}}"');
    const files = { 'run.jsonl': lines(good), 'refund.abs.yaml': spec };
    const open = await gradeJson(files);
    expect([open.code, open.report.units.length]).toEqual([2, 0]);
    const given = await gradeJson(files, '--var', 'order=A-17');
    expect([given.code, given.report.reasonCode]).toEqual([0, 'ok']);
    const other = await gradeJson(files, '--var', 'order=B=2');
    expect(other.code).toBe(1);
  });

  it('several sessions and no choice leave a trace ungraded, exit 3; a choice settles it', async () => {
    const two = `${refundSpec}---\n${refundSpec.replace('Refund request', 'Another')}`;
    const files = { 'run.jsonl': lines(good), 'refund.abs.yaml': two };
    const open = await gradeJson(files);
    expect([open.code, open.report.reasonCode]).toEqual([3, 'nothing_graded']);
    expect(open.report.ungraded).toEqual([{ id: good[0]?.traceId, reason: 'no_session' }]);
    expect(open.report.diagnostics[0]?.message).toContain('Another, Refund request');
    const named = await gradeJson(files, '--session', 'Another');
    expect(named.report.units.map(({ session }) => session)).toEqual(['Another']);
    const stated = statedRun(goodRun, { root: { 'retrial.spec': 'Another' } });
    const byTrace = await gradeJson({ ...files, 'run.jsonl': lines(stated) });
    expect(byTrace.report.units.map(({ session }) => session)).toEqual(['Another']);
    const unknown = await gradeJson(files, '--session', 'Anothr');
    expect([unknown.code, unknown.report.reasonCode]).toEqual([2, 'usage']);
  });

  it('binds the dataset row that the conversation fits, and says when none does', async () => {
    const spec = refundSpec
      .replace('orderId: A-17', 'orderId: "{{orders.id}}"')
      .replace('content: I want a refund', 'content: "{{orders.says}}"')
      .replace('behaviors:', 'dataset:\n  id: orders\n  path: rows.jsonl\nbehaviors:');
    const rows = '{"id":"B-1","says":"hello"}\n{"id":"A-17","says":"I want a refund"}\n';
    const stranger = statedRun([{ actor: 'user', action: 'says', content: 'bye' }], {
      traceId: thirdTrace,
    });
    const files = { 'refund.abs.yaml': spec, 'rows.jsonl': rows };
    const { code, report } = await gradeJson({ ...files, 'run.jsonl': lines(good, stranger) });
    expect(report.units.map(({ row, verdict }) => [row, verdict])).toEqual([[1, 'pass']]);
    expect(report.ungraded).toEqual([{ id: thirdTrace, reason: 'no_row' }]);
    expect([code, report.reasonCode]).toEqual([3, 'inconclusive']);
    const forced = await gradeJson({ ...files, 'run.jsonl': lines(good) }, '--row', '0');
    expect(forced.report.units.map(({ row, verdict }) => [row, verdict])).toEqual([[0, 'fail']]);
  });

  it('a choice of rows without a dataset is a mistake; --dataset gives one', async () => {
    const files = { 'run.jsonl': lines(good), 'rows.json': '[{"tier":"gold"},{"tier":"free"}]' };
    for (const flags of [
      ['--row', '1'],
      ['--filter', 'tier:gold'],
    ]) {
      const { code, report } = await gradeJson(files, ...flags);
      expect([code, report.reasonCode]).toEqual([2, 'usage']);
      expect(report.diagnostics[0]?.message).toContain(`${flags[0]} chooses among the rows`);
    }
    const given = ['--dataset', 'rows.json'];
    const chosen = await gradeJson(files, ...given, '--filter', 'tier:free');
    expect([chosen.code, chosen.report.units[0]?.row]).toEqual([0, 1]);
    expect((await gradeJson(files, ...given, '--filter', 'tier:none')).code).toBe(2);
  });

  it('a trace of something else is set aside, which does not count beside graded ones', async () => {
    const web: TestSpan[] = [{ traceId: thirdTrace, spanId: '11'.repeat(8), name: 'GET /' }];
    const beside = await gradeJson({ 'run.jsonl': lines(good, web) });
    expect(beside.code).toBe(0);
    expect(beside.report.ungraded).toEqual([{ id: thirdTrace, reason: 'not_an_agent_trace' }]);
    const alone = await gradeJson({ 'run.jsonl': lines(web) });
    expect([alone.code, alone.report.reasonCode]).toEqual([3, 'nothing_graded']);
    expect((await gradeJson({ 'run.jsonl': lines(web) }, '--allow-empty')).code).toBe(0);
  });

  it('an inconclusive rule is exit 3 unless it is mapped', async () => {
    const spec = `${refundSpec}  - type: llm_judge\n    criteria: is friendly\n`;
    const files = { 'run.jsonl': lines(good), 'refund.abs.yaml': spec };
    const open = await gradeJson(files);
    expect([open.code, open.report.reasonCode]).toEqual([3, 'inconclusive']);
    expect(open.report.units[0]?.evaluations.at(-1)).toMatchObject({
      verdict: 'inconclusive',
      code: 'adapter.not_configured',
      score: null,
    });
    expect(open.report.nextStep).toContain('adapters');
    expect((await gradeJson(files, '--inconclusive', 'pass')).code).toBe(0);
    expect((await gradeJson(files, '--inconclusive', 'fail')).code).toBe(1);
  });

  it('a document whose rules do not apply in the mode grades nothing', async () => {
    const bare = refundSpec.slice(0, refundSpec.indexOf('    evaluations:'));
    const files = { 'run.jsonl': lines(good), 'refund.abs.yaml': bare };
    expect((await gradeJson(files)).report.units.map(({ verdict }) => verdict)).toEqual(['pass']);
    const only = await gradeJson(files, '--evaluations-only');
    expect([only.code, only.report.reasonCode]).toEqual([3, 'nothing_graded']);
    expect(only.report.diagnostics.map(({ code }) => code)).toContain('nothing-to-grade');
  });

  it('a missed step fails the unit, unless only evaluations count', async () => {
    const files = { 'run.jsonl': lines(statedRun(goodRun.toSpliced(1, 2))) };
    const whole = await gradeJson(files);
    expect([whole.code, whole.report.units[0]?.conformance]).toEqual([1, 'fail']);
    expect((await gradeJson(files, '--evaluations-only')).code).toBe(0);
  });

  it('--behaviors puts what was observed into the report', async () => {
    const { report } = await gradeJson({ 'run.jsonl': lines(good) }, '--behaviors');
    expect(report.units[0]?.behaviors?.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'user says',
      'assistant calls',
      'tool responds',
      'assistant responds',
    ]);
  });

  it('--trace chooses by the beginning of an id, and tells when nothing begins so', async () => {
    const files = { 'run.jsonl': lines(good, bad) };
    const one = await gradeJson(files, '--trace', '5B8A');
    expect(one.report.units.map(({ id }) => id)).toEqual([good[0]?.traceId]);
    const none = await gradeJson(files, '--trace', 'ffff');
    expect([none.code, none.report.reasonCode]).toEqual([3, 'nothing_graded']);
    expect(none.report.diagnostics.map(({ code }) => code)).toEqual(['trace-not-found']);
  });
});

describe('evidence that was lost on the way', () => {
  it('a refused span makes its trace incomplete, so that nothing unseen passes', async () => {
    const broken = good.map((span, at) =>
      at === 3 ? { ...spanJson(span), startTimeUnixNano: 'soon' } : spanJson(span),
    );
    const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: broken }] }] });
    const { code, report } = await gradeJson({ 'run.jsonl': `${text}\n` });
    expect(report.totals.spans).toEqual({ read: 4, rejected: 1 });
    expect(report.units[0]?.losses).toContainEqual({
      kind: 'span_rejected',
      count: 1,
      detail: 'bad_number',
    });
    expect(report.units[0]?.evaluations[1]).toMatchObject({ verdict: 'inconclusive' });
    expect(report.diagnostics.map((one) => one.code)).toEqual(['spans-rejected']);
    expect(code).toBe(3);
  });

  it('a recording that breaks off makes its traces incomplete', async () => {
    const text = lines(good);
    const { code, report } = await gradeJson({ 'run.jsonl': `${text}${text.slice(0, 300)}` });
    expect(report.units[0]).toMatchObject({ complete: false, verdict: 'inconclusive' });
    expect(report.units[0]?.losses.map(({ kind }) => kind)).toContain('recording_truncated');
    expect(code).toBe(3);
  });

  it('a trace of which every span was refused is not taken for something else', async () => {
    const spans = good.map((span) => ({ ...spanJson(span), endTimeUnixNano: [] }));
    const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    const { report } = await gradeJson({ 'run.jsonl': text });
    expect(report.ungraded).toEqual([]);
    expect(report.units.map(({ verdict }) => verdict)).toEqual(['inconclusive']);
  });

  it('one recording that is none is exit 2, and the others are graded', async () => {
    const cwd = folderWith({
      'refund.abs.yaml': refundSpec,
      'run.jsonl': lines(good),
      'notes.txt': 'hello',
    });
    const argv = [
      'grade',
      'notes.txt',
      'run.jsonl',
      '--spec',
      'refund.abs.yaml',
      '--format',
      'json',
    ];
    const { code, stdout } = await runCommand(argv, { cwd });
    const report: Report = JSON.parse(stdout);
    expect([code, report.reasonCode, report.totals.pass]).toEqual([2, 'usage', 1]);
    const folder = await runCommand(
      ['grade', '.', '--spec', 'refund.abs.yaml', '--format', 'json'],
      {
        cwd,
      },
    );
    expect(folder.code).toBe(0);
    expect(folder.stderr).toContain('notes.txt is no recording');
  });
});

describe('units', () => {
  const talk = (traceId: string, startMs: number): TestSpan[] =>
    statedRun(goodRun.slice(startMs === 0 ? 0 : 3, startMs === 0 ? 3 : 4), {
      traceId,
      startMs,
      root: { 'gen_ai.conversation.id': 'support-17' },
    });
  const files = { 'run.jsonl': lines(talk(otherTrace, 1000), talk(thirdTrace, 0)) };

  it('traces of one conversation are graded as one, in the order they happened', async () => {
    const { code, report } = await gradeJson(files);
    expect(report.units.map(({ id, kind, traceIds }) => [id, kind, traceIds])).toEqual([
      ['support-17', 'conversation', [thirdTrace, otherTrace]],
    ]);
    expect(code).toBe(0);
  });

  it('taken apart by --unit trace, the report says so', async () => {
    const { report } = await gradeJson(files, '--unit', 'trace');
    expect([report.unit, report.units.length]).toEqual(['trace', 2]);
    expect(report.diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'info', code: 'traces-share-conversation' }),
    );
  });
});

describe('an interrupted grading', () => {
  it('ends early with 130 and tells what was graded so far', async () => {
    const cwd = folderWith({ 'refund.abs.yaml': refundSpec, 'run.jsonl': lines(good, bad) });
    const interrupt = new AbortController();
    interrupt.abort();
    const argv = ['grade', 'run.jsonl', '--spec', 'refund.abs.yaml', '--format', 'json'];
    const { code, stdout } = await runCommand(argv, { cwd, signal: interrupt.signal });
    const report: Report = JSON.parse(stdout);
    expect([code, report.exitCode, report.reasonCode]).toEqual([130, 130, 'interrupted']);
  });
});

describe('the same spans give the same report', () => {
  const third = statedRun(goodRun.slice(1), { traceId: thirdTrace, startMs: 7 });
  const all = [...good, ...bad, ...third];

  type Encoding = (spans: readonly TestSpan[]) => Uint8Array;
  const encodings: readonly Encoding[] = [
    (spans) => Buffer.from(`${JSON.stringify(requestJson(spans))}\n`),
    (spans) => Buffer.from(JSON.stringify([requestJson(spans)], null, 2)),
    (spans) => requestProtobuf(spans),
    (spans) => gzipSync(requestProtobuf(spans)),
  ];

  async function reportOf(files: Readonly<Record<string, Uint8Array>>): Promise<string> {
    const cwd = folderWith({ 'refund.abs.yaml': refundSpec, 'runs/.keep': '' });
    const folder = folderWith(files);
    const recordings = Object.keys(files).map((name) => join(folder, name));
    const report = await grade({
      recordings,
      specs: ['refund.abs.yaml'],
      cwd,
      env: {},
      withBehaviors: true,
    });
    const text = [...jsonReport.render(report, { paint: paintNothing, detail: 'all' })].join('');
    const ignored = ['source', 'releaseReason', 'generation', 'durationMs'];
    return JSON.stringify(JSON.parse(text, (key, value) => (ignored.includes(key) ? 0 : value)));
  }

  const batchSizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 });
  test.prop(
    [
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.array(fc.nat(all.length - 1), { maxLength: 6 }),
      batchSizes,
      fc.array(fc.nat(encodings.length - 1), { minLength: 1, maxLength: 8 }),
    ],
    { numRuns: 40 },
  )(
    'in any order, split into any batches, with duplicates, as JSON or protobuf, gzipped or not',
    async (shuffled, repeated, sizes, kinds) => {
      const sent = [...shuffled, ...repeated.flatMap((at) => shuffled[at] ?? [])];
      const files: Record<string, Uint8Array> = {};
      for (let at = 0, number = 0; at < sent.length; number++) {
        const size = sizes[number % sizes.length] ?? 1;
        const encode = encodings[kinds[number % kinds.length] ?? 0] ?? encodings[0];
        if (encode !== undefined) files[`part-${number}`] = encode(sent.slice(at, at + size));
        at += size;
      }
      const whole = { whole: Buffer.from(`${JSON.stringify(requestJson(all))}\n`) };
      expect(await reportOf(files)).toBe(await reportOf(whole));
    },
    120_000,
  );
});
