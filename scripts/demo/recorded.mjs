// The main job on the project's own recordings: a good run of a refund agent and the ways it goes wrong.
// Every line is what `retrial grade` says and the exit code it ends with.
import { spawnSync } from 'node:child_process';

const documents = 'fixtures/documents';
const recordings = 'fixtures/recordings/ai-sdk-7';

const jobs = [
  ['The agent behaves', 'good', 'refund.abs.yaml'],
  ['It hands off instead of refunding', 'handoff', 'refund.abs.yaml'],
  ['It quotes another refund id', 'other-id', 'refund.abs.yaml'],
  ['It skips looking the order up', 'no-lookup', 'refund.abs.yaml'],
  ['It claims a refund it never made', 'claim', 'refund.abs.yaml'],
  [
    'It asks about another refund than the one it made',
    'followup-other-id',
    'refund-followup.abs.yaml',
  ],
  ['Questions for a judge, and no judge configured', 'good', 'refund-judged.abs.yaml'],
];

for (const [title, variant, document] of jobs) {
  const args = [
    'grade',
    `${recordings}/${variant}.otlp.json`,
    '--spec',
    `${documents}/${document}`,
  ];
  console.log(`\n# ${title}\n$ retrial ${args.join(' ')}\n`);
  const run = spawnSync(process.execPath, ['dist/cli/main.js', ...args], { stdio: 'inherit' });
  console.log(`exit ${run.status}`);
}
