import type { LossLedger } from './loss-ledger.js';
import type { SpanNode, SpanTree } from './span-tree.js';

/** OTLP span flags: the parent's context is known to be remote, or not. */
const parentIsRemote = 0x300;

/**
 * Notes what the shape of a trace says about missing spans (semantics decision 3): more than one top,
 * unless the parents of the others are marked remote, cycles, and what the SDK dropped.
 */
export function noteStructureLosses(tree: SpanTree, losses: LossLedger): void {
  noteTops(tree.tops, losses);
  if (tree.cycles > 0) {
    losses.add('bad_structure', `cycle of parents in trace ${tree.traceId}`, tree.cycles);
  }
  for (const { span } of tree.nodes) {
    if (span.dropped.attributes > 0) {
      losses.add('dropped_attributes', `of ${span.name}`, span.dropped.attributes);
    }
    const eventAttributes = span.events().reduce((sum, event) => sum + event.droppedAttributes, 0);
    if (eventAttributes > 0) {
      losses.add('dropped_attributes', `of events of ${span.name}`, eventAttributes);
    }
    if (span.dropped.events > 0)
      losses.add('dropped_events', `of ${span.name}`, span.dropped.events);
  }
}

function noteTops(tops: readonly SpanNode[], losses: LossLedger): void {
  if (tops.length < 2) return;
  const roots = tops.filter(({ span }) => span.parentSpanId === null);
  if (roots.length > 1) {
    losses.add('several_roots', `trace ${roots[0]?.span.traceId}`, roots.length);
  }
  for (const { span } of tops) {
    if (span.parentSpanId === null || (span.flags & parentIsRemote) === parentIsRemote) continue;
    losses.add('orphan_span', `${span.name}: parent ${span.parentSpanId} was not received`);
  }
}
