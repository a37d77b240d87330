import type { Outcome, SpanRef } from '../model/behavior.js';
import type { Completeness } from '../model/evidence.js';
import type { CallAtom, HandoffFact, ResultAtom, ToolExecution, ToolFact } from '../model/fact.js';
import type { JsonValue } from '../util/json.js';
import { realCallId } from './call-ids.js';
import { Form } from './form.js';
import type { Invocation, Surroundings } from './invocations.js';
import type { LossLedger } from './loss-ledger.js';
import { joinSpanRefs, spanRef } from './span-ref.js';
import type { SpanNode } from './span-tree.js';
import { compareValues } from './unique-spans.js';

/** One run of a tool, or a hand-off, however many nested spans recorded it. */
export interface Execution {
  readonly node: SpanNode;
  /** The spans that are this execution, itself first. */
  readonly nodes: readonly SpanNode[];
  readonly name: string;
  readonly id: string | undefined;
  readonly args?: JsonValue;
  readonly argsState: Completeness;
  readonly result?: JsonValue;
  readonly resultState: Completeness;
  readonly outcome: Outcome;
  readonly error: string | undefined;
  readonly raw?: JsonValue;
  readonly start: bigint;
  readonly end: bigint;
  readonly spans: readonly SpanRef[];
  readonly agent: string | undefined;
  readonly invocation: Invocation;
  /** The tool within which it ran. */
  readonly inside: SpanNode | null;
  /** Set for a recorded hand-off: who took over. */
  readonly handoffTarget: string | undefined;
}

/**
 * The tool executions of a trace: `execute_tool` around an MCP client span around an MCP server span,
 * or a tool recorded twice, is one (dialects.md §3.1). The outermost keeps its identity, the inner ones
 * fill what it lacks. By start time, parents first.
 */
export function collectExecutions(
  nodes: readonly SpanNode[],
  surroundings: ReadonlyMap<SpanNode, Surroundings>,
  losses: LossLedger,
): readonly Execution[] {
  const found = new Map<SpanNode, Execution>();
  const wrapperOf = new Map<SpanNode, SpanNode>();
  for (const node of nodes) {
    const own = surroundings.get(node);
    const fact = node.facts.find(({ kind }) => kind === 'tool' || kind === 'handoff');
    if (own === undefined || (fact?.kind !== 'tool' && fact?.kind !== 'handoff')) continue;
    const execution = executionOf(fact, node, own);
    const outerNode = own.toolAbove && (wrapperOf.get(own.toolAbove) ?? own.toolAbove);
    const outer = outerNode && found.get(outerNode);
    if (outer && outerNode && isOneCall(outer, execution, fact)) {
      found.set(outerNode, mergeExecutions(outer, execution));
      wrapperOf.set(node, outerNode);
      losses.add('double_instrumentation', 'tool calls recorded by more than one span');
    } else {
      found.set(node, outerNode ? { ...execution, inside: outerNode } : execution);
    }
  }
  return [...found.values()].sort(compareExecutions);
}

/** The call that an execution shows. */
export function callFormOf(execution: Execution): Form<CallAtom> {
  return new Form({
    kind: 'call',
    name: execution.name,
    state: execution.argsState,
    ...(execution.id === undefined ? {} : { callId: execution.id }),
    ...(execution.args === undefined ? {} : { args: execution.args }),
  });
}

/** The result that an execution shows; the error message stands for a result that is missing. */
export function resultFormOf(execution: Execution): Form<ResultAtom> {
  const { error, id } = execution;
  const result = execution.result ?? error;
  return new Form({
    kind: 'result',
    name: execution.name,
    isError: execution.outcome === 'error',
    state:
      execution.result === undefined && error !== undefined ? 'present' : execution.resultState,
    ...(id === undefined ? {} : { callId: id }),
    ...(result === undefined ? {} : { result }),
  });
}

function executionOf(fact: ToolFact | HandoffFact, node: SpanNode, own: Surroundings): Execution {
  const tool: Partial<ToolExecution> = fact.tool ?? {};
  const name = tool.name ?? '';
  return {
    node,
    nodes: [node],
    name,
    id: realCallId(tool.callId, name),
    argsState: tool.argsState ?? 'absent',
    resultState: tool.resultState ?? 'absent',
    outcome: tool.outcome ?? 'ok',
    error: tool.error,
    ...(tool.args === undefined ? {} : { args: tool.args }),
    ...(tool.result === undefined ? {} : { result: tool.result }),
    ...(tool.raw === undefined ? {} : { raw: tool.raw }),
    start: node.span.startUnixNano,
    end: node.span.endUnixNano,
    spans: [spanRef(node.span)],
    agent: fact.agentName ?? own.invocation.name ?? undefined,
    invocation: own.invocation,
    inside: own.toolAbove,
    handoffTarget: fact.kind === 'handoff' ? fact.target : undefined,
  };
}

/** Deeper nesting is recursion, not repeated recording. */
const maxRecordings = 8;

function isOneCall(outer: Execution, inner: Execution, fact: ToolFact | HandoffFact): boolean {
  if (outer.nodes.length >= maxRecordings) return false;
  if (outer.id !== undefined && inner.id !== undefined) return outer.id === inner.id;
  if (fact.kind === 'tool' && fact.layer !== 'tool') return areNamesRelated(outer.name, inner.name);
  if (outer.name !== inner.name) return false;
  const { args } = inner;
  if (outer.args === undefined || args === undefined) return true;
  return callFormOf(outer).plain.text === callFormOf(inner).plain.text;
}

/** Servers and agents prefix a tool's name with the server's: `shop__get_order`, `shop.get_order`. */
function areNamesRelated(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short === long) return true;
  return (
    short !== '' &&
    long.endsWith(short) &&
    /[^a-z0-9]/i.test(long.charAt(long.length - short.length - 1))
  );
}

function mergeExecutions(outer: Execution, inner: Execution): Execution {
  const args = outer.argsState === 'present' || inner.args === undefined ? outer : inner;
  const result = outer.resultState === 'present' || inner.result === undefined ? outer : inner;
  const { args: _args, result: _result, raw: _raw, ...rest } = outer;
  return {
    ...rest,
    nodes: [...outer.nodes, ...inner.nodes],
    id: outer.id ?? inner.id,
    outcome: outer.outcome === 'ok' ? inner.outcome : outer.outcome,
    error: outer.error ?? inner.error,
    handoffTarget: outer.handoffTarget ?? inner.handoffTarget,
    spans: joinSpanRefs(outer.spans, inner.spans),
    argsState: args.argsState,
    resultState: result.resultState,
    ...(args.args === undefined ? {} : { args: args.args }),
    ...(result.result === undefined ? {} : { result: result.result }),
    ...(result.raw === undefined ? {} : { raw: result.raw }),
  };
}

function compareExecutions(a: Execution, b: Execution): number {
  return (
    compareValues(a.start, b.start) ||
    a.node.depth - b.node.depth ||
    compareValues(a.node.span.traceId, b.node.span.traceId) ||
    compareValues(a.node.span.spanId, b.node.span.spanId)
  );
}
