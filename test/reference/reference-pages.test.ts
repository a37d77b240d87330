import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderErrorsPage } from '../../scripts/reference/errors-page.mjs';
import { renderEvaluatorsPage } from '../../scripts/reference/evaluators-page.mjs';
import { errorTable } from '../../src/errors.js';
import { evaluators } from '../../src/evaluators/index.js';

function readPage(name: string): string {
  return readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), 'utf8');
}

describe('the reference pages say what the tables say (npm run reference)', () => {
  it('evaluators.md is current', () => {
    expect(readPage('evaluators.md')).toBe(renderEvaluatorsPage(evaluators));
  });

  it('errors.md is current', () => {
    expect(readPage('errors.md')).toBe(renderErrorsPage(errorTable));
  });
});
