// Compiles src to dist from scratch, so that a file removed from src cannot linger, and marks the command
// as executable.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
const tsc = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  {
    stdio: 'inherit',
  },
);
if (tsc.status === 0 && existsSync('dist/cli/main.js')) chmodSync('dist/cli/main.js', 0o755);
process.exitCode = tsc.status ?? 1;
