import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCommand } from '../support/run-command.js';
import { folderWith } from '../support/temporary-folder.js';

const recording = new URL('../../fixtures/recordings/ai-sdk-7/good.otlp.json', import.meta.url);
const document = `session: aliases
abs_version: "0.2"
behaviors: [{ actor: user, action: asks }]
evaluations:
  - { type: eventually, match: { actor: assistant, action: calls, target: Orders API } }
`;
const files = { 'good.json': readFileSync(recording, 'utf8'), 'a.abs.yaml': document };
const command = ['grade', 'good.json', '--spec', 'a.abs.yaml', '--evaluations-only'];

it('grade knows tools by the aliases of retrial.yaml, and not without them', async () => {
  expect((await runCommand(command, { cwd: folderWith(files) })).code).toBe(1);
  const config = 'behaviors: { aliases: { Orders API: [get_order] } }\n';
  const cwd = folderWith({ ...files, 'retrial.yaml': config });
  expect((await runCommand(command, { cwd })).code).toBe(0);
});
