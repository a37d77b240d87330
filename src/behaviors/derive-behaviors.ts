import type { Behavior } from '../model/behavior.js';
import { arrangeEntries } from './arrange.js';
import { type BehaviorOptions, createAliasLookup } from './behavior-options.js';
import { collectCallStates } from './call-states.js';
import { findContinued, findParallelSteps, nodesOfStates, noteUnseenCalls } from './call-traits.js';
import { findDelegations } from './delegations.js';
import { emitBehaviors } from './emit-behaviors.js';
import { findHandoffs } from './find-handoffs.js';
import { joinApprovals } from './join-approvals.js';
import { joinTools } from './join-tools.js';
import type { LossLedger } from './loss-ledger.js';
import { placeEntries, placeExecutions } from './place-executions.js';
import { readRecorded } from './read-recorded.js';
import { removeJudging } from './remove-judging.js';
import type { SpanTree } from './span-tree.js';
import { StepCounter } from './transcript.js';

/**
 * Facts to Behaviors, in the steps of dialects.md §3: clean-up, threads, transcripts, tool join, order,
 * emission. `trees` in the order of their start.
 */
export function deriveBehaviors(
  trees: readonly SpanTree[],
  options: BehaviorOptions,
  losses: LossLedger,
): readonly Omit<Behavior, 'index'>[] {
  const steps = new StepCounter();
  const recorded = readRecorded(trees.map(removeJudging), steps, losses);
  const { threads } = recorded;
  const states = collectCallStates(threads.transcripts);
  const created = joinTools(recorded, states, options.handoffTools, losses);
  const nested = placeExecutions(created, threads, states, steps);
  const approvals = joinApprovals(threads.transcripts, recorded.approvals, states, steps);
  placeEntries(approvals.unattached, threads);
  const stateOfNode = nodesOfStates(states);
  const transcripts = threads.transcripts;
  noteUnseenCalls(states, threads, losses);
  const delegations = findDelegations(transcripts, stateOfNode);
  const arrangement = {
    transcripts,
    states,
    approvals: approvals.owners,
    stateOfNode,
    nested,
    losses,
  };
  return emitBehaviors(arrangeEntries(arrangement), {
    states,
    approvals: approvals.owners,
    delegations,
    handoffs: findHandoffs(states, options.handoffTools),
    continued: findContinued(transcripts, states),
    parallelSteps: findParallelSteps(states),
    nameOf: createAliasLookup(options.aliases),
    losses,
  });
}
