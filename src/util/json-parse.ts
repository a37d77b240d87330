import type { JsonValue } from './json.js';
import { JsonFault, JsonReader } from './json-reader.js';
import { defaultJsonLimits, type JsonLimits } from './limits.js';

/** What `parseJson` found. `offset` counts UTF-16 units from 0, `line` and `column` from 1. */
export type JsonParsed =
  | { readonly ok: true; readonly value: JsonValue; readonly duplicateKeys: number }
  | {
      readonly ok: false;
      readonly message: string;
      readonly offset: number;
      readonly line: number;
      readonly column: number;
    };

/**
 * Parses JSON text (RFC 8259) without losing digits.
 *
 * Integer literals outside the safe range become `bigint`; literals with a fraction or an exponent are
 * doubles, so `1.0` is the number 1. Objects have a null prototype; of duplicate keys the last wins and
 * each one set aside is counted. Never throws: nesting beyond `limits.maxJsonDepth` is an error like
 * any other, and so is a number that no double can hold (`1e400`).
 */
export function parseJson(text: string, limits: JsonLimits = defaultJsonLimits): JsonParsed {
  const reader = new JsonReader(text, limits.maxJsonDepth);
  try {
    const value = reader.readDocument();
    return { ok: true, value, duplicateKeys: reader.duplicateKeys };
  } catch (fault) {
    if (!(fault instanceof JsonFault)) throw fault;
    return {
      ok: false,
      message: fault.message,
      offset: fault.offset,
      ...lineAndColumn(text, fault.offset),
    };
  }
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
