import type { Evaluation } from '../model/document.js';
import type { EvaluatorDefinition } from '../model/evaluator.js';
import type { Problem } from '../model/problem.js';
import type { JsonObject, JsonValue } from '../util/json.js';
import { parseJson } from '../util/json-parse.js';
import { isJsonArray, isJsonObject } from '../util/json-text.js';
import { readContent, withoutContent } from './content.js';
import { describeBehavior } from './describe.js';
import { required } from './fields.js';
import { compileSchema } from './json-schema.js';
import { failed, inconclusive, passed } from './outcome.js';
import { ruleError } from './problems.js';

/** The observed content validates against a JSON Schema (statement 98, semantics A32). */
export const schema: EvaluatorDefinition = {
  type: 'schema',
  level: 'step',
  family: 'step',
  since: '0.1',
  summary:
    'The observed content validates against a JSON Schema; content that is JSON text is validated parsed.',
  scores: false,
  fields: {
    schema: required(
      { type: 'object' },
      'The schema. `$schema` decides the draft (06, 07, 2019-09, 2020-12), 07 by default; formats are asserted.',
    ),
  },
  lint: lintSchema,
  run: {
    kind: 'content',
    evaluate: (rule, subject) => {
      const declared = rule.fields.schema;
      const compiled = compileSchema(isJsonObject(declared) ? declared : {});
      if (!compiled.ok) throw new Error(`the schema is not valid: ${compiled.message}`);
      const seen = readContent(subject);
      if (seen.kind === 'none' || seen.kind === 'missing') return withoutContent(seen, subject);
      if (seen.kind === 'cut') {
        return inconclusive(
          'evidence_truncated',
          `the content of ${describeBehavior(subject)} was cut, so it cannot be validated as a whole`,
          [subject.index],
        );
      }
      const value = acceptsText(declared) ? seen.value : parseText(seen.value);
      const fault = compiled.schema.validate(value);
      if (fault === null) {
        return passed(`the content of ${describeBehavior(subject)} is valid`, [subject.index]);
      }
      const where = fault.path === '' ? 'the content' : `the content at ${fault.path}`;
      return failed(`${where} ${fault.message}`, [subject.index], {
        behavior: subject.index,
        failed: 'content',
        detail: `${where} ${fault.message}`,
      });
    },
  },
  examples: [
    {
      title: 'A tool response of the right shape',
      rule: { type: 'schema', schema: { type: 'object', required: ['status'] } },
      steps: [{ actor: 'tool', action: 'responds', target: 'Orders API' }],
      behaviors: [
        { actor: 'tool', action: 'responds', target: 'Orders API', content: { status: 'shipped' } },
      ],
      verdict: 'pass',
    },
    {
      title: 'Formats are asserted',
      rule: { type: 'schema', schema: { properties: { eta: { type: 'string', format: 'date' } } } },
      steps: [{ actor: 'tool', action: 'responds', target: 'Orders API' }],
      behaviors: [
        { actor: 'tool', action: 'responds', target: 'Orders API', content: { eta: 'tomorrow' } },
      ],
      verdict: 'fail',
    },
  ],
};

function acceptsText(declared: JsonValue | undefined): boolean {
  const type = isJsonObject(declared) ? declared.type : undefined;
  return type === 'string' || (isJsonArray(type) && type.includes('string'));
}

function parseText(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  return parsed.ok ? parsed.value : value;
}

function lintSchema(evaluation: Evaluation): readonly Problem[] {
  const declared = evaluation.fields.schema;
  if (!isJsonObject(declared) || hasReference(declared)) return [];
  const compiled = compileSchema(declared);
  if (compiled.ok) return [];
  return [
    ruleError(
      evaluation,
      'bad-schema',
      `the schema is not valid: ${compiled.message}`,
      'write a JSON Schema of draft-06, draft-07, 2019-09 or 2020-12 that refers to nothing outside itself',
    ),
  ];
}

/** A reference in a schema is known only when a row is bound; the schema is compiled then. */
function hasReference(declared: JsonObject): boolean {
  return JSON.stringify(declared, (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  ).includes('{{');
}
