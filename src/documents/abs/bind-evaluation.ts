import { evaluators } from '../../evaluators/index.js';
import type { Evaluation } from '../../model/document.js';
import type { JsonObject, JsonValue } from '../../util/json.js';
import { isJsonObject } from '../../util/json-text.js';
import { type Binder, bindValue } from './binder.js';
import type { BoundCondition, BoundEvaluation, Use } from './bound-session.js';
import { evaluateWhen } from './evaluate-when.js';
import { placeOfEvaluation, promptNames } from './places.js';
import { splitPointer } from './pointer.js';
import { answerReference } from './scope.js';
import { parseWhen, type WhenExpression } from './when.js';

/**
 * Resolves the references of a rule and its children, and decides its `when` as far as it can be. The
 * table's own checks run again on what references brought in, such as a pattern that is known only now.
 */
export function bindEvaluation(binder: Binder, rule: Evaluation): BoundEvaluation {
  const uses: Use[] = [];
  const spec = evaluators.find(({ type }) => type === rule.type);
  const resolved = bindValue(binder, {
    place: 'evaluation',
    value: placeOfEvaluation(rule).value,
    pointer: rule.rule,
    uses,
    answer: (name) => answerReference(binder, name),
    wantsText: (pointer) => isTextField(spec?.fields ?? {}, pointer),
    isReserved: (pointer, name) => pointer === '/prompt' && promptNames.has(name),
  });
  const fields: Record<string, JsonValue> = Object.assign(
    Object.create(null),
    rule.fields,
    resolved,
  );
  const children = rule.children.map((child) => bindEvaluation(binder, child));
  const condition = rule.when === null ? null : bindCondition(binder, rule.when, uses);
  const title = typeof fields.title === 'string' ? fields.title : rule.title;
  const bound: BoundEvaluation = { ...rule, title, fields, children, uses, condition };
  if (uses.some((use) => use.place === 'evaluation')) {
    const problems = spec?.lint?.(bound) ?? [];
    binder.problems.push(...problems.filter(({ severity }) => severity === 'error'));
  }
  return bound;
}

/** Whether the table wants a text at a pointer into the fields: a pattern stays a text, a value does not. */
function isTextField(
  fields: Readonly<Record<string, { schema: JsonObject }>>,
  pointer: string,
): boolean {
  const [name, ...keys] = splitPointer(pointer) ?? [];
  if (name === undefined) return false;
  if (name === 'title') return true;
  let schema: JsonValue | undefined = Object.hasOwn(fields, name)
    ? fields[name]?.schema
    : undefined;
  for (const key of keys) {
    if (!isJsonObject(schema)) return false;
    const { properties, items }: JsonObject = schema;
    schema = isJsonObject(properties) ? properties[key] : items;
  }
  return isJsonObject(schema) && schema.type === 'string';
}

function bindCondition(binder: Binder, text: string, uses: Use[]): BoundCondition | null {
  const parsed = parseWhen(text);
  // A document whose conditions do not parse is never bound.
  if (!parsed.ok) return null;
  const { expression } = parsed;
  noteUses(binder, expression, uses);
  const outcome = evaluateWhen(expression, (name) => {
    const answer = answerReference(binder, name);
    if (answer === null) return { kind: 'unknown' };
    return answer.value === undefined ? { kind: 'hole' } : { kind: 'value', value: answer.value };
  });
  return { expression, outcome };
}

function noteUses(binder: Binder, expression: WhenExpression, uses: Use[]): void {
  const references = expression.references.map(({ name, offset }) => ({
    name,
    offset,
    end: expression.text.indexOf('}}', offset) + 2,
  }));
  const template = { text: expression.text, references };
  for (const { name } of references) {
    const answer = answerReference(binder, name);
    if (answer === null) continue;
    const { variable, source, value } = answer;
    const use = {
      reference: name,
      variable,
      source,
      place: 'when',
      path: '',
      whole: false,
    } as const;
    uses.push({ ...use, template, ...(value === undefined ? {} : { value }) });
  }
}
