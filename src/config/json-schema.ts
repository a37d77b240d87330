import { z } from 'zod';
import { configSchema } from './schema.js';

/** JSON Schema (draft-07) of retrial.yaml for editors; made from the schema that reads the file. */
export function configJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' });
  return {
    $schema,
    title: 'retrial.yaml',
    ...rest,
  };
}
