import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const fileName = 'retrial.yaml';

/**
 * The nearest retrial.yaml from `folder` upward to the root of its repository; outside a repository only in
 * `folder` itself, so that no stranger's file above it decides.
 */
export function findConfigFile(folder: string): string | null {
  const root = findRepositoryRoot(folder) ?? folder;
  for (let current = folder; ; current = dirname(current)) {
    const candidate = join(current, fileName);
    if (existsSync(candidate)) return candidate;
    if (current === root) return null;
  }
}

function findRepositoryRoot(folder: string): string | null {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current;
    if (dirname(current) === current) return null;
  }
}
