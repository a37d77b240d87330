import type { Behavior } from '../model/behavior.js';
import type { Outcome } from '../model/evaluator.js';
import type { VerdictCode } from '../model/verdict.js';
import type { JsonValue } from '../util/json.js';
import { canonicalJson } from '../util/json-text.js';
import { describeBehavior } from './describe.js';
import { failed, inconclusive } from './outcome.js';

/**
 * The content of a Behavior with how much of it was seen (semantics decision 3, A29).
 * `cut`: the rest is missing, so what is not found may still have been there. `none`: it is known to
 * have no content. `missing`: it was never recorded, or is hidden.
 */
export type SeenContent =
  | { readonly kind: 'whole' | 'cut'; readonly value: JsonValue }
  | { readonly kind: 'none' }
  | { readonly kind: 'missing'; readonly code: VerdictCode; readonly reason: string };

export function readContent(behavior: Behavior): SeenContent {
  const { content } = behavior;
  const name = `#${behavior.index} ${behavior.actor} ${behavior.action}`;
  switch (behavior.evidence.content) {
    case 'redacted':
      return {
        kind: 'missing',
        code: 'evidence_redacted',
        reason: `the content of ${name} is hidden`,
      };
    case 'truncated':
      return content === undefined
        ? { kind: 'missing', code: 'evidence_truncated', reason: `the content of ${name} was cut` }
        : { kind: 'cut', value: content };
    case 'absent':
      return content === undefined
        ? {
            kind: 'missing',
            code: 'evidence_missing',
            reason: `the content of ${name} was not recorded`,
          }
        : { kind: 'whole', value: content };
    case 'present':
      return content === undefined ? { kind: 'none' } : { kind: 'whole', value: content };
  }
}

/** The outcome of a rule on content when there is none to read. */
export function withoutContent(
  seen: Extract<SeenContent, { kind: 'none' | 'missing' }>,
  subject: Behavior,
): Outcome {
  return seen.kind === 'none'
    ? failed(`${describeBehavior(subject)} has no content`, [subject.index])
    : inconclusive(seen.code, seen.reason, [subject.index]);
}

/** The text that rules on text read (semantics A29): a string itself, anything else as canonical JSON. */
export function contentText(value: JsonValue): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
