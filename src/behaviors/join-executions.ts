import type { CallState, CallStates } from './call-states.js';
import { compareValuesOf } from './compare-forms.js';
import { callFormOf, type Execution, resultFormOf } from './executions.js';
import type { LossLedger } from './loss-ledger.js';
import { joinSpanRefs } from './span-ref.js';
import type { Transcript } from './transcript.js';

/** Clocks of one host agree this well. */
const clockToleranceNano = 20_000_000n;
/** A call noted later than this after its execution is another call. */
const lateCallNano = 1_000_000_000n;

export interface JoinInput {
  readonly executions: readonly Execution[];
  readonly states: CallStates;
  /** Threads in which the call of an execution may stand, nearest first. */
  readonly threadsOf: (execution: Execution) => readonly Transcript[];
  readonly losses: LossLedger;
}

/**
 * Gives every execution its call (dialects.md §3.5), one to one: by id; by name, arguments and result;
 * by name and arguments; by name. A further execution of a call that failed, or of the same id, is an
 * attempt of it. Returns the executions that no call stands for: the code or the provider ran them.
 */
export function joinExecutions(input: JoinInput): readonly Execution[] {
  const byId = input.executions.filter((execution) => !joinById(execution, input));
  const passes: readonly Pass[] = [
    { keyOf: callAndResultKey, mayDiffer: false },
    { keyOf: callKey, mayDiffer: false },
    { keyOf: nameKey, mayDiffer: true },
  ];
  const left = passes.reduce<readonly Execution[]>(
    (rest, pass) => joinByKey(rest, input, pass),
    byId,
  );
  return left.filter((execution) => !joinAttempt(execution, input));
}

function joinById(execution: Execution, input: JoinInput): boolean {
  const { id } = execution;
  if (id === undefined) return false;
  const threads = input.threadsOf(execution);
  const known = input.states.withId(id);
  const own = known.filter((state) => threads.includes(state.transcript));
  const isNamed = (state: CallState) => nameOf(state) === execution.name;
  const isReused = known.length > 1;
  const candidates = (own.length > 0 ? own : known.filter(isNamed)).filter(
    (state) => !isReused || isNamed(state),
  );
  const free = pickByTime(
    candidates.filter((state) => state.execution === null),
    execution,
  );
  const state = free ?? candidates.at(-1);
  if (state === undefined) return false;
  claim(state, execution, input.losses);
  return true;
}

interface Pass {
  readonly keyOf: (call: CallState | Execution) => string | null;
  /** Join by order alone where as many calls as executions are left. */
  readonly mayDiffer: boolean;
}

function joinByKey(
  executions: readonly Execution[],
  input: JoinInput,
  pass: Pass,
): readonly Execution[] {
  const groups = new Map<string, Execution[]>();
  const rest: Execution[] = [];
  const threadNumbers = new Map<Transcript, number>();
  const callsOf = groupFreeCalls(input, pass, threadNumbers);
  for (const execution of executions) {
    const key = pass.keyOf(execution);
    const thread = input
      .threadsOf(execution)
      .map((transcript) => `${threadNumbers.get(transcript)} ${key}`)
      .find((candidate) => callsOf.has(candidate));
    if (
      key === null ||
      thread === undefined ||
      isIdentifiedOtherwise(execution, callsOf.get(thread))
    ) {
      rest.push(execution);
    } else if (groups.get(thread)?.push(execution) === undefined) groups.set(thread, [execution]);
  }
  for (const [key, group] of groups) {
    const calls = callsOf.get(key) ?? [];
    const isEven = calls.length === group.length;
    for (const [index, execution] of group.entries()) {
      const fitting = pass.mayDiffer ? calls.filter((state) => fits(state, execution)) : calls;
      const state = isEven
        ? calls[index]
        : pickByTime(
            fitting.filter((call) => call.execution === null),
            execution,
          );
      if (state === undefined) rest.push(execution);
      else claim(state, execution, input.losses);
    }
  }
  const order = new Map(executions.map((execution, index) => [execution, index]));
  return rest.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

function groupFreeCalls(
  { states }: JoinInput,
  pass: Pass,
  threadNumbers: Map<Transcript, number>,
): ReadonlyMap<string, readonly CallState[]> {
  const groups = new Map<string, CallState[]>();
  for (const state of states.all()) {
    const number = threadNumbers.get(state.transcript) ?? threadNumbers.size;
    threadNumbers.set(state.transcript, number);
    const key = pass.keyOf(state);
    if (state.execution !== null || key === null) continue;
    const known = groups.get(`${number} ${key}`);
    if (known === undefined) groups.set(`${number} ${key}`, [state]);
    else known.push(state);
  }
  return groups;
}

/** Both sides carry ids of their own and none fits: the execution is of another call. */
function isIdentifiedOtherwise(execution: Execution, calls: readonly CallState[] = []): boolean {
  const { id } = execution;
  return (
    id !== undefined &&
    calls.every(({ entry }) => entry.form.ids.some((own) => isOneNamespace(own, id)))
  );
}

function isOneNamespace(a: string, b: string): boolean {
  const prefix = (id: string) => /^[a-z]+[_-]/i.exec(id)?.[0] ?? '';
  return prefix(a) === prefix(b);
}

/** Of the latest step before the execution began the first call; else the first call that is just later. */
function pickByTime(calls: readonly CallState[], execution: Execution): CallState | undefined {
  const before = calls.filter((state) => state.at <= execution.start + clockToleranceNano);
  const latest = before.at(-1);
  if (latest !== undefined) return before.find((state) => state.entry.step === latest.entry.step);
  const [first] = calls;
  return first !== undefined && first.at - execution.start <= lateCallNano ? first : undefined;
}

/** The same call failed just before: this is its next attempt. */
function joinAttempt(execution: Execution, { states, threadsOf, losses }: JoinInput): boolean {
  const threads = threadsOf(execution);
  const key = callKey(execution);
  const failed = states.all().findLast((state) => {
    const earlier = state.execution;
    return (
      earlier !== null &&
      earlier.outcome === 'error' &&
      earlier.end <= execution.start &&
      threads.includes(state.transcript) &&
      callKey(state) === key &&
      !isFollowedByAnswer(state, execution.start)
    );
  });
  if (failed === undefined) return false;
  claim(failed, execution, losses);
  return true;
}

function isFollowedByAnswer(state: CallState, before: bigint): boolean {
  return state.transcript.entries.some(
    ({ origin, at, step }) =>
      origin === 'output' &&
      step !== state.entry.step &&
      at !== null &&
      at > state.at &&
      at <= before,
  );
}

/** The last success stays; of failures the last. */
function claim(state: CallState, execution: Execution, losses: LossLedger): void {
  const known = state.execution;
  if (execution.handoffTarget !== undefined) state.handoffTarget = execution.handoffTarget;
  if (known === null) {
    state.execution = execution;
    return;
  }
  if (execution.handoffTarget === undefined && known.handoffTarget === undefined) {
    losses.add('tool_attempts', execution.name);
  }
  const wins = execution.outcome === 'ok' || known.outcome !== 'ok';
  const [kept, other] = wins && execution.name !== '' ? [execution, known] : [known, execution];
  state.execution = {
    ...kept,
    nodes: [...kept.nodes, ...other.nodes],
    spans: joinSpanRefs(kept.spans, other.spans),
  };
}

function fits(state: CallState, execution: Execution): boolean {
  const own = state.entry.form;
  const other = callFormOf(execution);
  return own.is('call') && other.is('call') && compareValuesOf(own, other) > 0;
}

function nameOf(state: CallState): string {
  return state.entry.form.is('call') ? state.entry.form.atom.name : '';
}

function isState(call: CallState | Execution): call is CallState {
  return 'transcript' in call;
}

function nameKey(call: CallState | Execution): string | null {
  const name = isState(call) ? nameOf(call) : call.name;
  return name === '' ? null : JSON.stringify([name]);
}

function callKey(call: CallState | Execution): string | null {
  const form = isState(call) ? call.entry.form : callFormOf(call);
  if (!form.is('call') || form.atom.name === '' || form.atom.args === undefined) return null;
  return JSON.stringify([form.atom.name, form.plain.text]);
}

function callAndResultKey(call: CallState | Execution): string | null {
  const key = callKey(call);
  const result = isState(call) ? call.historyResult?.form : resultFormOf(call);
  return key === null || result === undefined ? null : JSON.stringify([key, result.plain.text]);
}
