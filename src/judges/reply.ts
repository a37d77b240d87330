import type { JsonValue } from '../util/json.js';
import { isJsonArray, isJsonObject } from '../util/json-text.js';

/** What an answer used up; null where the provider does not tell. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Stated by the provider itself; overrules the price table. */
  readonly costUsd?: number;
}

export const unknownUsage: Usage = { inputTokens: null, outputTokens: null };

/** An answer that came in full. It may be kept and looked up again. */
export type Answer =
  /** A model's words, to be read as JSON. */
  | { readonly kind: 'text'; readonly text: string }
  /** A structured value, to be checked against the schema of the question. */
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** An evaluation service's own score, already 0 to 1. */
  | {
      readonly kind: 'score';
      readonly score: number;
      readonly passed?: boolean;
      readonly reason: string;
    }
  /** Nothing to grade by: the judge would not answer, was cut off, or did not keep to the format. */
  | {
      readonly kind: 'unusable';
      readonly why: 'refused' | 'cut' | 'malformed';
      readonly detail: string;
    };

/** The call itself failed; asking again later may help. Never kept. */
export interface Failure {
  readonly kind: 'failed';
  readonly why: 'timeout' | 'aborted' | 'network' | 'status' | 'protocol' | 'not_configured';
  readonly detail: string;
  /** The same request may work in a moment. */
  readonly retryable: boolean;
  /** No request of this adapter can work: a wrong key, an unknown model. */
  readonly fatal: boolean;
  readonly retryAfterMs: number | null;
  /** The provider may have done, and charge for, the work. */
  readonly mayBill: boolean;
}

export type Reply =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly usage: Usage }
  | Failure;

export function answered(answer: Answer, usage: Usage): Reply {
  return { kind: 'answered', answer, usage };
}

export function unusable(
  why: 'refused' | 'cut' | 'malformed',
  detail: string,
  usage: Usage = unknownUsage,
): Reply {
  return answered({ kind: 'unusable', why, detail }, usage);
}

export function failure(
  why: Failure['why'],
  detail: string,
  more: Partial<Pick<Failure, 'retryable' | 'fatal' | 'retryAfterMs' | 'mayBill'>> = {},
): Failure {
  return {
    kind: 'failed',
    why,
    detail,
    retryable: false,
    fatal: false,
    retryAfterMs: null,
    mayBill: false,
    ...more,
  };
}

/** Reads a count of tokens out of a provider's usage object. */
export function tokenCount(
  usage: JsonValue | undefined,
  ...names: readonly string[]
): number | null {
  let total: number | null = null;
  for (const name of names) {
    const value = memberOf(usage, name);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
      total = (total ?? 0) + value;
  }
  return total;
}

/** A member of a JSON object; undefined of anything else. */
function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value at a path of names and positions. */
export function valueAt(
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): JsonValue | undefined {
  let at = value;
  for (const part of path) {
    at = typeof part === 'string' ? memberOf(at, part) : isJsonArray(at) ? at[part] : undefined;
  }
  return at;
}

/** The text at a path; null when there is none. */
export function textAt(
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): string | null {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : null;
}

/** The elements of the list at a path; empty when there is none. */
export function listAt(
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): readonly JsonValue[] {
  const found = valueAt(value, ...path);
  return isJsonArray(found) ? found : [];
}
