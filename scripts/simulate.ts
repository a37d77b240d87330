/**
 * Rebuilds random conversations from recordings with faults and prints, per class of faults, how many
 * come out exact, how many differ and say so by a loss, and how many differ silently (exit code 1).
 *
 *     npx tsc -p scripts/tsconfig.json && node .retrial/scripts/scripts/simulate.js [conversations]
 */
import { faultClasses } from '../test/support/simulator/faults.js';
import { renderFacts } from '../test/support/simulator/render-facts.js';
import { simulate } from '../test/support/simulator/run-simulation.js';

const conversations = Number(process.argv[2] ?? 2000);

let silent = 0;
console.log(`${'fault class'.padEnd(32)} exact   reported  silent   (${conversations} each)`);
for (const [name, faults] of Object.entries(faultClasses)) {
  const counts = { exact: 0, reported: 0, silent: 0 };
  for (let seed = 1; seed <= conversations; seed += 1) {
    const { isExact, isReported } = simulate(seed, faults, renderFacts);
    counts[isExact ? 'exact' : isReported ? 'reported' : 'silent'] += 1;
  }
  silent += counts.silent;
  console.log([name.padEnd(32), ...Object.values(counts).map(percent)].join(' '));
}
process.exitCode = silent === 0 ? 0 : 1;

function percent(count: number): string {
  return `${((100 * count) / conversations).toFixed(1)} %`.padEnd(9);
}
