import { readFileSync } from 'node:fs';

/** The version in package.json, which lies two folders above this file in the sources and in dist. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version }: { version?: unknown } = JSON.parse(text);
  return typeof version === 'string' ? version : '0.0.0';
}
