import type { ApprovalFact, Fact } from '../model/fact.js';
import { buildTranscripts, type Threads } from './build-transcripts.js';
import { isUnitLoss } from './call-losses.js';
import { collapseModelCalls } from './collapse-model-calls.js';
import { collectExecutions, type Execution } from './executions.js';
import { findInvocations, type Surroundings } from './invocations.js';
import type { RecordedApproval } from './join-approvals.js';
import type { LossLedger } from './loss-ledger.js';
import type { SpanNode, SpanTree } from './span-tree.js';
import type { StepCounter } from './transcript.js';

/** What the spans of a unit record. */
export interface Recorded {
  readonly executions: readonly Execution[];
  readonly approvals: readonly RecordedApproval[];
  readonly threads: Threads;
}

/** Facts of all traces, each once, and the threads of their model calls. */
export function readRecorded(
  trees: readonly SpanTree[],
  steps: StepCounter,
  losses: LossLedger,
): Recorded {
  const maps = trees.map((tree) => ({ tree, ...findInvocations(tree) }));
  for (const { tree } of maps) noteFactLosses(tree, losses);
  const calls = maps.flatMap(({ tree, surroundings }) =>
    collapseModelCalls(tree.nodes, surroundings, losses),
  );
  const executions = maps.flatMap(({ tree, surroundings }) =>
    collectExecutions(tree.nodes, surroundings, losses),
  );
  const approvals = maps.flatMap(({ tree, surroundings }) => approvalsOf(tree.nodes, surroundings));
  const agents = maps.flatMap((map) => map.agents);
  const threads = buildTranscripts(calls, agents, steps, losses);
  return { executions, approvals, threads };
}

/** Losses of model calls count with the record that is kept. */
function noteFactLosses(tree: SpanTree, losses: LossLedger): void {
  for (const { facts } of tree.nodes) {
    for (const fact of facts) {
      if (fact.kind !== 'llm') losses.addAll(fact.losses.filter((loss) => isUnitLoss(loss.kind)));
    }
  }
}

function approvalsOf(
  nodes: readonly SpanNode[],
  surroundings: ReadonlyMap<SpanNode, Surroundings>,
): readonly RecordedApproval[] {
  return nodes.flatMap((node) => {
    const invocation = surroundings.get(node)?.invocation;
    if (invocation === undefined) return [];
    return node.facts.filter(isApprovalFact).map((fact) => ({ fact, node, invocation }));
  });
}

function isApprovalFact(fact: Fact): fact is ApprovalFact {
  return fact.kind === 'approval';
}
