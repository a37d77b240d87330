import type { AgentFact } from '../model/fact.js';
import { type Form, isTextOf } from './form.js';
import type { Invocation, InvocationMap } from './invocations.js';
import { formsOf, type ModelCall } from './model-calls.js';
import { spanRef } from './span-ref.js';

type AgentSpan = InvocationMap['agents'][number];

/** An answer counts for this many agents around the one that gave it. */
const maxNesting = 8;

/**
 * Messages of agent spans, in the form of model calls, where no model call shows them: the invocation
 * recorded no messages of model calls, or its last model call shows no text and the agent span has the
 * final answer. Of agents nested in one another the outermost speaks; workflow and graph spans never do.
 */
export function agentCalls(
  calls: readonly ModelCall[],
  agents: InvocationMap['agents'],
): readonly ModelCall[] {
  const lastCalls = lastCallOfInvocations(calls);
  const spoken = new Set<Invocation>();
  const silent: AgentSpan[] = [];
  const answers: ModelCall[] = [];
  for (const agent of agents) {
    const { fact, invocation } = agent;
    if (fact.kind !== 'agent' || speaksAround(invocation, spoken)) continue;
    if (fact.input.length + fact.output.length === 0) continue;
    const last = lastCalls.get(invocation);
    spoken.add(invocation);
    if (last === undefined) silent.push(agent);
    else answers.push(...missingAnswer(agent, last));
  }
  const remembering = threadsWithMemory(silent);
  const whole = silent.map((agent) => ({
    ...callOf(agent, formsOf(agent.fact.input), formsOf(agent.fact.output)),
    fact: { ...pseudoFact(agent.fact), stateful: !remembering.has(agent.invocation.threadKey) },
  }));
  return [...whole, ...answers];
}

/** The last model call with messages in an invocation and the agents nested in it. */
function lastCallOfInvocations(calls: readonly ModelCall[]): ReadonlyMap<Invocation, ModelCall> {
  const last = new Map<Invocation, ModelCall>();
  for (const call of calls) {
    if (call.input.length + call.output.length === 0) continue;
    let at: Invocation | null = call.invocation;
    for (let level = 0; level < maxNesting && at !== null; level += 1) {
      const known = last.get(at);
      if (known === undefined || known.end <= call.end) last.set(at, call);
      at = at.anchor === null ? at.parent : null;
    }
  }
  return last;
}

function speaksAround(invocation: Invocation, spoken: ReadonlySet<Invocation>): boolean {
  let at: Invocation | null = invocation;
  for (let level = 0; level < maxNesting && at !== null; level += 1) {
    if (spoken.has(at)) return true;
    at = at.anchor === null ? at.parent : null;
  }
  return false;
}

function missingAnswer(agent: AgentSpan, last: ModelCall): readonly ModelCall[] {
  const answer = formsOf(agent.fact.output).findLast((form) => isTextOf(form, 'assistant'));
  const isSaid = last.output.some((form) => isTextOf(form, 'assistant'));
  const isFollowed = last.fact.failed || last.output.some((form) => form.is('call'));
  if (answer === undefined || isSaid || !isFollowed) return [];
  if (last.input.some((form) => form.is('text') && form.plain.text === answer.plain.text))
    return [];
  const call = callOf(agent, [], [answer]);
  return [{ ...call, invocation: last.invocation, start: call.end }];
}

/** Threads in which an agent is handed earlier answers with its input. */
function threadsWithMemory(agents: readonly AgentSpan[]): ReadonlySet<string> {
  const hasAnswer = (fact: AgentFact) =>
    fact.input.some((atom) => atom.kind !== 'text' || atom.role === 'assistant');
  return new Set(
    agents.filter(({ fact }) => hasAnswer(fact)).map(({ invocation }) => invocation.threadKey),
  );
}

function callOf(
  { fact, invocation, node }: AgentSpan,
  input: readonly Form[],
  output: readonly Form[],
): ModelCall {
  return {
    fact: pseudoFact(fact),
    input,
    output,
    hidesInput: false,
    agent: fact.agentName ?? invocation.name ?? undefined,
    responseId: undefined,
    stepIndex: 0,
    invocation,
    start: node.span.startUnixNano,
    end: node.span.endUnixNano,
    depth: node.depth,
    spans: [spanRef(fact.span)],
    losses: [],
    inferred: 'messages of the agent span',
  };
}

function pseudoFact(fact: AgentFact): ModelCall['fact'] {
  return {
    span: fact.span,
    dialect: fact.dialect,
    stateful: true,
    failed: false,
    contentCaptured: true,
  };
}
