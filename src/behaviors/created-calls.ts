import { groupBy } from './collections.js';
import { callFormOf, type Execution, resultFormOf } from './executions.js';
import type { ModelCall } from './model-calls.js';
import type { Entry, StepCounter } from './transcript.js';

/** The call that an execution shows where no model call shows it. */
export function createCall(execution: Execution, step: number): Entry {
  return entryOfExecution(execution, callFormOf(execution), execution.start, step);
}

/** The result that only the execution shows. */
export function createResult(execution: Execution, step: number): Entry {
  return entryOfExecution(execution, resultFormOf(execution), execution.end, step);
}

function entryOfExecution(
  execution: Execution,
  form: Entry['form'],
  at: bigint,
  step: number,
): Entry {
  return {
    form,
    origin: 'tool',
    spans: execution.spans,
    at,
    step,
    agent: execution.agent,
    invocation: execution.invocation,
    source: null,
    isCompaction: false,
    isEcho: false,
    inferred: undefined,
  };
}

/**
 * The step of each execution that no model call requested visibly: one step for all that follow the
 * same model call of their thread; without model calls, one for executions that overlap in time.
 * `executions` in the order of their start.
 */
export function stepsOfCreated(
  executions: readonly Execution[],
  calls: readonly ModelCall[],
  stepOf: (call: ModelCall) => number,
  steps: StepCounter,
): ReadonlyMap<Execution, number> {
  const callsOfThread = groupBy(calls, (call) => call.invocation.threadKey);
  const position = new Map<string, number>();
  const running = new Map<string, { step: number; end: bigint }>();
  const result = new Map<Execution, number>();
  for (const execution of executions) {
    const { threadKey } = execution.invocation;
    const thread = callsOfThread.get(threadKey) ?? [];
    let next = position.get(threadKey) ?? 0;
    while ((thread[next]?.start ?? execution.start) < execution.start) next += 1;
    position.set(threadKey, next);
    const model = thread[next - 1];
    const group = running.get(threadKey);
    const isParallel =
      group !== undefined && execution.start < group.end && execution.inside === null;
    const step = model ? stepOf(model) : isParallel ? group.step : steps.next();
    result.set(execution, step);
    if (execution.inside !== null) continue;
    const end = isParallel && group.end > execution.end ? group.end : execution.end;
    running.set(threadKey, { step, end });
  }
  return result;
}
