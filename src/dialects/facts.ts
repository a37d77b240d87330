import type { AgentFact, Atom, LlmFact, OtherFact, ToolFact, Usage } from '../model/fact.js';
import { conversationIdOf } from './conversation.js';
import type { ReadMessages } from './messages/index.js';
import type { ReadResult } from './messages/results.js';
import { modelFailed, toolOutcome } from './outcome.js';
import { compact } from './shape.js';
import type { SpanReading } from './span-reading.js';
import type { Reading } from './values.js';

/** Who wrote the span, and for which agent. */
export interface Origin {
  readonly dialect: string;
  readonly agentName?: string | undefined;
}

export interface LlmParts {
  readonly system?: ReadMessages;
  readonly input: ReadMessages;
  readonly output: ReadMessages;
  readonly stateful?: boolean;
  readonly compacted?: boolean;
  /** The provider's word for why the output ended, in any spelling. */
  readonly finishReason?: string | undefined;
  readonly responseId?: string | undefined;
  readonly model?: string | undefined;
  readonly usage?: Usage | undefined;
}

const calledTools = /^(?:tool[-_ ]?(?:calls?|use)|function[-_ ]?calls?)$/i;

/** A model call. One that shows its answer was asked something, shown or not. */
export function llmFact(reading: SpanReading, origin: Origin, parts: LlmParts): LlmFact {
  const { input, output } = parts;
  if (output.captured && !input.captured && input.isCut !== true && parts.stateful !== true) {
    reading.losses.add('history_omitted', `${reading.span.name} shows its answer, not its input`);
  }
  return compact({
    ...base(reading, origin),
    kind: 'llm',
    input: [...(parts.system?.atoms ?? []), ...input.atoms],
    output: output.atoms,
    contentCaptured: input.captured || output.captured,
    stateful: parts.stateful ?? false,
    inputCut: input.isCut,
    calledTools: calledTools.test(parts.finishReason ?? '') ? true : undefined,
    failed: modelFailed(reading.span, output.atoms.length),
    responseId: parts.responseId,
    model: parts.model,
    usage: parts.usage,
    compacted: parts.compacted === true ? true : undefined,
  } as const);
}

export interface ToolParts {
  readonly name: string;
  readonly callId?: string | undefined;
  readonly args: Reading;
  readonly result: ReadResult;
  readonly layer?: ToolFact['layer'];
  /** Status ERROR may be the error of an earlier span. */
  readonly statusLies?: boolean;
}

/** A tool execution; one that was refused has the outcome `rejected`. */
export function toolFact(reading: SpanReading, origin: Origin, parts: ToolParts): ToolFact {
  return {
    ...base(reading, origin),
    kind: 'tool',
    tool: toolExecution(reading, parts),
    layer: parts.layer ?? 'tool',
  };
}

export function toolExecution(reading: SpanReading, parts: ToolParts): ToolFact['tool'] {
  const { args, result } = parts;
  const isPresent = result.state !== 'absent';
  const ended = toolOutcome(reading.span, { isError: result.isError, isPresent }, parts.statusLies);
  return compact({
    callId: parts.callId ?? result.callId,
    name: parts.name,
    args: args.value,
    argsState: args.state,
    result: result.value,
    resultState: result.denied === undefined ? result.state : 'absent',
    outcome: result.denied === undefined ? ended.outcome : 'rejected',
    error: ended.error,
    raw: result.raw,
  } as const);
}

/** An agent or workflow run; its messages matter only where no model call shows any. */
export function agentFact(
  reading: SpanReading,
  origin: Origin,
  kind: AgentFact['kind'],
  input: readonly Atom[],
  output: readonly Atom[],
): AgentFact {
  return { ...base(reading, origin), kind, input, output };
}

/** A span of a known dialect that shows no step by itself. */
export function otherFact(reading: SpanReading, origin: Origin): OtherFact {
  return { ...base(reading, origin), kind: 'other' };
}

export function base(reading: SpanReading, origin: Origin) {
  return compact({
    span: reading.span,
    dialect: origin.dialect,
    conversationId: conversationIdOf(reading.span),
    agentName: origin.agentName,
    losses: reading.losses.list(),
  });
}
