import type { JsonValue } from '../../util/json.js';
import { jsonEquals } from '../../util/json-text.js';
import type { WhenOutcome } from './bound-session.js';
import type { WhenExpression, WhenNode } from './when.js';
import type { Comparison } from './when-lexer.js';

/** What is known of a reference: its value, that it is still to be captured, or nothing. */
export type WhenLookup = (
  name: string,
) =>
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'hole' }
  | { readonly kind: 'unknown' };

/**
 * Decides a `when` (semantics A42). One unknown reference, wherever it stands, makes the whole unknown:
 * a misspelt column must never decide. Comparison is strict: texts, numbers and booleans never equal
 * each other, and `<` holds only between two numbers or two texts (by UTF-16 units).
 */
export function evaluateWhen(expression: WhenExpression, lookup: WhenLookup): WhenOutcome {
  const values = new Map<string, JsonValue>();
  let hole: string | null = null;
  for (const { name } of expression.references) {
    const found = lookup(name);
    if (found.kind === 'unknown') return { kind: 'unknown', reference: name };
    if (found.kind === 'value') values.set(name, found.value);
    else hole ??= name;
  }
  if (hole !== null) return { kind: 'hole', reference: hole };
  const state: State = { values, note: null };
  const kind = evaluateNode(expression.root, state) === true ? 'true' : 'false';
  return state.note === null ? { kind } : { kind, note: state.note };
}

interface State {
  readonly values: ReadonlyMap<string, JsonValue>;
  note: string | null;
}

function evaluateNode(node: WhenNode, state: State): JsonValue {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'reference':
      return state.values.get(node.name) ?? null;
    case 'not':
      return evaluateNode(node.operand, state) !== true;
    case 'and':
      return node.operands.every((operand) => evaluateNode(operand, state) === true);
    case 'or':
      return node.operands.some((operand) => evaluateNode(operand, state) === true);
    case 'compare': {
      const left = evaluateNode(node.left, state);
      const right = evaluateNode(node.right, state);
      const mismatch = describeMismatch(node.comparison, left, right);
      if (mismatch !== null) state.note ??= mismatch;
      return compare(node.comparison, left, right);
    }
  }
}

function compare(comparison: Comparison, left: JsonValue, right: JsonValue): boolean {
  if (comparison === '==') return jsonEquals(left, right);
  if (comparison === '!=') return !jsonEquals(left, right);
  const order = orderOf(left, right);
  if (order === null) return false;
  switch (comparison) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** Negative, zero or positive for two numbers or two texts; null for anything else. */
function orderOf(left: JsonValue, right: JsonValue): number | null {
  if (typeof left === 'string' && typeof right === 'string')
    return left < right ? -1 : +(left > right);
  if (!isNumeric(left) || !isNumeric(right)) return null;
  return left < right ? -1 : +(left > right);
}

function isNumeric(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** A comparison of two kinds of value is decided (`==` false, `<` false), but rarely what was meant. */
function describeMismatch(
  comparison: Comparison,
  left: JsonValue,
  right: JsonValue,
): string | null {
  const [leftKind, rightKind] = [kindOf(left), kindOf(right)];
  const isEquality = comparison === '==' || comparison === '!=';
  if (isEquality) {
    if (leftKind === rightKind || left === null || right === null) return null;
  } else if (orderOf(left, right) !== null) {
    return null;
  }
  return `${leftKind} ${comparison} ${rightKind}: ${isEquality ? 'different kinds of value are never equal' : 'only two numbers or two texts have an order'}`;
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  if (isNumeric(value)) return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) ? 'list' : 'object';
}
