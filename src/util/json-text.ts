import type { JsonArray, JsonObject, JsonValue } from './json.js';

/** JSON text without spaces, keys in the order they have. A bigint is written with all its digits. */
export function jsonText(value: JsonValue): string {
  return writeJson(value, { sortKeys: false });
}

/**
 * The one text of a value (semantics A29): keys sorted by UTF-16 unit, no spaces. Equal values, in the
 * sense of `jsonEquals`, have equal texts and no others do.
 */
export function canonicalJson(value: JsonValue): string {
  return writeJson(value, { sortKeys: true });
}

/**
 * Deep equality of JSON values. The order of keys does not matter; numbers are equal when they are the
 * same number, however they are held: 1 and 1.0, 2^60 as bigint and as double.
 */
export function jsonEquals(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  // biome-ignore lint/suspicious/noDoubleEquals: == compares a bigint and a number by exact value.
  if (isNumeric(a) && isNumeric(b)) return a == b;
  if (isJsonArray(a)) return isJsonArray(b) && arraysEqual(a, b);
  return isJsonObject(a) && isJsonObject(b) && objectsEqual(a, b);
}

export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** True for an object with keys: neither null nor an array. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumeric(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function arraysEqual(a: JsonArray, b: JsonArray): boolean {
  return a.length === b.length && a.every((item, index) => jsonEquals(item, b[index] ?? null));
}

function objectsEqual(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    const other = Object.hasOwn(b, key) ? b[key] : undefined;
    return other !== undefined && jsonEquals(a[key] ?? null, other);
  });
}

function writeJson(value: JsonValue, style: { readonly sortKeys: boolean }): string {
  if (typeof value === 'number') return numberText(value, style.sortKeys);
  if (typeof value === 'bigint') return value.toString();
  if (isJsonArray(value)) return `[${value.map((item) => writeJson(item, style)).join(',')}]`;
  if (isJsonObject(value)) {
    const keys = style.sortKeys ? Object.keys(value).sort() : Object.keys(value);
    const members = keys.map(
      (key) => `${JSON.stringify(key)}:${writeJson(value[key] ?? null, style)}`,
    );
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

/**
 * Numbers as ECMAScript writes them, except where its digits would be read back as another number: a
 * double beyond the safe integers is written with all its digits, since digits are read exactly. From
 * 1e21 on only the canonical text does so, where one number must not have two texts. Non-finite numbers
 * are not JSON and become their name.
 */
function numberText(value: number, exact: boolean): string {
  if (!Number.isFinite(value)) return JSON.stringify(String(value));
  const size = Math.abs(value);
  if (size >= 2 ** 53 && (exact || size < 1e21)) return BigInt(value).toString();
  return JSON.stringify(value);
}
