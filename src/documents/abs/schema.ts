import { commonFields } from '../../evaluators/fields.js';
import type { EvaluatorSpec, FieldSpec } from '../../model/evaluator.js';
import type { JsonObject, JsonValue } from '../../util/json.js';

/**
 * The JSON Schema (draft-07) of an ABS document, assembled from the evaluator table: what `parseAbs`
 * validates with and what editors read (`schemas/abs.schema.json`). Evaluations stay open for the keys
 * of adapters (statement 11), everything else is closed.
 */
export function assembleAbsSchema(evaluators: readonly EvaluatorSpec[]): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Agent Behavior Specification document',
    description: 'One session of an ABS document (versions 0.1 and 0.2), as Retrial reads it.',
    type: 'object',
    required: ['session', 'behaviors'],
    additionalProperties: false,
    properties: {
      session: described('string', 'Name of the session.'),
      description: described('string', 'What the session is about.'),
      abs_version: {
        enum: ['0.1', '0.2'],
        description: 'Version of the specification, in quotes.',
      },
      dataset: {
        type: 'object',
        description: 'Rows that the session runs over; a column is {{id.column}}.',
        required: ['id', 'path'],
        additionalProperties: false,
        properties: {
          id: described('string', 'First part of the references to a column.'),
          path: described('string', 'A .json or .jsonl file, relative to this document.'),
        },
      },
      fragments: {
        type: 'object',
        description: 'Named lists of behaviors that `include` puts in place.',
        additionalProperties: ref('behaviors'),
      },
      behaviors: ref('behaviors'),
      evaluations: ref('evaluations'),
    },
    definitions: {
      behaviors: { type: 'array', minItems: 1, items: ref('entry') },
      entry: {
        type: 'object',
        if: { required: ['include'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: ref('include'),
        else: ref('behavior'),
      },
      include: {
        required: ['include'],
        additionalProperties: false,
        properties: { include: described('string', 'Name of a fragment of this document.') },
      },
      behavior: behaviorSchema(),
      matches_when: matchesWhenSchema(),
      evaluations: { type: 'array', items: ref('evaluation') },
      evaluation: evaluationSchema(evaluators),
    },
  };
}

function behaviorSchema(): JsonObject {
  return {
    type: 'object',
    required: ['actor', 'action'],
    additionalProperties: false,
    not: { required: ['with', 'with_only'] },
    properties: {
      id: described('string', 'Name of the behavior, unique in the session.'),
      actor: described('string', 'Who acts: user, assistant, tool, system, human, external.'),
      action: described('string', 'What is done: says, asks, responds, calls, hands_off, …'),
      target: described('string', 'Tool, recipient or object of the action.'),
      content: { description: 'What is said or returned.' },
      with: {
        ...described('object', 'Arguments that must be there; others may be.'),
        minProperties: 1,
      },
      with_only: { ...described('object', 'Exactly these arguments.'), minProperties: 1 },
      capture: {
        ...described('object', 'Variables for later behaviors: a value, {pattern} or {path}.'),
        minProperties: 1,
      },
      optional: described('boolean', 'The behavior may be left out.'),
      requires: described('string', 'Id of an earlier behavior that must have matched.'),
      matches_when: ref('matches_when'),
      evaluations: ref('evaluations'),
    },
  };
}

function matchesWhenSchema(): JsonObject {
  const operand = (type: string, key: string): JsonObject => ({
    if: { required: ['type'], properties: { type: { const: type } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: [key] },
  });
  return {
    type: 'object',
    description: 'How a message is recognized as this behavior, whatever its action.',
    required: ['type'],
    additionalProperties: false,
    properties: {
      type: { enum: ['contains', 'regex', 'llm_judge'] },
      value: { description: 'contains: the text that is looked for.' },
      pattern: described('string', 'regex: a pattern in RE2 syntax.'),
      criteria: described('string', 'llm_judge: what a judge is asked.'),
    },
    allOf: [
      operand('contains', 'value'),
      operand('regex', 'pattern'),
      operand('llm_judge', 'criteria'),
    ],
  };
}

/** Keys that every evaluation knows, beside those of its kind. */
function commonProperties(): JsonObject {
  const entries = Object.entries(commonFields).filter(([name]) => name !== 'type');
  return Object.fromEntries(
    entries.map(([name, field]) => [name, { ...field.schema, description: field.summary }]),
  );
}

function evaluationSchema(evaluators: readonly EvaluatorSpec[]): JsonObject {
  return {
    type: 'object',
    required: ['type'],
    properties: {
      type: {
        enum: evaluators.map((evaluator) => evaluator.type),
        description: 'Kind of the rule.',
      },
      ...commonProperties(),
    },
    allOf: evaluators.map(kindSchema),
  };
}

function kindSchema(evaluator: EvaluatorSpec): JsonObject {
  const fields = Object.entries(evaluator.fields);
  const required = fields.filter(([, field]) => field.required).map(([name]) => name);
  const properties = fields
    .filter(([name]) => !(name in commonFields))
    .map(([name, field]) => [name, fieldSchema(evaluator, name, field)] as const);
  const shape: Record<string, JsonValue> = {};
  if (required.length > 0) shape.required = required;
  if (properties.length > 0) shape.properties = Object.fromEntries(properties);
  return {
    if: { required: ['type'], properties: { type: { const: evaluator.type } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: shape,
  };
}

/** Rules inside a composition are rules again; the table cannot say so, the schema can. */
function fieldSchema(evaluator: EvaluatorSpec, name: string, field: FieldSpec): JsonObject {
  const isNested = evaluator.family === 'composition' && name === 'evaluations';
  const schema = isNested ? ref('evaluations') : field.schema;
  return '$ref' in schema ? schema : { ...schema, description: field.summary };
}

function ref(definition: string): JsonObject {
  return { $ref: `#/definitions/${definition}` };
}

function described(type: string, description: string): JsonObject {
  return { type, description };
}
