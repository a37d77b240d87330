import type { Behavior } from '../model/behavior.js';
import { emitApproval, emitDenial } from './emit-approval.js';
import { emitCall, emitHandoff, emitResult } from './emit-call.js';
import type { EmitContext, Emitted } from './emit-context.js';
import { emitMessage } from './emit-message.js';
import { timesOf } from './entry-times.js';
import { isApproval } from './form.js';
import type { Entry } from './transcript.js';

/**
 * Behaviors of entries in causal order (dialects.md §3.7). Wording is never interpreted: a text has the
 * base act of its actor.
 */
export function emitBehaviors(
  entries: readonly Entry[],
  context: EmitContext,
): readonly Omit<Behavior, 'index'>[] {
  const times = timesOf(entries);
  const stepNumbers = new Map<number, number>();
  const emitted: Omit<Behavior, 'index'>[] = [];
  for (const [index, entry] of entries.entries()) {
    const at = times[index] ?? 0n;
    for (const behavior of emitEntry(entry, at, context)) {
      const number = stepNumbers.get(entry.step) ?? stepNumbers.size;
      const belongsToStep = entry.origin === 'output' || entry.form.is('call');
      if (belongsToStep) stepNumbers.set(entry.step, number);
      emitted.push(belongsToStep ? { ...behavior, step: number } : behavior);
    }
  }
  return emitted;
}

function emitEntry(entry: Entry, at: bigint, context: EmitContext): readonly Emitted[] {
  if (entry.isEcho) return [];
  const { form } = entry;
  if (isApproval(form)) return [emitApproval(entry, form.atom, at, context)];
  if (form.is('call')) {
    const state = context.states.of(entry);
    if (state === undefined) return [];
    if (context.handoffs.has(state)) return [emitHandoff(state, at, context)];
    const call = emitCall(state, at, context);
    return call.outcome === 'rejected' && !state.hasDecision
      ? [call, emitDenial(state, at, context)]
      : [call];
  }
  if (form.is('result')) return emitResult(entry, form, at, context);
  return emitMessage(entry, at, context);
}
