import type { Evaluation } from '../model/document.js';
import type { EvaluatorDefinition, Monitor, ObservedValue } from '../model/evaluator.js';
import { canonicalJson, jsonEquals } from '../util/json-text.js';
import { contentText } from './content.js';
import { countOf, quoteValue } from './describe.js';
import { required } from './fields.js';
import { failed, inconclusive, passed } from './outcome.js';

/**
 * Every observed value of a variable is the same: where it was captured and wherever a reference to it was
 * used (statement 109, semantics A20).
 */
export const variableConsistency: EvaluatorDefinition = {
  type: 'variable_consistency',
  level: 'session',
  family: 'chain',
  since: '0.1',
  summary:
    'The value of a variable is the same wherever it was observed: at its capture and at each use.',
  scores: false,
  fields: { variable: required({ type: 'string' }, 'The name of the variable.') },
  run: {
    kind: 'monitor',
    alerts: 'at_release',
    selectors: () => [],
    start: startVariableConsistency,
  },
  examples: [
    {
      title: 'Captured 12345, called with 99999',
      rule: { type: 'variable_consistency', variable: 'orderId' },
      steps: [
        { actor: 'user', action: 'says', content: '12345', capture: { orderId: '12345' } },
        {
          actor: 'assistant',
          action: 'calls',
          target: 'Orders API',
          with: { orderId: '{{orderId}}' },
        },
      ],
      behaviors: [
        { actor: 'user', content: '12345' },
        { actor: 'assistant', action: 'calls', target: 'Orders API', with: { orderId: '99999' } },
      ],
      verdict: 'fail',
    },
    {
      title: 'The same value at both places',
      rule: { type: 'variable_consistency', variable: 'orderId' },
      steps: [
        { actor: 'user', action: 'says', content: '12345', capture: { orderId: '12345' } },
        {
          actor: 'assistant',
          action: 'calls',
          target: 'Orders API',
          with: { orderId: '{{orderId}}' },
        },
      ],
      behaviors: [
        { actor: 'user', content: '12345' },
        { actor: 'assistant', action: 'calls', target: 'Orders API', with: { orderId: '12345' } },
      ],
      verdict: 'pass',
    },
  ],
};

/**
 * No state of its own: the values are read by grading at the aligned places. The first two that differ
 * decide; where none do, every capture must be confirmed and every declared use must have been seen.
 */
function startVariableConsistency(rule: Evaluation): Monitor {
  const name = String(rule.fields.variable);
  return {
    observe: () => null,
    conclude: (facts) => {
      const fact = facts.variables.get(name);
      const values = fact?.values ?? [];
      const witness = [...new Set(values.map((value) => value.behavior))];
      const [first] = values;
      const conflict = findConflict(values);
      if (conflict !== null) {
        const [one, other] = conflict;
        return failed(
          `${name} was ${describeValue(one)} and ${describeValue(other)}`,
          [other.behavior, one.behavior],
          {
            behavior: other.behavior,
            failed: other.place,
            detail: `${name} was ${quoteValue(other.value)}, not ${quoteValue(one.value)}`,
          },
        );
      }
      const hidden = fact?.hidden[0];
      if (hidden !== undefined) return inconclusive(hidden.code, hidden.detail, witness);
      const unconfirmed = fact?.unconfirmed[0];
      if (unconfirmed !== undefined) {
        return inconclusive('capture_unconfirmed', unconfirmed.detail, witness);
      }
      const uses = values.filter((value) => value.kind === 'use').length;
      if (first === undefined || (uses === 0 && (fact?.declaredUses ?? 0) > 0)) {
        return inconclusive(
          'evidence_missing',
          `no use of ${name} was observed, so nothing can be compared`,
          witness,
        );
      }
      return passed(
        `${name} was ${quoteValue(first.value)} at ${countOf(values.length, 'place')}`,
        witness,
      );
    },
  };
}

/** The first two values that differ. Equality is not transitive here, so distinct ones meet in pairs. */
function findConflict(
  values: readonly ObservedValue[],
): readonly [ObservedValue, ObservedValue] | null {
  const distinct = new Map<string, ObservedValue>();
  for (const value of values) {
    const key = `${value.inText} ${canonicalJson(value.value)}`;
    if (distinct.has(key)) continue;
    for (const other of distinct.values()) if (!areSame(other, value)) return [other, value];
    distinct.set(key, value);
  }
  return null;
}

/** JSON equality; a text and a number that read the same are equal where the declared use is in text. */
function areSame(left: ObservedValue, right: ObservedValue): boolean {
  if (jsonEquals(left.value, right.value)) return true;
  if (!left.inText && !right.inText) return false;
  const [text, other] =
    typeof left.value === 'string' ? [left.value, right.value] : [right.value, left.value];
  const isNumber = typeof other === 'number' || typeof other === 'bigint';
  return typeof text === 'string' && isNumber && text === contentText(other);
}

function describeValue(value: ObservedValue): string {
  return `${quoteValue(value.value)} in ${value.place} of #${value.behavior}`;
}
