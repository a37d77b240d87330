import type { CallStates } from './call-states.js';
import type { Execution } from './executions.js';
import { joinExecutions } from './join-executions.js';
import { joinHandoffs } from './join-handoffs.js';
import type { LossLedger } from './loss-ledger.js';
import type { Recorded } from './read-recorded.js';
import type { Transcript } from './transcript.js';

/** A call may stand in the thread of an agent this many levels above the one that ran the tool. */
const maxLevels = 8;

/** Gives every tool and hand-off span its call. Returns those that no model call requested. */
export function joinTools(
  { executions, threads }: Recorded,
  states: CallStates,
  handoffTools: readonly string[],
  losses: LossLedger,
): readonly Execution[] {
  const threadsOf = (execution: Execution): readonly Transcript[] => {
    const found: Transcript[] = [threads.transcriptOf(execution.invocation.threadKey)];
    let at = execution.invocation.parent;
    for (let level = 0; level < maxLevels && at !== null; level += 1, at = at.parent) {
      const thread = threads.transcriptOf(at.threadKey);
      if (!found.includes(thread)) found.push(thread);
    }
    return found;
  };
  const ordinary = executions.filter((execution) => execution.handoffTarget === undefined);
  const handoffs = executions.filter((execution) => execution.handoffTarget !== undefined);
  const created = joinExecutions({ executions: ordinary, states, threadsOf, losses });
  return [...created, ...joinHandoffs(handoffs, states, threadsOf, handoffTools)];
}
