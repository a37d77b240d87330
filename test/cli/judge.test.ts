import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-command.js';
import { chatCompletion, startScriptedJudge } from '../support/scripted-judge.js';
import { folderWith } from '../support/temporary-folder.js';

const labels = [
  { label: 'pass', response: 'score 5', criteria: 'c' },
  { label: true, response: 'score 4', criteria: 'c' },
  { label: 'fail', response: 'score 3', criteria: 'c' },
  { label: false, response: 'score 1', criteria: 'c' },
  { label: 'fail', response: 'score 0', type: 'Violence' },
  { label: 'pass', response: 'refuse', type: 'Violence' },
];

/** A judge that says the score that the text names. */
async function project(lines: string) {
  const server = await startScriptedJudge(({ json }) => {
    const asked: string = json.messages[1].content;
    const score = Number(/\nscore (\d)/.exec(asked)?.[1]);
    const refused = { choices: [{ message: { refusal: 'No.' }, finish_reason: 'stop' }] };
    return {
      body: Number.isNaN(score) ? refused : chatCompletion({ reason: `Seen ${score}.`, score }),
    };
  });
  const folder = folderWith({
    'labels.jsonl': lines,
    'retrial.yaml': `adapters: { it: { provider: openai, base_url: "${server.url}", model: gpt-4.1-mini, auth: none } }\n`,
  });
  return { server, folder };
}
const text = labels.map((label) => JSON.stringify(label)).join('\n');

describe('retrial judge calibrate', () => {
  it('tells agreement, kappa, confusion, a better threshold, cost and every disagreement', async () => {
    const { folder } = await project(text);
    const { code, stdout, stderr } = await runCommand(['judge', 'calibrate', 'labels.jsonl'], {
      cwd: folder,
    });
    // One case was refused.
    expect(code).toBe(3);
    expect(stdout.replace(/latency \d+ ms/g, 'latency N ms')).toBe(
      `llm_judge, it (gpt-4.1-mini), threshold 0.5
  judged       4 of 4
  agreement    75.0 %
  kappa        0.5
  confusion    label pass: 2 pass, 0 fail
               label fail: 1 pass, 1 fail
  suggestion   threshold 0.625 would agree on 100.0 %, kappa 1
  cost         $0.000288, median latency N ms
  disagreement  line 3: label fail, score 0.5: Seen 3. (0 more)

Violence, it (gpt-4.1-mini), threshold 0.5
  judged       1 of 2
  agreement    0.0 %
  kappa        0
  confusion    label pass: 0 pass, 0 fail
               label fail: 1 pass, 0 fail
  suggestion   none: no threshold agrees better than chance
  cost         unknown, median latency N ms
  disagreement  line 5: label fail, score 1: Seen 0.
  not judged  line 6: label pass: "it": the judge refused: No.
`.replace(' (0 more)', ''),
    );
    expect(stderr).toMatch(/^judges: 6 calls/);
  });

  it('asks nothing the second time, and gives the same as JSON', async () => {
    const { server, folder } = await project(text);
    const args = ['judge', 'calibrate', 'labels.jsonl', '--format', 'json', '-q'];
    const first = await runCommand(args, { cwd: folder });
    const second = await runCommand(args, { cwd: folder });
    expect(server.calls).toHaveLength(6);
    expect(second).toEqual(first);
    const { groups } = JSON.parse(first.stdout);
    expect(groups[0]).toMatchObject({
      type: 'llm_judge',
      labelled: 4,
      agreement: 0.75,
      confusion: { truePass: 2, falsePass: 1, trueFail: 1, falseFail: 0 },
      inputTokens: 400,
    });
  });

  it.each([
    ['no JSON', '{"label": "pass"', 'labels.jsonl:1:1', 'no labelled case'],
    ['no label', '\n{"response": "x"}', 'labels.jsonl:2:1', 'expected "label"'],
    ['no response', '{"label": true}', 'labels.jsonl:1:1', 'expected "response"'],
    [
      'a label that is none',
      '{"label": "maybe", "response": "x"}',
      'labels.jsonl:1:1',
      'expected "label"',
    ],
    ['a key too many', '{"label": true, "response": "x", "labl": 1}', 'labels.jsonl:1:1', 'labl'],
    ['nothing', '\n', 'error', 'holds no labelled case'],
  ])('%s is told with its line, exit 2, and nobody is asked', async (_, lines, place, message) => {
    const { server, folder } = await project(lines);
    const { code, stdout, stderr } = await runCommand(['judge', 'calibrate', 'labels.jsonl'], {
      cwd: folder,
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(place);
    expect(stderr).toContain(message);
    expect(server.calls).toHaveLength(0);
  });

  it.each([
    ['without labels', {}, 'cannot read labels.jsonl'],
    ['without a judge', { 'labels.jsonl': text }, 'no judge is configured'],
  ])('%s it ends with exit 2', async (_, files, message) => {
    const { code, stderr } = await runCommand(['judge', 'calibrate', 'labels.jsonl'], {
      cwd: folderWith(files),
    });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('keeps to a budget', async () => {
    const { server, folder } = await project(text);
    const { code, stdout, stderr } = await runCommand(
      ['judge', 'calibrate', 'labels.jsonl', '--budget', '2calls'],
      { cwd: folder },
    );
    expect(code).toBe(3);
    expect(server.calls).toHaveLength(2);
    expect(stdout).toContain('the budget of the run in calls is used up');
    expect(stderr).toContain('4 not asked: the budget is used up');
  });
});
