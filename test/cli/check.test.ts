import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-command.js';
import { folderWith } from '../support/temporary-folder.js';

const good = `abs_version: "0.2"
session: Greeting
behaviors:
  - actor: user
    action: says
    content: hello
  - actor: assistant
    action: responds
    evaluations:
      - type: contains
        value: hello
`;
const misspelt = good.replace('actor: assistant', 'actr: assistant');

describe('retrial check', () => {
  it('says what was read and exits 0 when nothing is wrong', async () => {
    const cwd = folderWith({ 'good.abs.yaml': good });
    expect(await runCommand(['check', 'good.abs.yaml'], { cwd })).toEqual({
      code: 0,
      stdout: '1 session read: 0 errors, 0 warnings\n',
      stderr: '',
    });
  });

  it('tells place, code frame and hint of a mistake, and exits 2', async () => {
    const cwd = folderWith({ 'bad.abs.yaml': misspelt });
    const { code, stdout } = await runCommand(['check', 'bad.abs.yaml'], { cwd });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^bad\.abs\.yaml:7:5: error: .*actr.* \[unknown-key\]$/m);
    expect(stdout).toMatch(/^ {2}7 \| {3}- actr: assistant\n {4}\| {5}\^$/m);
    expect(stdout).toMatch(/^ {2}hint: .*actor/m);
  });

  it('reads a folder, a pattern and a file, each once', async () => {
    const cwd = folderWith({
      'specs/one.abs.yaml': good,
      'specs/deep/two.abs.yml': good.replace('Greeting', 'Other'),
      'specs/notes.md': 'not a document',
    });
    for (const paths of [['specs'], ['specs/**/*.abs.y*ml'], ['specs', 'specs/one.abs.yaml']]) {
      const { code, stdout } = await runCommand(['check', ...paths], { cwd });
      expect([code, stdout]).toEqual([0, '2 sessions read: 0 errors, 0 warnings\n']);
    }
  });

  it('turns warnings into errors with --strict', async () => {
    const cwd = folderWith({ 'a.abs.yaml': good.replace('abs_version: "0.2"\n', '') });
    expect((await runCommand(['check', 'a.abs.yaml'], { cwd })).code).toBe(0);
    const strict = await runCommand(['check', '--strict', 'a.abs.yaml'], { cwd });
    expect(strict.code).toBe(2);
    expect(strict.stdout).toContain('error: ');
  });

  it('says so when a path leads nowhere', async () => {
    const cwd = folderWith({ 'empty/x.txt': '' });
    const cases = {
      'none.yaml': 'error: no such file or folder: none.yaml [file-not-found]',
      '*.yaml': 'error: no file matches *.yaml [glob-empty]',
      empty: 'error: the folder empty holds no document [documents-empty]',
    };
    for (const [path, message] of Object.entries(cases)) {
      const { code, stdout } = await runCommand(['check', path], { cwd });
      expect(code).toBe(2);
      expect(stdout).toContain(message);
    }
  });

  it('prints JSON with the place of every problem', async () => {
    const cwd = folderWith({ 'bad.abs.yaml': misspelt });
    const { stdout } = await runCommand(['check', '--format', 'json', 'bad.abs.yaml'], { cwd });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ exitCode: 2, sessions: 0 });
    expect(report.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'unknown-key', file: 'bad.abs.yaml', line: 7, column: 5 }),
    );
  });

  it('prints GitHub annotations with escaped text', async () => {
    const cwd = folderWith({ 'a,b.abs.yaml': misspelt });
    const { stdout } = await runCommand(['check', '--format', 'github', 'a,b.abs.yaml'], { cwd });
    expect(stdout).toMatch(/^::error file=a%2Cb\.abs\.yaml,line=7,col=5,title=unknown-key::.+$/m);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .every((line) => line.startsWith('::')),
    ).toBe(true);
  });

  it('prints SARIF 2.1.0 whose results name their rule and place', async () => {
    const cwd = folderWith({ 'with space.abs.yaml': misspelt });
    const args = ['check', '--format', 'sarif', 'with space.abs.yaml'];
    const log = JSON.parse((await runCommand(args, { cwd })).stdout);
    const [run] = log.runs;
    expect(log.version).toBe('2.1.0');
    const result = run.results.find(({ ruleId }: { ruleId: string }) => ruleId === 'unknown-key');
    expect(result.level).toBe('error');
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'with%20space.abs.yaml' },
      region: { startLine: 7, startColumn: 5 },
    });
    expect(run.tool.driver.rules).toContainEqual({ id: 'unknown-key' });
  });
});
