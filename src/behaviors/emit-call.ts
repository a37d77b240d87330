import type { Outcome } from '../model/behavior.js';
import type { CallAtom, ResultAtom } from '../model/fact.js';
import type { CallState } from './call-states.js';
import { agentOf, baseBehavior, type EmitContext, type Emitted } from './emit-context.js';
import { resultFormOf } from './executions.js';
import { type Form, isHidden } from './form.js';
import { handoffTarget } from './handoff-rules.js';
import { type ResultValue, settleResult } from './result-value.js';
import { joinSpanRefs } from './span-ref.js';
import type { Entry } from './transcript.js';

/** `assistant calls T with {…}`. */
export function emitCall(state: CallState, at: bigint, context: EmitContext): Emitted {
  const tool = toolNameOf(state);
  const outcome = outcomeOf(state, context);
  return {
    ...withArguments(state, baseOfCall(state, at, 'calls')),
    ...targetOf(tool, context),
    ...(outcome === undefined ? {} : { outcome }),
    ...(context.parallelSteps.has(state.entry.step) ? { parallel: true } : {}),
  };
}

/** `assistant hands_off R`: the call of a transfer tool, a hand-off span, or both. */
export function emitHandoff(state: CallState, at: bigint, context: EmitContext): Emitted {
  const observed = toolNameOf(state);
  const { form } = state.entry;
  const args = form.is('call') ? (form.atom.args ?? state.execution?.args) : undefined;
  const target = handoffTarget(
    state.handoffTarget,
    context.handoffs.get(state) ?? null,
    args,
    observed,
  );
  const aliased = context.nameOf(target);
  const result = resultOf(state);
  const behavior = withArguments(state, baseOfCall(state, at, 'hands_off'));
  const isPending =
    state.execution === null && state.historyResult === null && !context.continued.has(state);
  return {
    ...behavior,
    target: aliased === target && observed !== '' ? renamed(observed, target, context) : aliased,
    ...(observed === '' ? {} : { tool: observed }),
    outcome: state.isRejected ? 'rejected' : isPending ? 'pending' : 'ok',
    ...(context.parallelSteps.has(state.entry.step) ? { parallel: true } : {}),
    evidence: {
      ...behavior.evidence,
      act: 'classified',
      ...(result.value === undefined ? {} : { raw: result.raw ?? result.value }),
    },
  };
}

/** `tool responds T content`; nothing for a hand-off or a rejected call. */
export function emitResult(
  entry: Entry,
  form: Form<ResultAtom>,
  at: bigint,
  context: EmitContext,
): readonly Emitted[] {
  const state = context.states.ownerOfResult(entry);
  if (state === undefined) {
    const value = settleResult(form, null);
    return [resultBehavior(entry, at, value, form.atom.name ?? '', context)];
  }
  if (context.handoffs.has(state) || outcomeOf(state, context) === 'rejected') return [];
  const { execution } = state;
  const settled = resultBehavior(
    entry,
    execution?.end ?? at,
    resultOf(state),
    toolNameOf(state),
    context,
  );
  return [
    {
      ...settled,
      ...callIdOf(state),
      evidence: {
        ...settled.evidence,
        origin: execution === null ? entry.origin : 'tool',
        spans: execution === null ? entry.spans : joinSpanRefs(execution.spans, entry.spans),
      },
    },
  ];
}

/** What the call came to; `undefined` where it was answered but no span shows how. */
function outcomeOf(state: CallState, context: EmitContext): Outcome | undefined {
  const { execution } = state;
  const hasRun = execution?.outcome === 'ok' || execution?.outcome === 'error';
  if (hasRun || (!state.isRejected && state.historyResult !== null)) {
    return resultOf(state).isError ? 'error' : 'ok';
  }
  if (state.isRejected || execution?.outcome === 'rejected') return 'rejected';
  if (execution !== null || !context.continued.has(state)) return 'pending';
  context.losses.add('history_omitted', `the result of ${toolNameOf(state)} was not recorded`);
  return undefined;
}

export function toolNameOf({ entry, execution }: CallState): string {
  const name = entry.form.is('call') ? entry.form.atom.name : '';
  return name === '' ? (execution?.name ?? '') : name;
}

function resultForm(entry: Entry | null): Form<ResultAtom> | null {
  const form = entry?.form;
  return form?.is('result') === true ? form : null;
}

function resultOf({ historyResult, execution }: CallState): ResultValue {
  const history = resultForm(historyResult);
  const isOver = execution?.outcome === 'ok' || execution?.outcome === 'error';
  const executed = execution !== null && isOver ? resultFormOf(execution) : null;
  const settled = settleResult(history, executed);
  const raw = settled.raw ?? (settled.value === undefined ? undefined : execution?.raw);
  return raw === undefined ? settled : { ...settled, raw };
}

function baseOfCall(state: CallState, at: bigint, action: string): Emitted {
  const { entry, execution } = state;
  const start = entry.at === null ? (execution?.start ?? at) : at;
  const base = baseBehavior(entry, start, { actor: 'assistant', action });
  const end = execution !== null && execution.end > start ? execution.end : start;
  const spans = execution === null ? entry.spans : joinSpanRefs(entry.spans, execution.spans);
  return {
    ...base,
    ...callIdOf(state),
    ...agentOf(entry),
    endAt: end,
    evidence: { ...base.evidence, spans },
  };
}

/** The model's arguments; the executed ones where those were hidden or cut. */
function withArguments({ entry, execution }: CallState, behavior: Emitted): Emitted {
  const asked = entry.form.is('call') ? entry.form.atom : null;
  const isWhole = asked !== null && asked.state === 'present' && asked.args !== undefined;
  const isBetter = !isWhole && execution !== null && execution.args !== undefined;
  const isUsable =
    isBetter && (execution.argsState === 'present' || asked === null || isHidden(asked.state));
  const atom: Pick<CallAtom, 'args' | 'state'> = isUsable
    ? {
        state: execution.argsState,
        ...(execution.args === undefined ? {} : { args: execution.args }),
      }
    : {
        state: asked?.state ?? 'absent',
        ...(asked?.args === undefined ? {} : { args: asked.args }),
      };
  const evidence = {
    ...behavior.evidence,
    with: atom.args === undefined && atom.state === 'present' ? ('absent' as const) : atom.state,
  };
  return atom.args === undefined || isHidden(atom.state)
    ? { ...behavior, evidence }
    : { ...behavior, with: atom.args, evidence };
}

function resultBehavior(
  entry: Entry,
  at: bigint,
  result: ResultValue,
  tool: string,
  context: EmitContext,
): Emitted {
  const { value, state, isError, raw } = result;
  const isShown = value !== undefined && !isHidden(state);
  return {
    ...baseBehavior(
      entry,
      at,
      { actor: 'tool', action: 'responds' },
      {
        content: value === undefined && state === 'present' ? 'absent' : state,
        ...(raw === undefined ? {} : { raw }),
      },
    ),
    ...targetOf(tool, context),
    ...agentOf(entry),
    ...(isShown ? { content: value } : {}),
    outcome: isError ? 'error' : 'ok',
  };
}

function targetOf(tool: string, { nameOf }: EmitContext): { target?: string; tool?: string } {
  return tool === '' ? {} : { target: nameOf(tool), tool };
}

/** An alias may name the transfer tool itself. */
function renamed(tool: string, target: string, { nameOf }: EmitContext): string {
  const alias = nameOf(tool);
  return alias === tool ? target : alias;
}

function callIdOf({ entry }: CallState): { callId?: string } {
  const { form } = entry;
  const [id] = form.ids;
  const own =
    form.is('call') && form.atom.callId !== undefined && form.ids.includes(form.atom.callId)
      ? form.atom.callId
      : id;
  return own === undefined ? {} : { callId: own };
}
