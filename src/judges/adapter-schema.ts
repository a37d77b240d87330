import { z } from 'zod';
import { checkAdapter } from './adapters.js';
import { providers } from './providers/index.js';

/** JSON Schema (draft-07) of an entry under `adapters:`, for editors. */
function adapterJsonSchema() {
  const entries = z.union(providers.map(({ schema }) => schema));
  const { $schema: _, ...schema } = z.toJSONSchema(entries, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  });
  return schema;
}

/**
 * An entry under `adapters:` as the configuration reads it: checked, and handed on as it was written, as
 * its provider reads it when it is opened.
 */
export const adapterEntrySchema = z
  .unknown()
  .superRefine((entry, context) => {
    for (const { path, key, message } of checkAdapter(entry)) {
      const issue = { path: [...path], message };
      if (key === undefined) context.addIssue({ code: 'custom', ...issue });
      else context.addIssue({ code: 'unrecognized_keys', keys: [key], ...issue });
    }
  })
  .meta(adapterJsonSchema());
