import type { JsonArray, JsonObject, JsonValue } from '../util/json.js';

export function isArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own key; `undefined` when absent. */
export function field(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The first of these keys that holds a value other than null. */
export function firstField(object: JsonObject, ...keys: string[]): JsonValue | undefined {
  for (const key of keys) {
    const value = field(object, key);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The first of these keys that holds a non-empty string. */
export function stringField(object: JsonObject, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = field(object, key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** The object at a key. */
export function objectField(object: JsonObject, ...keys: string[]): JsonObject | undefined {
  for (const key of keys) {
    const value = field(object, key);
    if (isObject(value)) return value;
  }
  return undefined;
}

/** True when every key of the object is one of `keys`. */
export function hasOnlyKeys(object: JsonObject, ...keys: string[]): boolean {
  return Object.keys(object).every((key) => keys.includes(key));
}

type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];
type Compact<T> = Omit<T, OptionalKeys<T>> & {
  [K in OptionalKeys<T>]?: Exclude<T[K], undefined>;
};

/** The object without the keys whose value is `undefined`. */
export function compact<T extends object>(value: T): Compact<T> {
  const kept: Partial<T> = {};
  // Runs for every part of every message: no arrays on the way.
  for (const key in value) if (value[key] !== undefined) kept[key] = value[key];
  return kept as Compact<T>;
}
