import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { commonFields } from '../../src/evaluators/fields.js';
import { evaluators, findEvaluator } from '../../src/evaluators/index.js';
import type { EvaluatorExample } from '../../src/model/evaluator.js';
import { entryOf, gradeDocument } from '../support/grade-document.js';
import { createUnit } from '../support/stated-unit.js';

describe('the evaluator table', () => {
  it('has every kind of ABS, each once (semantics 1.8 to 1.13)', () => {
    expect(evaluators.map((definition) => definition.type).sort()).toEqual([
      'Coherence',
      'Fluency',
      'Groundedness',
      'HateUnfairness',
      'Relevance',
      'SelfHarm',
      'Sexual',
      'Violence',
      'all_of',
      'any_of',
      'bleu',
      'contains',
      'count',
      'custom',
      'eventually',
      'exact_match',
      'expected',
      'f1',
      'llm_judge',
      'never',
      'none_of',
      'regex',
      'rouge',
      'schema',
      'sequence',
      'tool_call',
      'variable_consistency',
      'within',
    ]);
  });

  it('knows no kind that a prototype would lend it', () => {
    expect(findEvaluator('toString')).toBeNull();
    expect(findEvaluator('__proto__')).toBeNull();
  });

  it('marks what came with version 0.2 (semantics A47)', () => {
    const since02 = evaluators.filter(({ since }) => since === '0.2').map(({ type }) => type);
    expect(since02.sort()).toEqual([
      'HateUnfairness',
      'SelfHarm',
      'Sexual',
      'Violence',
      'bleu',
      'expected',
      'f1',
      'rouge',
    ]);
  });

  it.each(evaluators)('$type says what it is, and each field has a valid schema', (definition) => {
    expect(definition.summary).toMatch(/\.$/);
    expect(definition.examples.length).toBeGreaterThan(0);
    const ajv = new Ajv({ strict: false });
    for (const field of Object.values({ ...commonFields, ...definition.fields })) {
      expect(field.summary).toMatch(/\.$/);
      expect(ajv.validateSchema(field.schema)).toBe(true);
    }
  });
});

const examples = evaluators.flatMap(({ type, examples: own }) =>
  own.map((example) => ({ name: `${type}: ${example.title}`, example })),
);

describe('the examples of the reference page', () => {
  it.each(examples)('$name', ({ example }) => {
    const { document, pointer } = writeDocument(example);
    const report = gradeDocument(document, createUnit(example.behaviors));
    expect(entryOf(report, pointer).verdict).toBe(example.verdict);
  });
});

/** The example as a document: a step-level rule on its last step, any other at session level. */
function writeDocument({ rule, steps }: EvaluatorExample): { document: string; pointer: string } {
  const family = findEvaluator(String(rule.type))?.family;
  const head = { session: 'example', abs_version: '0.2' };
  if (family === 'chain') {
    const document = JSON.stringify({ ...head, behaviors: steps, evaluations: [rule] });
    return { document, pointer: '/evaluations/0' };
  }
  const last = steps.length - 1;
  const behaviors = steps.map((step, at) =>
    at === last ? { ...step, evaluations: [rule] } : step,
  );
  const document = JSON.stringify({ ...head, behaviors });
  return { document, pointer: `/behaviors/${last}/evaluations/0` };
}
