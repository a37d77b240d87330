// Writes schemas/retrial-config.schema.json from the schema that reads retrial.yaml. Run after a build.
import { writeFileSync } from 'node:fs';
import { configJsonSchema } from '../dist/config/json-schema.js';

const target = new URL('../schemas/retrial-config.schema.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
