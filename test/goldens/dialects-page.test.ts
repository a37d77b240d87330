import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { dialects } from '../../src/dialects/index.js';

const root = new URL('../../', import.meta.url);

it('the page about dialects is what the script writes', () => {
  const script = fileURLToPath(new URL('scripts/generate-dialects-page.mjs', root));
  expect(() => execFileSync(process.execPath, [script, '--check'])).not.toThrow();
});

it('the page tells every dialect of the table, in its order', () => {
  const told: unknown = parse(readFileSync(new URL('docs/reference/dialects.yaml', root), 'utf8'));
  const known = dialects.map(({ name }) => name).filter((name) => name !== 'set-aside');
  expect(told).toMatchObject(known.map((name) => ({ name })));
});
