import type { Behavior, Unit } from '../model/behavior.js';
import type { Dialect } from '../model/fact.js';
import { type BehaviorOptions, defaultBehaviorOptions } from './behavior-options.js';
import { groupBy } from './collections.js';
import { deriveBehaviors } from './derive-behaviors.js';
import { joinParts } from './group-units.js';
import { isComplete, LossLedger } from './loss-ledger.js';
import { collectStated, mergeStated } from './merge-stated.js';
import { readFacts } from './read-facts.js';
import { removeJudging } from './remove-judging.js';
import { buildSpanTree, type SpanTree } from './span-tree.js';
import { noteStructureLosses } from './structure-losses.js';
import type { TraceInput, UnitInput } from './trace-input.js';
import { compareSpans, uniqueSpans } from './unique-spans.js';
import { unitLabels } from './unit-labels.js';

/**
 * Rebuilds what happened in a unit: its spans, in any order and with duplicates, become one ordered list
 * of Behaviors, with what is missing (dialects.md §3). The same spans always give an equal unit.
 * Never throws on what spans say.
 */
export function reconstructUnit(
  input: UnitInput,
  dialects: readonly Dialect[],
  options: BehaviorOptions = defaultBehaviorOptions,
): Unit {
  const losses = new LossLedger();
  const trees = [...groupBy(input.traces, (trace) => trace.traceId)]
    .map(([traceId, parts]) => collectTrace(joinParts(traceId, parts), dialects, losses))
    .sort(compareTrees);
  const derived = deriveBehaviors(trees, options, losses);
  const behaviors = mergeStated(derived, collectStated(trees));
  noteValueLosses(behaviors, losses);
  const list = losses.list();
  return {
    id: input.id,
    kind: input.kind,
    traceIds: trees.map((tree) => tree.traceId),
    behaviors,
    losses: list,
    complete: isComplete(list),
    sources: [...new Set(input.traces.flatMap((trace) => trace.sources ?? []))].sort(),
    labels: unitLabels(trees),
    isAgentTrace: trees.some((tree) =>
      removeJudging(tree).nodes.some((node) => node.facts.length > 0),
    ),
  };
}

function collectTrace(
  trace: TraceInput,
  dialects: readonly Dialect[],
  losses: LossLedger,
): SpanTree {
  const { spans, conflicts } = uniqueSpans(trace.spans);
  for (const name of conflicts) losses.add('conflicting_span', name);
  losses.addAll(trace.losses ?? []);
  const tree = buildSpanTree(trace.traceId, spans, (span) => readFacts(span, dialects));
  noteStructureLosses(tree, losses);
  return tree;
}

/** By the start of the first span. */
function compareTrees(a: SpanTree, b: SpanTree): number {
  const [first, second] = [a.tops[0], b.tops[0]];
  if (first === undefined || second === undefined) return first === undefined ? 1 : -1;
  return compareSpans(first.span, second.span);
}

/** Cut and hidden values count once per Behavior, however many spans repeat them. */
function noteValueLosses(behaviors: readonly Behavior[], losses: LossLedger): void {
  for (const { evidence, actor, action, target } of behaviors) {
    const what = [actor, action, target].filter((word) => word !== undefined).join(' ');
    for (const field of ['content', 'with'] as const) {
      if (evidence[field] === 'truncated') losses.add('value_truncated', `${field} of ${what}`);
      if (evidence[field] === 'redacted') losses.add('value_redacted', `${field} of ${what}`);
    }
  }
}
