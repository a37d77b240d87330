// Writes schemas/abs.schema.json, the JSON Schema for editors, from the evaluator table. Run after a build.
import { writeFileSync } from 'node:fs';
import { assembleAbsSchema } from '../dist/documents/abs/schema.js';
import { evaluators } from '../dist/evaluators/index.js';

const target = new URL('../schemas/abs.schema.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(assembleAbsSchema(evaluators), null, 2)}\n`);
