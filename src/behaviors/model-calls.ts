import type { SpanRef } from '../model/behavior.js';
import type { Loss } from '../model/evidence.js';
import type { Atom, LlmFact } from '../model/fact.js';
import { Form } from './form.js';
import type { Invocation } from './invocations.js';
import { spanRef } from './span-ref.js';
import type { SpanNode } from './span-tree.js';
import { compareValues } from './unique-spans.js';

/** One call of a model, however many spans recorded it. System messages are left out. */
export interface ModelCall {
  readonly fact: Pick<
    LlmFact,
    'span' | 'stateful' | 'failed' | 'contentCaptured' | 'compacted' | 'calledTools' | 'dialect'
  >;
  readonly input: readonly Form[];
  readonly output: readonly Form[];
  /** It answered, and what it was asked was not recorded: not even a system prompt. */
  readonly hidesInput: boolean;
  readonly agent: string | undefined;
  readonly responseId: string | undefined;
  readonly stepIndex: number;
  readonly invocation: Invocation;
  readonly start: bigint;
  readonly end: bigint;
  readonly depth: number;
  /** The span that was kept first. */
  readonly spans: readonly SpanRef[];
  readonly losses: readonly Loss[];
  /** What to say in the evidence where the call is no recorded model call. */
  readonly inferred?: string;
}

export function modelCallOf(fact: LlmFact, node: SpanNode, invocation: Invocation): ModelCall {
  return {
    fact,
    input: formsOf(fact.input),
    output: formsOf(fact.output),
    hidesInput: fact.input.length === 0 && fact.output.length > 0,
    agent: fact.agentName ?? invocation.name ?? undefined,
    responseId: fact.responseId,
    stepIndex: fact.stepIndex ?? 0,
    invocation,
    start: node.span.startUnixNano,
    end: node.span.endUnixNano,
    depth: node.depth,
    spans: [spanRef(node.span)],
    losses: fact.losses,
  };
}

export function formsOf(atoms: readonly Atom[]): readonly Form[] {
  return atoms
    .filter((atom) => !isSystemText(atom) && !isEmptyText(atom))
    .map((atom) => new Form(atom));
}

/** By start, then parents before children, then the dialect's own step numbers, then ids. */
export function compareModelCalls(a: ModelCall, b: ModelCall): number {
  return (
    compareValues(a.start, b.start) ||
    a.depth - b.depth ||
    a.stepIndex - b.stepIndex ||
    compareValues(a.fact.span.traceId, b.fact.span.traceId) ||
    compareValues(a.fact.span.spanId, b.fact.span.spanId)
  );
}

export function overlap(a: ModelCall, b: ModelCall): boolean {
  return a.start < b.end && b.start < a.end;
}

function isSystemText(atom: Atom): boolean {
  return atom.kind === 'text' && atom.role === 'system';
}

/** The empty text that stands beside tool calls is no message. */
function isEmptyText(atom: Atom): boolean {
  return (
    atom.kind === 'text' &&
    atom.state === 'present' &&
    atom.value === undefined &&
    atom.text.trim() === ''
  );
}
