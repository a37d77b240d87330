import type { Surroundings } from './invocations.js';
import type { LossLedger } from './loss-ledger.js';
import { compareModelCalls, type ModelCall, modelCallOf, overlap } from './model-calls.js';
import { joinSpanRefs } from './span-ref.js';
import type { SpanNode } from './span-tree.js';

const detail = 'model calls recorded by more than one instrumentation';

/**
 * The model calls of a trace, each once (dialects.md §3.1): of a wrapper and what it wraps, and of two
 * overlapping records of one response, the richer is kept. Sorted.
 */
export function collapseModelCalls(
  nodes: readonly SpanNode[],
  surroundings: ReadonlyMap<SpanNode, Surroundings>,
  losses: LossLedger,
): readonly ModelCall[] {
  const unwrapped = unwrapModelCalls(nodes, surroundings, losses).sort(compareModelCalls);
  return mergeOverlapping(unwrapped, losses);
}

/** Children come after parents in `nodes`, so one pass backwards sees every wrapper after its content. */
function unwrapModelCalls(
  nodes: readonly SpanNode[],
  surroundings: ReadonlyMap<SpanNode, Surroundings>,
  losses: LossLedger,
): ModelCall[] {
  const wrapped = new Map<SpanNode, ModelCall[]>();
  const calls: ModelCall[] = [];
  for (const node of nodes.toReversed()) {
    const own = surroundings.get(node);
    const fact = node.facts.find((candidate) => candidate.kind === 'llm');
    if (own === undefined || fact === undefined) continue;
    const kept = keepRichest(
      modelCallOf(fact, node, own.invocation),
      wrapped.get(node) ?? [],
      losses,
    );
    const outer = own.modelAbove;
    if (outer === null) calls.push(...kept);
    else if (wrapped.get(outer)?.push(...kept) === undefined) wrapped.set(outer, [...kept]);
  }
  return calls;
}

function keepRichest(
  wrapper: ModelCall,
  inner: readonly ModelCall[],
  losses: LossLedger,
): readonly ModelCall[] {
  const [only] = inner;
  if (only === undefined) return [wrapper];
  losses.add('double_instrumentation', detail, inner.length);
  if (inner.length === 1) return [mergeCalls(wrapper, only)];
  return inner.some(hasContent) ? inner : [wrapper];
}

/**
 * Records that are no parent and child: one response id, or one thread with equal messages, at the same
 * time. The same instrumentation does not record a call twice: two equal calls of one scope are two.
 */
function mergeOverlapping(calls: readonly ModelCall[], losses: LossLedger): readonly ModelCall[] {
  const kept: (ModelCall | null)[] = [];
  const lastWithKey = new Map<string, number>();
  for (const call of calls) {
    const keys = identityKeys(call);
    const at = keys
      .map((key) => lastWithKey.get(key))
      .find((index) => index !== undefined && isSameCall(kept[index] ?? null, call));
    const index = at ?? kept.length;
    const known = kept[index] ?? null;
    if (known !== null) losses.add('double_instrumentation', detail);
    kept[index] = known === null ? call : mergeCalls(known, call);
    for (const key of keys) lastWithKey.set(key, index);
  }
  return kept.filter((call) => call !== null).sort(compareModelCalls);
}

function identityKeys(call: ModelCall): readonly string[] {
  const keys: string[] = [];
  if (call.responseId !== undefined && call.responseId !== '') keys.push(`id ${call.responseId}`);
  if (call.output.length > 0) {
    const texts = call.output.map((form) => [form.atom.kind, form.plain.text]);
    keys.push(`output ${JSON.stringify([call.invocation.threadKey, texts])}`);
  }
  return keys;
}

function isSameCall(a: ModelCall | null, b: ModelCall): boolean {
  if (a === null || !overlap(a, b)) return false;
  const isOtherScope =
    a.fact.dialect !== b.fact.dialect || a.fact.span.scope.name !== b.fact.span.scope.name;
  return isOtherScope && isOneInput(a, b);
}

function isOneInput(a: ModelCall, b: ModelCall): boolean {
  const [left, right] = [a.input.at(-1), b.input.at(-1)];
  if (left === undefined || right === undefined) return true;
  return left.atom.kind === right.atom.kind && left.plain.text === right.plain.text;
}

/** The record with more atoms, then the deeper one; it borrows what only the other knows. */
function mergeCalls(a: ModelCall, b: ModelCall): ModelCall {
  const [rich, poor] = isRicher(b, a) ? [b, a] : [a, b];
  return {
    ...rich,
    agent: rich.agent ?? poor.agent,
    responseId: rich.responseId ?? poor.responseId,
    stepIndex: rich.stepIndex || poor.stepIndex,
    spans: joinSpanRefs(rich.spans, poor.spans),
  };
}

function isRicher(a: ModelCall, b: ModelCall): boolean {
  return (
    (wholeAtoms(a) - wholeAtoms(b) ||
      a.input.length + a.output.length - b.input.length - b.output.length ||
      a.depth - b.depth) > 0
  );
}

/** Atoms whose value is not hidden. */
function wholeAtoms(call: ModelCall): number {
  return [...call.input, ...call.output].filter(
    ({ atom }) => !('state' in atom) || atom.state === 'present' || atom.state === 'truncated',
  ).length;
}

function hasContent(call: ModelCall): boolean {
  return call.input.length + call.output.length > 0;
}
