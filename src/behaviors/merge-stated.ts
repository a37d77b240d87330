import type { Behavior } from '../model/behavior.js';
import type { StatedFact } from '../model/fact.js';
import type { SpanTree } from './span-tree.js';
import { compareValues } from './unique-spans.js';

type Draft = Omit<Behavior, 'index'>;

interface Stated {
  readonly behavior: Draft;
  readonly depth: number;
  readonly spanKey: string;
  readonly position: number;
}

/**
 * Behaviors that native spans state, in the order of contract.md §8: by time, then parent before child,
 * then span id, then the index of the event in its span.
 */
export function collectStated(trees: readonly SpanTree[]): readonly Draft[] {
  const stated: Stated[] = [];
  for (const { nodes } of trees) {
    for (const { facts, depth, span } of nodes) {
      const spanKey = `${span.spanId}/${span.traceId}`;
      for (const fact of facts.filter(isStated)) {
        for (const [position, behavior] of fact.behaviors.entries()) {
          stated.push({ behavior, depth, spanKey, position });
        }
      }
    }
  }
  return stated.sort(compareStated).map(({ behavior }) => behavior);
}

/**
 * One list of both. A stated Behavior stands before the first one that came after it; it replaces what
 * other dialects show of the same call.
 */
export function mergeStated(
  derived: readonly Draft[],
  stated: readonly Draft[],
): readonly Behavior[] {
  if (stated.length === 0) return derived.map((behavior, index) => ({ index, ...behavior }));
  const overruled = new Set(stated.map(callRole).filter((role) => role !== null));
  const kept = derived.filter((behavior) => {
    const role = callRole(behavior);
    return role === null || !overruled.has(role);
  });
  const merged: Draft[] = [];
  let next = 0;
  let now: bigint | null = null;
  for (const behavior of kept) {
    if (now === null || behavior.at > now) now = behavior.at;
    for (let first = stated[next]; first !== undefined && first.at < now; first = stated[next]) {
      merged.push(first);
      next += 1;
    }
    merged.push(behavior);
  }
  for (const behavior of stated.slice(next)) merged.push(behavior);
  return merged.map((behavior, index) => ({ index, ...behavior }));
}

function isStated(fact: { readonly kind: string }): fact is StatedFact {
  return fact.kind === 'stated';
}

function compareStated(a: Stated, b: Stated): number {
  return (
    compareValues(a.behavior.at, b.behavior.at) ||
    a.depth - b.depth ||
    compareValues(a.spanKey, b.spanKey) ||
    a.position - b.position
  );
}

/** Which part of a call a Behavior is; `null` without a call id. */
function callRole({ actor, action, callId }: Draft): string | null {
  if (callId === undefined) return null;
  const part = actor === 'assistant' || actor === 'tool' ? actor : `${actor} ${action}`;
  return JSON.stringify([callId, part]);
}
