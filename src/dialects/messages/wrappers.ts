import type { JsonObject, JsonValue } from '../../util/json.js';
import { field, firstField, isArray, isObject, stringField } from '../shape.js';
import { generatedMessage, langChainMessageOf } from './langchain.js';

/** The messages inside the objects that instrumentations and providers put around them. */
export function unwrap(value: JsonObject): JsonValue | undefined {
  if (isMessage(value) || isArray(field(value, 'parts')) || langChainMessageOf(value) !== undefined)
    return undefined;
  const choices = field(value, 'choices');
  if (isArray(choices)) return unwrapChoice(choices[0]);
  const generated = generatedMessage(value);
  if (generated !== undefined) return generated;
  return firstField(value, 'messages', 'input', 'output', 'contents', 'message', 'prompt');
}

function unwrapChoice(choice: JsonValue | undefined): JsonValue | undefined {
  return isObject(choice) ? firstField(choice, 'message', 'text', 'delta') : choice;
}

/** A message has a role; one that lost its content on the way still is one. */
export function isMessage(value: JsonObject): boolean {
  if (isArray(field(value, 'messages'))) return false;
  return stringField(value, 'role') !== undefined || field(value, 'type') === 'message';
}
