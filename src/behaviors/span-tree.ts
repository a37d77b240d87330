import type { Fact } from '../model/fact.js';
import type { Span } from '../model/span.js';

/** A span in its trace. Built once, then read only. */
export interface SpanNode {
  readonly span: Span;
  readonly facts: readonly Fact[];
  readonly parent: SpanNode | null;
  /** Distance from the top of its tree. */
  readonly depth: number;
}

export interface SpanTree {
  readonly traceId: string;
  /** Parents before children; siblings in the order given. */
  readonly nodes: readonly SpanNode[];
  /** Spans without a parent in the trace, in the order given. */
  readonly tops: readonly SpanNode[];
  /** Cycles of parents that were cut at their first span. */
  readonly cycles: number;
}

/**
 * Joins the spans of one trace by parent id, in linear time and without recursion. A parent that was
 * not received makes a top; a span that is its own ancestor is cut from its parent.
 */
export function buildSpanTree(
  traceId: string,
  spans: readonly Span[],
  readFacts: (span: Span) => readonly Fact[],
): SpanTree {
  const { parents, cycles } = findParents(spans);
  const children = new Map<number, number[]>();
  const topIndexes: number[] = [];
  for (const [index, parent] of parents.entries()) {
    if (parent === -1) topIndexes.push(index);
    else if (children.get(parent)?.push(index) === undefined) children.set(parent, [index]);
  }
  const nodes: SpanNode[] = [];
  const indexes: number[] = [];
  const addNode = (index: number, parent: SpanNode | null) => {
    const span = spans[index];
    if (span === undefined) return;
    nodes.push({ span, facts: readFacts(span), parent, depth: parent ? parent.depth + 1 : 0 });
    indexes.push(index);
  };
  for (const index of topIndexes) addNode(index, null);
  const tops = nodes.slice();
  // `nodes` grows while it is read: breadth first.
  for (let at = 0; at < nodes.length; at += 1) {
    for (const child of children.get(indexes[at] ?? -1) ?? []) addNode(child, nodes[at] ?? null);
  }
  return { traceId, nodes, tops, cycles };
}

/** Index of each span's parent, -1 for a top. */
function findParents(spans: readonly Span[]): { parents: number[]; cycles: number } {
  const indexOf = new Map(spans.map((span, index) => [span.spanId, index]));
  const parents = spans.map((span) => {
    return span.parentSpanId === null ? -1 : (indexOf.get(span.parentSpanId) ?? -1);
  });
  return { parents, cycles: cutCycles(parents) };
}

/**
 * Walks up from every span once. `walk[i]` is the number of the walk that first met span i: meeting
 * the own number again means a cycle. Spans are in canonical order, so the smallest index of a cycle is
 * its first span whatever the order of arrival.
 */
function cutCycles(parents: number[]): number {
  const walk = new Array<number>(parents.length).fill(-1);
  let cycles = 0;
  for (let start = 0; start < parents.length; start += 1) {
    let at = start;
    while (at !== -1 && walk[at] === -1) {
      walk[at] = start;
      at = parents[at] ?? -1;
    }
    if (at === -1 || walk[at] !== start) continue;
    cycles += 1;
    parents[firstOfCycle(parents, at)] = -1;
  }
  return cycles;
}

function firstOfCycle(parents: readonly number[], member: number): number {
  let first = member;
  for (let at = parents[member] ?? member; at !== member; at = parents[at] ?? member) {
    first = Math.min(first, at);
  }
  return first;
}
