import type { SpanRejection } from '../model/span.js';
import { encodeJsonTraces } from '../otlp/json-to-protobuf.js';
import type { JsonObject } from '../util/json.js';
import { parseJson } from '../util/json-parse.js';
import { isJsonObject } from '../util/json-text.js';
import { foreignFormats } from './foreign-formats.js';

/** What one JSON object of a recording is. */
export type JsonContent =
  | {
      readonly kind: 'traces';
      /** OTLP protobuf. */
      readonly bytes: Uint8Array;
      readonly rejections: readonly SpanRejection[];
    }
  /** OTLP of a signal that is not graded. */
  | { readonly kind: 'signal'; readonly signal: 'metrics' | 'logs' | 'profiles' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'foreign'; readonly title: string; readonly hint: string }
  | { readonly kind: 'unknown'; readonly seen: string }
  | { readonly kind: 'unreadable'; readonly detail: string };

const signalKeys = [
  ['metrics', ['resourceMetrics', 'resource_metrics']],
  ['logs', ['resourceLogs', 'resource_logs']],
  ['profiles', ['resourceProfiles', 'resource_profiles']],
] as const;

/**
 * Reads an object as OTLP traces, also as trace stores wrap them; ids may be base64, which OTLP forbids
 * and trace stores write. What holds no traces is recognized by its outermost keys.
 */
export function recognizeJson(text: Uint8Array): JsonContent {
  const encoded = encodeJsonTraces(text, { ids: 'hex_or_base64' });
  if (encoded.kind === 'malformed') return { kind: 'unreadable', detail: encoded.message };
  const { bytes, rejections } = encoded;
  if (encoded.hasTraces) return { kind: 'traces', bytes, rejections };
  const parsed = parseJson(Buffer.from(text).toString('utf8'));
  if (!parsed.ok) return { kind: 'unreadable', detail: parsed.message };
  return isJsonObject(parsed.value)
    ? recognizeObject(parsed.value)
    : { kind: 'unknown', seen: 'a JSON value that is no object' };
}

function recognizeObject(value: JsonObject): JsonContent {
  for (const [signal, names] of signalKeys) {
    if (names.some((name) => Object.hasOwn(value, name))) return { kind: 'signal', signal };
  }
  const foreign = foreignFormats.find((format) => format.detectsValue?.(value) === true);
  if (foreign !== undefined) return { kind: 'foreign', title: foreign.title, hint: foreign.hint };
  const keys = Object.keys(value);
  if (keys.length === 0) return { kind: 'empty' };
  const shown = [...keys.slice(0, 5), ...(keys.length > 5 ? ['…'] : [])].join(', ');
  return { kind: 'unknown', seen: `a JSON object with the keys ${shown}` };
}
