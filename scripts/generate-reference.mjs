// Writes the pages of docs/reference that come from tables. Run after a build: npm run reference.
import { mkdirSync, writeFileSync } from 'node:fs';
import { errorTable } from '../dist/errors.js';
import { evaluators } from '../dist/evaluators/index.js';
import { renderErrorsPage } from './reference/errors-page.mjs';
import { renderEvaluatorsPage } from './reference/evaluators-page.mjs';

const folder = new URL('../docs/reference/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('evaluators.md', folder), renderEvaluatorsPage(evaluators));
writeFileSync(new URL('errors.md', folder), renderErrorsPage(errorTable));
