import type { Form } from './form.js';
import type { Invocation } from './invocations.js';
import type { LossLedger } from './loss-ledger.js';
import type { ModelCall } from './model-calls.js';
import {
  type Entry,
  entryOf,
  noteCallIds,
  type StepCounter,
  type Transcript,
} from './transcript.js';

/** One model call on its way into its thread. */
export interface Growth {
  readonly transcript: Transcript;
  readonly call: ModelCall;
  readonly steps: StepCounter;
  readonly losses: LossLedger;
}

/** Entries for atoms that no earlier call showed. Only what follows the last answer has a time. */
export function newEntries(
  growth: Growth,
  forms: readonly Form[],
  invocation: Invocation = growth.call.invocation,
): Entry[] {
  const { transcript, call, steps } = growth;
  const lastAnswer = call.input.findLastIndex(isAnswer);
  const fresh = new Set(call.input.slice(lastAnswer + 1));
  let step = 0;
  return forms.map((form, index) => {
    const continuesStep = form.is('call') && forms[index - 1]?.is('call') === true;
    step = continuesStep ? step : steps.next();
    const at = fresh.has(form) ? call.start : null;
    const entry = entryOf(form, { ...call, invocation }, { origin: 'history', at, step });
    noteCallIds(transcript, entry);
    return entry;
  });
}

export function isAnswer(form: Form): boolean {
  return form.is('call') || (form.is('text') && form.atom.role === 'assistant');
}
