import type { Fact } from '../model/fact.js';
import { judgeMark } from '../model/judge-mark.js';
import type { SpanNode, SpanTree } from './span-tree.js';

/** The tree without what spans below a judge say: they grade the conversation and are no part of it. */
export function removeJudging(tree: SpanTree): SpanTree {
  const judging = new Set<SpanNode>();
  for (const node of tree.nodes) {
    const isBelow = node.parent !== null && judging.has(node.parent);
    if (isBelow || node.facts.some(isJudging)) judging.add(node);
  }
  if (judging.size === 0) return tree;
  return { ...tree, nodes: tree.nodes.filter((node) => !judging.has(node)) };
}

/**
 * Says so itself, or is a call of Retrial's own judges. Only the first system message counts: whoever talks
 * to an agent must not be able to talk the conversation out of being graded.
 */
function isJudging(fact: Fact): boolean {
  if (fact.kind === 'other') return fact.judges === true;
  if (fact.kind !== 'llm') return false;
  const [first] = fact.input;
  return first?.kind === 'text' && first.role === 'system' && first.text.startsWith(judgeMark);
}
