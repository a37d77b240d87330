import type { AgentFact } from '../model/fact.js';
import type { SpanNode, SpanTree } from './span-tree.js';

/**
 * One run of an agent (or, where there is none, of a workflow; else the whole trace): the owner of model
 * calls and tool spans (dialects.md §3.2).
 */
export interface Invocation {
  readonly kind: 'agent' | 'workflow' | 'tool' | 'trace';
  readonly traceId: string;
  readonly name: string | null;
  readonly parent: Invocation | null;
  /** The tool or hand-off span below which a sub-agent ran. */
  readonly anchor: SpanNode | null;
  /** Its own span; for a trace the first top. */
  readonly node: SpanNode | null;
  /** Equal for runs that continue one message history. */
  readonly threadKey: string;
}

/** What surrounds a span. */
export interface Surroundings {
  readonly invocation: Invocation;
  /** Nearest tool or hand-off span above, within the invocation. */
  readonly toolAbove: SpanNode | null;
  /** Nearest model call above with no tool or agent between. */
  readonly modelAbove: SpanNode | null;
}

export interface InvocationMap {
  readonly surroundings: ReadonlyMap<SpanNode, Surroundings>;
  /** Agent spans with the invocation that each one opened or belongs to. */
  readonly agents: readonly {
    readonly fact: AgentFact;
    readonly invocation: Invocation;
    readonly node: SpanNode;
  }[];
}

/**
 * Finds the owner of every span of a trace. An agent below a tool is a sub-agent with a thread of its
 * own, and so is a model call directly below a tool. Nested agents of one name are one agent that was
 * recorded twice.
 */
export function findInvocations(tree: SpanTree): InvocationMap {
  const root = traceInvocation(tree);
  const surroundings = new Map<SpanNode, Surroundings>();
  const inner = new Map<SpanNode, Surroundings>();
  const perTool = new Map<SpanNode, Invocation>();
  const agents: { fact: AgentFact; invocation: Invocation; node: SpanNode }[] = [];
  for (const node of tree.nodes) {
    const outer = (node.parent && inner.get(node.parent)) ?? {
      invocation: root,
      toolAbove: null,
      modelAbove: null,
    };
    let own = outer;
    let within = outer;
    for (const fact of node.facts) {
      if (fact.kind === 'tool' || fact.kind === 'handoff') {
        within = { invocation: within.invocation, toolAbove: node, modelAbove: null };
      } else if (fact.kind === 'agent' || fact.kind === 'workflow') {
        const invocation = enterAgent(fact, node, within);
        agents.push({ fact, invocation, node });
        within = { invocation, toolAbove: null, modelAbove: null };
        own = within;
      } else if (fact.kind === 'llm') {
        own = outer.toolAbove === null ? outer : enterTool(outer.toolAbove, outer, perTool);
        within = { ...own, modelAbove: node };
      }
    }
    surroundings.set(node, own);
    inner.set(node, within);
  }
  return { surroundings: moveIntoTools(surroundings, perTool), agents };
}

function traceInvocation(tree: SpanTree): Invocation {
  return {
    kind: 'trace',
    traceId: tree.traceId,
    name: null,
    parent: null,
    anchor: null,
    node: tree.tops[0] ?? null,
    threadKey: 'trace',
  };
}

function enterAgent(fact: AgentFact, node: SpanNode, outer: Surroundings): Invocation {
  const parent = outer.invocation;
  const name = fact.agentName ?? (fact.kind === 'workflow' ? node.span.name : '');
  if (outer.toolAbove === null) {
    const isInside =
      parent.kind === 'agent' || (fact.kind === 'workflow' && parent.kind !== 'trace');
    if (isInside && (fact.kind === 'workflow' || parent.name === name)) return parent;
  }
  return {
    kind: fact.kind,
    traceId: node.span.traceId,
    name,
    parent,
    anchor: outer.toolAbove,
    node,
    threadKey: threadKeyOf(fact.kind, name, outer),
  };
}

/** Bounded in length: a deep chain of agents must not build ever longer keys. */
function threadKeyOf(kind: string, name: string, outer: Surroundings): string {
  if (outer.toolAbove !== null) {
    return JSON.stringify([outer.toolAbove.span.traceId, outer.toolAbove.span.spanId, kind, name]);
  }
  const parent = outer.invocation;
  if (parent.kind !== 'agent' && parent.kind !== 'tool') return JSON.stringify([kind, name]);
  const isTopAgent = parent.anchor === null && parent.parent?.kind !== 'agent';
  const above = isTopAgent ? parent.name : [parent.traceId, parent.node?.span.spanId ?? ''];
  return JSON.stringify([kind, name, above]);
}

/** The invocation that stands for everything that models do directly below a tool span. */
function enterTool(
  tool: SpanNode,
  outer: Surroundings,
  perTool: Map<SpanNode, Invocation>,
): Surroundings {
  const invocation = perTool.get(tool) ?? {
    kind: 'tool',
    traceId: tool.span.traceId,
    name: null,
    parent: outer.invocation,
    anchor: tool,
    node: tool,
    threadKey: JSON.stringify([tool.span.traceId, tool.span.spanId, 'tool', '']),
  };
  perTool.set(tool, invocation);
  return { invocation, toolAbove: null, modelAbove: outer.modelAbove };
}

/** Tools beside a model call below the same tool belong to that model. */
function moveIntoTools(
  surroundings: ReadonlyMap<SpanNode, Surroundings>,
  perTool: ReadonlyMap<SpanNode, Invocation>,
): ReadonlyMap<SpanNode, Surroundings> {
  if (perTool.size === 0) return surroundings;
  return new Map(
    [...surroundings].map(([node, own]) => {
      const invocation = own.toolAbove && perTool.get(own.toolAbove);
      return [node, invocation ? { ...own, invocation, toolAbove: null } : own];
    }),
  );
}
