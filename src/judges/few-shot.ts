import type { JsonObject, JsonValue } from '../util/json.js';
import { parseJson } from '../util/json-parse.js';
import { canonicalJson, isJsonArray, isJsonObject } from '../util/json-text.js';

/** Examples of a rule's `dataset`, one canonical JSON text each; or why they cannot be used. */
export type FewShot =
  | { readonly kind: 'examples'; readonly lines: readonly string[] }
  /** The id of a dataset that lies with the provider. */
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'fault'; readonly message: string };

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Reads `dataset` (statement 123): an id, an array of objects, or JSON lines as text. */
export function readFewShot(dataset: JsonValue | null): FewShot {
  if (dataset === null) return { kind: 'examples', lines: [] };
  if (isJsonArray(dataset)) return fromObjects(dataset);
  if (typeof dataset !== 'string') {
    return { kind: 'fault', message: 'dataset must be an id, a list of objects or JSON lines' };
  }
  const text = dataset.trim();
  return uuid.test(text) ? { kind: 'id', id: text } : fromLines(text);
}

function fromObjects(items: readonly JsonValue[]): FewShot {
  const wrong = items.findIndex((item) => !isJsonObject(item));
  if (wrong >= 0) return { kind: 'fault', message: `dataset entry ${wrong} is not an object` };
  return { kind: 'examples', lines: items.map(canonicalJson) };
}

function fromLines(text: string): FewShot {
  const objects: JsonObject[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    if (!parsed.ok) {
      return { kind: 'fault', message: `dataset line ${index + 1} is not JSON: ${parsed.message}` };
    }
    if (!isJsonObject(parsed.value)) {
      return { kind: 'fault', message: `dataset line ${index + 1} is not an object` };
    }
    objects.push(parsed.value);
  }
  return fromObjects(objects);
}
