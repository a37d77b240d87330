import type { Behavior } from '../model/behavior.js';
import type { Certainty } from '../model/evaluator.js';
import type { VerdictCode } from '../model/verdict.js';
import type { JsonObject, JsonValue } from '../util/json.js';
import { isJsonObject, jsonEquals } from '../util/json-text.js';
import { quoteValue } from './describe.js';

/** Declared arguments of a call: `with` names some of them, `with_only` all (statements 69 to 71). */
export interface DeclaredArguments {
  readonly values: JsonObject;
  readonly only: boolean;
}

export interface ArgumentMatch {
  readonly certainty: Certainty;
  /** For `no`: the keys that differ, are missing or are too many. */
  readonly differing: readonly string[];
  /** For `no` and `unknown`: what stood in the way, for people. */
  readonly detail: string;
  /** For `unknown`: which evidence is lacking. */
  readonly code: VerdictCode | null;
}

const matched: ArgumentMatch = { certainty: 'yes', differing: [], detail: '', code: null };

const lackByState = {
  absent: { code: 'evidence_missing', text: 'was not recorded' },
  truncated: { code: 'evidence_truncated', text: 'was cut' },
  redacted: { code: 'evidence_redacted', text: 'is hidden' },
} as const;

/**
 * Compares declared with observed arguments: every declared key present and JSON equal, with `only` no
 * other (semantics A25, A33). Where arguments are missing, cut or hidden, what does not show may still
 * have been there: the answer is `unknown` unless a surplus key decides.
 */
export function matchArguments(
  declared: DeclaredArguments,
  behavior: Behavior,
  equals: (key: string, declared: JsonValue, observed: JsonValue) => boolean = (
    _key,
    left,
    right,
  ) => jsonEquals(left, right),
): ArgumentMatch {
  const state = behavior.evidence.with;
  const observed = isJsonObject(behavior.with) ? behavior.with : {};
  const keys = Object.keys(declared.values);
  const lack =
    state === 'present' || (state === 'absent' && behavior.with !== undefined) ? null : state;
  const surplus = declared.only
    ? Object.keys(observed).filter((key) => !Object.hasOwn(declared.values, key))
    : [];
  if (surplus.length > 0) return refuse(surplus, `\`${surplus[0]}\` was not declared`);
  const differing = keys.filter((key) => {
    const value = Object.hasOwn(observed, key) ? observed[key] : undefined;
    return value === undefined || !equals(key, declared.values[key] ?? null, value);
  });
  const first = differing[0];
  if (lack !== null && (first !== undefined || declared.only)) {
    const { code, text } = lackByState[lack];
    const what = first === undefined ? 'the rest of the arguments' : `argument \`${first}\``;
    return { certainty: 'unknown', differing: [], detail: `${what} ${text}`, code };
  }
  if (first === undefined) return matched;
  const value = Object.hasOwn(observed, first) ? observed[first] : undefined;
  const wanted = quoteValue(declared.values[first] ?? null);
  return refuse(
    differing,
    value === undefined
      ? `\`${first}\` was missing, expected ${wanted}`
      : `\`${first}\` was ${quoteValue(value)}, expected ${wanted}`,
  );
}

function refuse(differing: readonly string[], detail: string): ArgumentMatch {
  return { certainty: 'no', differing, detail, code: null };
}
