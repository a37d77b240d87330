import type { Completeness } from '../model/evidence.js';
import type { JsonValue } from '../util/json.js';
import { parseJson } from '../util/json-parse.js';
import { parseJsonPrefix } from '../util/json-prefix.js';
import type { LossLog } from './losses.js';
import { hasCutSuffix, isRedacted } from './placeholders.js';
import { parsePythonLiteral } from './python-literal.js';
import { isArray, isObject, stringField } from './shape.js';

/** What readers of one span share: where losses go, and how its values may have been cut. */
export interface ReadContext {
  readonly losses: LossLog;
  /** True when a string of this length was cut by the SDK's length limit for attributes. */
  readonly isLimitLength: (length: number) => boolean;
  /** A result `{denied: true, reason}` is the dialect's way to say that the tool was refused. */
  readonly deniedResults?: true;
}

/** A value as recorded: parsed where it is JSON text. `value` is absent unless something was seen. */
export interface Reading {
  readonly value?: JsonValue;
  readonly state: Completeness;
}

const absent: Reading = { state: 'absent' };

/**
 * Reads content or a tool result. Text that holds a JSON object, array or string is parsed; any
 * other text stays text. `what` names the place in losses.
 */
export function readPayload(
  raw: JsonValue | undefined,
  context: ReadContext,
  what: string,
): Reading {
  if (raw === undefined) return absent;
  if (typeof raw !== 'string') return { value: raw, state: 'present' };
  if (isRedacted(raw)) return redacted(context, what);
  if (!/^\s*[[{"]/.test(raw)) return readPlainText(raw, context, what);
  const parsed = parseJson(raw);
  if (parsed.ok) return { value: parsed.value, state: 'present' };
  return isCut(raw, context) || looksCut(raw)
    ? cut(readPrefix(raw) ?? raw, context, what)
    : { value: raw, state: 'present' };
}

/**
 * Reads the arguments of a call: an object, JSON text of one, JSON text of such text, a Python
 * literal, or the wrapper `{"_raw": "…"}`. Other text is kept as text with a loss: a model may
 * write arguments that are no JSON.
 */
export function readArguments(
  raw: JsonValue | undefined,
  context: ReadContext,
  what: string,
): Reading {
  if (raw === undefined) return absent;
  const value = unwrapRaw(raw);
  if (typeof value !== 'string') return { value, state: 'present' };
  if (value.trim() === '') return { value: emptyObject(), state: 'present' };
  if (isRedacted(value)) return redacted(context, what);
  const parsed = parseNested(value);
  if (parsed !== undefined) return { value: parsed, state: 'present' };
  if (isCut(value, context) || looksCut(value)) {
    return cut(readPrefix(value) ?? value, context, what);
  }
  context.losses.add('value_unparsable', `${what} is not JSON`);
  return { value, state: 'present' };
}

/** Reads plain text: no parsing, only its completeness. */
export function readPlainText(text: string, context: ReadContext, what: string): TextReading {
  if (isRedacted(text)) {
    context.losses.add('value_redacted', what);
    return { value: text, state: 'redacted' };
  }
  if (isCut(text, context)) {
    context.losses.add('value_truncated', what);
    return { value: text, state: 'truncated' };
  }
  return { value: text, state: 'present' };
}

export interface TextReading {
  readonly value: string;
  readonly state: Completeness;
}

/** JSON text of an array or object, parsed; `undefined` for anything else. */
export function parseStructure(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : undefined;
}

/** What can be read of a cut JSON structure; `undefined` when it is none. */
export function readPrefix(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const parsed = parseJsonPrefix(text);
  return parsed.ok && !isScalar(parsed.value) ? parsed.value : undefined;
}

/** True when the text has the length at which the SDK cut the span's values, or says that it was cut. */
function isCut(text: string, context: ReadContext): boolean {
  return context.isLimitLength(text.length) || hasCutSuffix(text);
}

/** True when JSON text of a structure simply ends too early. */
export function looksCut(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  const parsed = parseJsonPrefix(text);
  return parsed.ok && parsed.truncated;
}

function parseNested(text: string): JsonValue | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok) return /^\s*\{/.test(text) ? parsePythonLiteral(text) : undefined;
  if (typeof parsed.value !== 'string') return isScalar(parsed.value) ? undefined : parsed.value;
  return parseStructure(parsed.value);
}

function unwrapRaw(raw: JsonValue): JsonValue {
  if (!isObject(raw)) return raw;
  const inner = stringField(raw, '_raw');
  return inner !== undefined && Object.keys(raw).length === 1 ? inner : raw;
}

function cut(value: JsonValue, context: ReadContext, what: string): Reading {
  context.losses.add('value_truncated', what);
  return { value, state: 'truncated' };
}

function redacted(context: ReadContext, what: string): Reading {
  context.losses.add('value_redacted', what);
  return { state: 'redacted' };
}

function isScalar(value: JsonValue): boolean {
  return !isObject(value) && !isArray(value);
}

function emptyObject(): JsonValue {
  return Object.create(null);
}
