import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { providers } from '../../src/judges/providers/index.js';
import { judgedTypes } from '../../src/judges/rubrics.js';
import { commonSettings } from '../../src/judges/settings.js';

const page = readFileSync(new URL('../../docs/judges.md', import.meta.url), 'utf8');

/** The row of a table whose first cell is this key. */
function rowOf(key: string): string {
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.find(([, first]) => first === `\`${key}\``)?.join('|') ?? '';
}

describe('docs/judges.md', () => {
  it.each(providers.map((provider) => [provider.kind, provider] as const))(
    'has a row for %s with every key of its own',
    (kind, { schema }) => {
      const row = rowOf(kind);
      const own = Object.keys(schema.shape).filter(
        (key) => key !== 'provider' && !Object.hasOwn(commonSettings, key),
      );
      const named = [...(row.split('|')[3]?.matchAll(/`(\w+)`/g) ?? [])].map(([, key]) => key);
      expect(named.toSorted()).toEqual(own.toSorted());
    },
  );

  it('has every key that all adapters have, and every judged type of documents', () => {
    for (const key of Object.keys(commonSettings)) expect([key, rowOf(key)]).not.toEqual([key, '']);
    for (const type of judgedTypes.filter((name) => name !== 'assertion'))
      expect(page).toContain(type);
  });
});
