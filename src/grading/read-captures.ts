import type { BoundSession } from '../documents/abs/bound-session.js';
import { observeCapture } from '../documents/abs/observe-capture.js';
import { describeBehavior } from '../evaluators/describe.js';
import type { Behavior } from '../model/behavior.js';
import type { Capture } from '../model/document.js';
import type { VerdictCode } from '../model/verdict.js';
import type { JsonValue } from '../util/json.js';
import type { AlignedStep } from './step-facts.js';

/** What a declared capture read from the trace (semantics A19). */
export interface CaptureReading {
  readonly step: number;
  readonly name: string;
  readonly observed:
    | {
        readonly kind: 'read';
        readonly value: JsonValue;
        readonly behavior: number;
        readonly place: string;
        readonly inText: boolean;
      }
    /** Not found in what was seen. */
    | { readonly kind: 'unconfirmed'; readonly detail: string }
    /** What would show it was lost. */
    | { readonly kind: 'hidden'; readonly code: VerdictCode; readonly detail: string }
    /** The step is optional or inactive and did not happen. */
    | { readonly kind: 'none' };
}

export function readCaptures(
  bound: BoundSession,
  facts: readonly AlignedStep[],
): readonly CaptureReading[] {
  return facts.flatMap((fact) =>
    fact.step.capture.map((capture) => ({
      step: fact.step.index,
      name: capture.name,
      observed: readCapture(bound, fact, capture),
    })),
  );
}

function readCapture(
  bound: BoundSession,
  fact: AlignedStep,
  capture: Capture,
): CaptureReading['observed'] {
  const { step, behavior, state } = fact;
  if (behavior === null) {
    const detail = `the step that captures ${capture.name} was not matched: ${fact.reason}`;
    if (state === 'undecided') {
      return { kind: 'hidden', code: fact.code ?? 'evidence_missing', detail };
    }
    return step.optional || state === 'inactive'
      ? { kind: 'none' }
      : { kind: 'unconfirmed', detail };
  }
  const found = observeCapture(bound, step.index, capture, behavior);
  if (found.ok) {
    const { value, place, inText } = found;
    return { kind: 'read', value, behavior: behavior.index, place, inText };
  }
  const detail = `${capture.name} was not found in ${describeBehavior(behavior)}: ${found.detail}`;
  const code = lackOf(behavior);
  return code === null ? { kind: 'unconfirmed', detail } : { kind: 'hidden', code, detail };
}

const codeByState = {
  present: null,
  absent: 'evidence_missing',
  truncated: 'evidence_truncated',
  redacted: 'evidence_redacted',
} as const;

/** What of a Behavior was not recorded; null when nothing is lacking. Calls carry no content, messages no arguments. */
export function lackOf(behavior: Behavior): VerdictCode | null {
  const { content, with: args } = behavior.evidence;
  return behavior.acts.includes('calls') ? codeByState[args] : codeByState[content];
}
