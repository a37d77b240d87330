import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-command.js';

const golden = (name: string): string =>
  readFileSync(new URL(`./golden/${name}.txt`, import.meta.url), 'utf8');

describe('help', () => {
  for (const [name, argv] of [
    ['help', ['--help']],
    ['help-grade', ['grade', '--help']],
    ['help-explain', ['help', 'explain']],
    ['help-check', ['check', '-h']],
  ] as const) {
    it(`${name} is printed on stdout, exit 0`, async () => {
      expect(await runCommand(argv)).toEqual({ code: 0, stdout: golden(name), stderr: '' });
    });
  }

  it('is shown on stderr with exit 2 when no command is given', async () => {
    const { code, stdout, stderr } = await runCommand([]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Usage: retrial [options] [command]');
  });

  it('the version is printed', async () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    );
    expect(await runCommand(['--version'])).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
  });
});

describe('a mistake on the command line', () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['grad', 'x'], "error: unknown command 'grad'\n(Did you mean grade?)"],
    [['grade', 'x', '--spce', 'y'], "error: unknown option '--spce'\n(Did you mean --spec?)"],
    [['grade', '--spec', 'y'], "error: missing required argument 'recordings'"],
    [
      ['grade', 'x'],
      'error: no document to grade by [no-documents]\n  hint: name one with --spec FILE',
    ],
    [
      ['grade', 'x', '--spec', 'y', '--unit', 'span'],
      "error: option '--unit <kind>' argument 'span' is invalid. Allowed choices are trace, conversation, auto.",
    ],
    [
      ['grade', 'x', '--spec', 'y', '--row', '-1'],
      "error: option '--row <number>' argument '-1' is invalid. expected a row number from 0.",
    ],
    [
      ['grade', 'x', '--spec', 'y', '--format', 'html'],
      "error: option '--format <format>' argument 'html' is invalid. Allowed choices are text, json, jsonl, junit, markdown.",
    ],
    [
      ['explain', 'x', '-q', '-v'],
      "error: option '-q, --quiet' cannot be used with option '-v, --verbose'",
    ],
    [['check'], "error: missing required argument 'documents'"],
    [
      ['grade', 'x', '--spec', 'y', '-o', 'report.pdf'],
      'error: no report format for "report.pdf" [unknown-output-format]\n  hint: end the name in one of: .txt .json .jsonl .ndjson .xml .md .markdown, or add --format',
    ],
  ];
  for (const [argv, message] of cases) {
    it(`retrial ${argv.join(' ')}`, async () => {
      const { code, stdout, stderr } = await runCommand(argv);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(message);
      expect(stderr).not.toMatch(/\n\s+at /);
    });
  }

  it('flags of later versions are refused, not swallowed', async () => {
    for (const flag of ['--watch', '--jobs', '--plugin']) {
      const { code, stderr } = await runCommand(['grade', 'x', '--spec', 'y', flag, 'z']);
      expect([code, stderr.split('\n')[0]]).toEqual([2, `error: unknown option '${flag}'`]);
    }
  });
});
