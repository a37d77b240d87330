import type { Completeness } from '../model/evidence.js';
import type { ResultAtom } from '../model/fact.js';
import type { JsonObject, JsonValue } from '../util/json.js';
import { canonicalJson, isJsonArray, isJsonObject } from '../util/json-text.js';
import { compareValuesOf } from './compare-forms.js';
import { type Form, isHidden, parseStructure } from './form.js';

/** What a tool answered. */
export interface ResultValue {
  readonly value?: JsonValue;
  readonly state: Completeness;
  readonly isError: boolean;
  /** The untouched form of a value that was unwrapped or overruled. */
  readonly raw?: JsonValue;
}

/**
 * One value of the two places that show a result (dialects.md §3.5). Where both say the same the
 * structured form is kept, and the span's where history cut it; where they differ, what the model saw.
 */
export function settleResult(
  history: Form<ResultAtom> | null,
  executed: Form<ResultAtom> | null,
): ResultValue {
  if (history === null || executed === null) return readResult(history ?? executed);
  const isError = history.atom.isError || executed.atom.isError;
  const [seen, ran] = [readResult(history), readResult(executed)];
  if (isNothing(history)) return { ...(isNothing(executed) ? seen : ran), isError };
  if (isNothing(executed)) return { ...seen, isError };
  const isSame = compareValuesOf(history, executed) > 0 || areEqual(seen.value, ran.value);
  if (!isSame) return { ...seen, isError: isError || seen.isError, ...rawOf(executed.atom.result) };
  const prefersRun =
    history.atom.state === 'truncated' ||
    (executed.atom.state === 'present' && typeof ran.value !== 'string');
  return { ...(prefersRun ? ran : seen), isError: isError || seen.isError || ran.isError };
}

/** Hidden, never recorded, or cut so early that nothing of it is left. */
function isNothing({ atom }: Form<ResultAtom>): boolean {
  return isHidden(atom.state) || atom.result === undefined;
}

function readResult(form: Form<ResultAtom> | null): ResultValue {
  if (form === null) return { state: 'absent', isError: false };
  const { result, state, isError } = form.atom;
  if (result === undefined || isHidden(state)) return { state, isError };
  const value = typeof result === 'string' ? parseStructure(result) : result;
  const envelope = isJsonObject(value) ? openEnvelope(value) : null;
  if (envelope === null) return { value, state, isError };
  return { value: envelope.value, state, isError: isError || envelope.isError, raw: value };
}

const envelopeKeys = new Set(['content', 'isError', 'structuredContent', '_meta']);

/** An MCP result: one text, or structured content, in an envelope. */
function openEnvelope(value: JsonObject): { value: JsonValue; isError: boolean } | null {
  const { content, isError, structuredContent } = value;
  if (!isJsonArray(content) || !Object.keys(value).every((key) => envelopeKeys.has(key)))
    return null;
  if (!content.every((part) => isJsonObject(part) && typeof part.type === 'string')) return null;
  if (isJsonObject(structuredContent))
    return { value: structuredContent, isError: isError === true };
  const [part, ...others] = content;
  if (others.length > 0 || !isJsonObject(part) || typeof part.text !== 'string') return null;
  return { value: parseStructure(part.text), isError: isError === true };
}

function areEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return typeof a === typeof b && textOf(a) === textOf(b);
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value.trim() : canonicalJson(value);
}

function rawOf(raw: JsonValue | undefined): { raw?: JsonValue } {
  return raw === undefined ? {} : { raw };
}
