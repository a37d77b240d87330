import type { JsonValue } from '../../util/json.js';
import { isJsonArray, isJsonObject } from '../../util/json-text.js';
import { valueText } from '../../util/text.js';
import type { Use, UsePlace } from './bound-session.js';
import { maxBoundSize } from './limits.js';
import { joinPointer } from './pointer.js';
import type { Answer } from './scope.js';
import { parseTemplate, type Reference, type Template, wholeReference } from './template.js';

/** How the references of one value are answered, and what is noted while doing so. */
export interface Resolver {
  readonly place: UsePlace;
  /** Null: nothing answers, and the text keeps the reference as written. */
  readonly answer: (name: string) => Answer | null;
  /** Whether a text at this pointer stays a text though it is one reference, e.g. a pattern. */
  readonly wantsText: (pointer: string) => boolean;
  /** Whether a name is left as written at this pointer without being answered. */
  readonly isReserved: (pointer: string, name: string) => boolean;
  /** Every reference that was answered. */
  readonly uses: Use[];
  readonly onUnresolved: (pointer: string, name: string) => void;
  readonly onTooLarge: (pointer: string) => void;
}

/**
 * Puts values in the place of references, at any depth (semantics A17): a text that is exactly one
 * reference takes the value with its type, inside text a value takes its text form. A hole stays as
 * written. Recursion is bounded by the depth of documents.
 */
export function resolveValue(resolver: Resolver, value: JsonValue, pointer = ''): JsonValue {
  if (typeof value === 'string') {
    const parsed = value.includes('{{') ? parseTemplate(value) : null;
    return parsed?.ok ? resolveTemplate(resolver, parsed.template, pointer) : value;
  }
  if (isJsonArray(value)) {
    return value.map((item, index) => resolveValue(resolver, item, joinPointer(pointer, index)));
  }
  if (!isJsonObject(value)) return value;
  const resolved: Record<string, JsonValue> = Object.create(null);
  for (const [key, item] of Object.entries(value)) {
    resolved[key] = resolveValue(resolver, item, joinPointer(pointer, key));
  }
  return resolved;
}

function resolveTemplate(resolver: Resolver, template: Template, pointer: string): JsonValue {
  const answers = new Map<string, JsonValue>();
  const asText = resolver.wantsText(pointer);
  const whole = wholeReference(template);
  for (const { name } of template.references) {
    if (resolver.isReserved(pointer, name)) continue;
    const answer = resolver.answer(name);
    if (answer === null) {
      resolver.onUnresolved(pointer, name);
      continue;
    }
    const { variable, source, value } = answer;
    const use = { variable, source, place: resolver.place, path: pointer, template };
    const isWhole = whole !== null && !asText;
    resolver.uses.push({
      ...use,
      reference: name,
      whole: isWhole,
      ...(value === undefined ? {} : { value }),
    });
    if (value !== undefined) answers.set(name, value);
  }
  const only = whole === null || asText ? undefined : answers.get(whole.name);
  if (only !== undefined) return only;
  const text = fillTemplate(template, (reference) => answers.get(reference.name));
  if (text !== null) return text;
  resolver.onTooLarge(pointer);
  return template.text;
}

/**
 * The text of a template with values in place of references; a reference without a value stays as
 * written. Null when the text would be longer than `maxBoundSize`.
 */
export function fillTemplate(
  template: Template,
  answerOf: (reference: Reference) => JsonValue | undefined,
): string | null {
  let text = '';
  let from = 0;
  for (const reference of template.references) {
    const value = answerOf(reference);
    text += template.text.slice(from, reference.offset);
    text +=
      value === undefined ? template.text.slice(reference.offset, reference.end) : valueText(value);
    from = reference.end;
    if (text.length > maxBoundSize) return null;
  }
  return text + template.text.slice(from);
}
