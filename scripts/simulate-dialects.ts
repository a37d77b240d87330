/**
 * Random conversations, recorded with faults, written in the attributes of every dialect and rebuilt from
 * the bytes. Prints, per class of faults and dialect, how many came out exact, how many differ and say
 * so by a loss, and how many differ silently (then the exit code is 1): `1990/10/0`.
 *
 *     npx tsc -p scripts/tsconfig.json && node .retrial/scripts/scripts/simulate-dialects.js [conversations]
 */
import { vocabularies } from '../test/dialects/render/index.js';
import { renderRecording, type Vocabulary } from '../test/dialects/render/recording.js';
import { type Faults, faultClasses } from '../test/support/simulator/faults.js';
import { simulate } from '../test/support/simulator/run-simulation.js';

const conversations = Number(process.argv[2] ?? 2000);
const classWidth = 30;
const columnWidth = 22;

let silent = 0;
const names = vocabularies.map(({ name }) => name.padEnd(columnWidth));
console.log(`${'fault class'.padEnd(classWidth)}${names.join('')}(${conversations} each)`);
for (const [name, faults] of Object.entries(faultClasses)) {
  const cells = vocabularies.map((vocabulary) => rates(vocabulary, faults).padEnd(columnWidth));
  console.log(`${name.padEnd(classWidth)}${cells.join('')}`);
}
process.exitCode = silent === 0 ? 0 : 1;

function rates(vocabulary: Vocabulary, faults: Faults): string {
  if (faults.delta === 'flagged' && !vocabulary.tellsDelta) return '-';
  const counts = { exact: 0, reported: 0, silent: 0 };
  for (let seed = 1; seed <= conversations; seed += 1) {
    const run = simulate(seed, faults, (plan) => renderRecording(plan, vocabulary));
    counts[run.isExact ? 'exact' : run.isReported ? 'reported' : 'silent'] += 1;
  }
  silent += counts.silent;
  return Object.values(counts).join('/');
}
