import type { FieldSpec } from '../model/evaluator.js';
import type { JsonObject } from '../util/json.js';

/** JSON Schema of a selector: what it names must match exactly, what it leaves out is free. */
export const selectorSchema: JsonObject = {
  type: 'object',
  properties: {
    actor: { type: 'string' },
    action: { type: 'string' },
    target: { type: 'string' },
    id: { type: 'string', description: 'Id of a declared behavior (extension of Retrial).' },
  },
  additionalProperties: false,
  minProperties: 1,
};

/** A duration as text: `500ms`, `30s`, `2m`, `1.5h`. */
export const durationSchema: JsonObject = {
  type: 'string',
  pattern: '^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$',
};

/** Keys that every evaluation may carry, beside those of its own kind. */
export const commonFields: Readonly<Record<string, FieldSpec>> = {
  type: { schema: { type: 'string' }, required: true, summary: 'The kind of the evaluation.' },
  threshold: {
    schema: { type: 'number', minimum: 0, maximum: 1 },
    required: false,
    summary: 'Lowest score that passes: 0.5 for kinds that score, none for compositions.',
  },
  blocking: {
    schema: { type: 'boolean' },
    required: false,
    summary: 'A failure makes failures that depend on this step inconclusive.',
  },
  when: {
    schema: { type: 'string' },
    required: false,
    summary: 'Run only where this condition on the row or the variables is true.',
  },
  adapter: {
    schema: { type: 'string' },
    required: false,
    summary: 'Name of the configured judge that scores it.',
  },
  title: {
    schema: { type: 'string', minLength: 1 },
    required: false,
    summary: 'Name of the rule in reports.',
    extension: true,
    lenient: true,
  },
  severity: {
    schema: { enum: ['info', 'warning', 'critical'] },
    required: false,
    summary: 'How grave a failure is for alerts: critical by default for `never`, else warning.',
    extension: true,
    lenient: true,
  },
};

export function required(schema: JsonObject, summary: string): FieldSpec {
  return { schema, required: true, summary };
}

export function optional(schema: JsonObject, summary: string): FieldSpec {
  return { schema, required: false, summary };
}

export function extension(schema: JsonObject, summary: string): FieldSpec {
  return { schema, required: false, summary, extension: true };
}
