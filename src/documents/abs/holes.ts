import type { JsonValue } from '../../util/json.js';
import { isJsonArray, isJsonObject, jsonEquals } from '../../util/json-text.js';
import type { BoundEvaluation, Use } from './bound-session.js';
import { evaluateWhen } from './evaluate-when.js';
import { joinPointer, splitPointer } from './pointer.js';
import { fillTemplate } from './resolve.js';
import { readPath } from './scope.js';
import { unifyTemplate } from './unify-template.js';

/** The value that a capture of a step read from the trace; undefined when it read none. */
export type ObservedCapture = (step: number, variable: string) => JsonValue | undefined;

export type Filled =
  | { readonly ok: true; readonly evaluation: BoundEvaluation }
  /** A capture that the rule needs read nothing: `capture_unconfirmed`. */
  | { readonly ok: false; readonly variable: string };

/** Whether a place holds a value that is known only from the trace. */
export function hasHoles(uses: readonly Use[]): boolean {
  return uses.some((use) => use.value === undefined);
}

/**
 * Deep equality of a declared value with an observed one, where a hole fits everything: as a whole value
 * anything, inside text whatever makes the text an instance of its template. `uses` are those of the
 * place; `pointer` leads from the place to the value, e.g. `/orderId` for one argument of `with`.
 */
export function equalsAroundHoles(
  declared: JsonValue,
  observed: JsonValue,
  uses: readonly Use[],
  pointer = '',
): boolean {
  const own = uses.filter((use) => use.path === pointer);
  const hole = own.find((use) => use.value === undefined);
  if (hole !== undefined) return hole.whole || fitsTemplate(observed, hole, own);
  if (isJsonArray(declared)) {
    return (
      isJsonArray(observed) &&
      declared.length === observed.length &&
      declared.every((item, index) =>
        equalsAroundHoles(item, observed[index] ?? null, uses, joinPointer(pointer, index)),
      )
    );
  }
  if (!isJsonObject(declared)) return jsonEquals(declared, observed);
  if (!isJsonObject(observed)) return false;
  const keys = Object.keys(declared);
  return (
    keys.length === Object.keys(observed).length &&
    keys.every((key) => {
      const other = Object.hasOwn(observed, key) ? observed[key] : undefined;
      const item = declared[key] ?? null;
      return other !== undefined && equalsAroundHoles(item, other, uses, joinPointer(pointer, key));
    })
  );
}

function fitsTemplate(observed: JsonValue, hole: Use, uses: readonly Use[]): boolean {
  if (typeof observed !== 'string') return false;
  const known = uses.flatMap((use): [string, JsonValue][] =>
    use.value === undefined ? [] : [[use.reference, use.value]],
  );
  return unifyTemplate(hole.template, observed, new Map(known)).ok;
}

/** Puts what was captured from the trace into a rule, its `when` and the rules inside it. */
export function fillHoles(evaluation: BoundEvaluation, observed: ObservedCapture): Filled {
  const children: BoundEvaluation[] = [];
  for (const child of evaluation.children) {
    const filled = fillHoles(child, observed);
    if (!filled.ok) return filled;
    children.push(filled.evaluation);
  }
  if (!hasHoles(evaluation.uses)) return { ok: true, evaluation: { ...evaluation, children } };
  const uses: Use[] = [];
  const read: JsonValue[] = [];
  for (const use of evaluation.uses) {
    const value = use.value ?? readHole(use, observed);
    if (value === undefined) return { ok: false, variable: use.variable };
    if (use.value === undefined) read.push(value);
    uses.push({ ...use, value });
  }
  const filled = fillEvaluation({ ...evaluation, children, observed: read }, uses);
  return { ok: true, evaluation: filled };
}

export function readHole(use: Use, observed: ObservedCapture): JsonValue | undefined {
  if (use.source.kind !== 'capture') return undefined;
  const value = observed(use.source.step, use.variable);
  if (value === undefined || use.reference === use.variable) return value;
  return readPath(value, use.reference.slice(use.variable.length + 1).split('.'));
}

function fillEvaluation(evaluation: BoundEvaluation, uses: readonly Use[]): BoundEvaluation {
  const byPath = new Map<string, Use[]>();
  for (const use of uses) {
    if (use.place !== 'evaluation') continue;
    byPath.set(use.path, [...(byPath.get(use.path) ?? []), use]);
  }
  let fields: JsonValue = evaluation.fields;
  for (const [path, inText] of byPath) {
    fields = replaceAt(fields, splitPointer(path) ?? [], filledText(inText));
  }
  const values = new Map(
    uses.filter(({ place }) => place === 'when').map((use) => [use.reference, use.value]),
  );
  const { condition } = evaluation;
  return {
    ...evaluation,
    fields: isJsonObject(fields) ? fields : evaluation.fields,
    uses,
    condition:
      condition?.outcome.kind !== 'hole'
        ? condition
        : {
            expression: condition.expression,
            outcome: evaluateWhen(condition.expression, (name) => {
              const value = values.get(name);
              return value === undefined ? { kind: 'unknown' } : { kind: 'value', value };
            }),
          },
  };
}

/** The value of one text whose references all have values. */
export function filledText(uses: readonly Use[]): JsonValue {
  const [first] = uses;
  if (first === undefined) return null;
  if (first.whole) return first.value ?? null;
  const values = new Map(uses.map((use) => [use.reference, use.value]));
  const text = fillTemplate(first.template, ({ name }) => values.get(name));
  return text ?? first.template.text;
}

export function replaceAt(
  value: JsonValue,
  keys: readonly string[],
  replacement: JsonValue,
): JsonValue {
  const [key, ...rest] = keys;
  if (key === undefined) return replacement;
  if (isJsonArray(value)) {
    return value.map((item, index) =>
      String(index) === key ? replaceAt(item, rest, replacement) : item,
    );
  }
  if (!isJsonObject(value)) return value;
  const copy: Record<string, JsonValue> = Object.assign(Object.create(null), value);
  copy[key] = replaceAt(value[key] ?? null, rest, replacement);
  return copy;
}
