import {
  Ajv,
  type Format,
  type FuncKeywordDefinition,
  type Options,
  type ValidateFunction,
} from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { JsonObject, JsonValue } from '../util/json.js';
import { canonicalJson, isJsonArray, isJsonObject } from '../util/json-text.js';
import { compilePattern } from '../util/pattern.js';

/** A compiled JSON Schema (semantics A32). */
export interface CompiledSchema {
  /** Null when the value is valid; else where it is not and what was expected. */
  readonly validate: (value: JsonValue) => SchemaFault | null;
}

export interface SchemaFault {
  /** JSON Pointer into the value, '' for the value itself. */
  readonly path: string;
  readonly message: string;
}

export type CompiledSchemaResult =
  | { readonly ok: true; readonly schema: CompiledSchema }
  | { readonly ok: false; readonly message: string };

/** Longest text that a `format` accepts: some of the library's expressions are quadratic. */
const maxFormatLength = 4096;
const unboundedFormats = new Set(['byte', 'binary', 'password']);

const maxCachedSchemas = 200;
const cache = new Map<string, CompiledSchemaResult>();

/**
 * Compiles a JSON Schema: `$schema` decides the draft (06, 07, 2019-09, 2020-12), 07 by default. Formats
 * are asserted, patterns run in linear time, only own properties count, and no reference leaves the schema.
 * Never throws.
 *
 * Integers that no double holds are compared as doubles: JSON Schema promises no more.
 */
export function compileSchema(schema: JsonObject): CompiledSchemaResult {
  const key = canonicalJson(schema);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const result = compile(schema);
  cache.set(key, result);
  const oldest = cache.keys().next();
  if (cache.size > maxCachedSchemas && oldest.done === false) cache.delete(oldest.value);
  return result;
}

const options: Options = {
  strict: false,
  ownProperties: true,
  validateFormats: true,
  logger: false,
  addUsedSchema: false,
  code: { regExp: Object.assign(linearPattern, { code: 'linearPattern' }) },
};

function linearPattern(source: string): { test: (text: string) => boolean } {
  const compiled = compilePattern(source);
  if (!compiled.ok) {
    throw new Error(`pattern "${source}" is not valid: ${compiled.message}; ${compiled.hint}`);
  }
  return compiled.pattern;
}

/** `uniqueItems` in linear time; the library compares every pair. */
const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: false,
  compile: (unique: boolean) => (items: JsonValue[]) =>
    !unique || new Set(items.map((item) => canonicalJson(item))).size === items.length,
};

const drafts: readonly { readonly uri: RegExp; readonly create: () => Ajv }[] = [
  { uri: /json-schema\.org\/draft-07\/schema/, create: () => new Ajv(options) },
  {
    uri: /json-schema\.org\/draft-06\/schema/,
    create: () => new Ajv(options).addMetaSchema(draft06),
  },
  { uri: /json-schema\.org\/draft\/2019-09\/schema/, create: () => new Ajv2019(options) },
  { uri: /json-schema\.org\/draft\/2020-12\/schema/, create: () => new Ajv2020(options) },
];

function compile(schema: JsonObject): CompiledSchemaResult {
  const declared = schema.$schema;
  const draft =
    typeof declared === 'string' ? drafts.find((row) => row.uri.test(declared)) : drafts[0];
  if (draft === undefined) {
    return {
      ok: false,
      message: `$schema ${JSON.stringify(declared)} is not known; use draft-06, draft-07, 2019-09 or 2020-12`,
    };
  }
  try {
    const validator = draft.create();
    validator.removeKeyword('uniqueItems');
    validator.addKeyword(uniqueItems);
    addFormats(validator);
    const validate = validator.compile(toDoubles(schema));
    return { ok: true, schema: { validate: (value) => findFault(validate, toDoubles(value)) } };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

function findFault(validate: ValidateFunction, value: unknown): SchemaFault | null {
  if (validate(value) === true) return null;
  const first = validate.errors?.[0];
  const detail =
    first?.keyword === 'additionalProperties' ? `: "${first.params.additionalProperty}"` : '';
  return {
    path: first?.instancePath ?? '',
    message: `${first?.message ?? 'does not validate'}${detail}`,
  };
}

/** The library's formats; those that are expressions are bounded, and `regex` asks for our own dialect. */
function addFormats(validator: Ajv): void {
  for (const [name, format] of Object.entries<Format>(fullFormats)) {
    validator.addFormat(name, unboundedFormats.has(name) ? format : boundFormat(format));
  }
  validator.addFormat('regex', (text: string) => compilePattern(text).ok);
}

function boundFormat(format: Format): Format {
  if (format instanceof RegExp) return (text: string) => isShort(text) && format.test(text);
  if (typeof format === 'function') return (text: string) => isShort(text) && format(text) === true;
  return format;
}

function isShort(text: string): boolean {
  return text.length <= maxFormatLength;
}

/** The value with every bigint as the nearest double: validators know no bigint. */
function toDoubles(value: JsonObject): Record<string, unknown>;
function toDoubles(value: JsonValue): unknown;
function toDoubles(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (isJsonArray(value)) return value.map((item) => toDoubles(item));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) copy[key] = toDoubles(item);
  return copy;
}
