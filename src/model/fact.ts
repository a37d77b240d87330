import type { JsonValue } from '../util/json.js';
import type { Behavior, Outcome } from './behavior.js';
import type { Completeness, Loss } from './evidence.js';
import type { Span } from './span.js';

/**
 * What one span says, free of its dialect (dialects.md §3.0). Dialects produce facts and nothing else;
 * everything after them is dialect-free.
 */
export type Fact =
  | LlmFact
  | ToolFact
  | AgentFact
  | HandoffFact
  | ApprovalFact
  | StatedFact
  | OtherFact;

interface FactBase {
  readonly span: Span;
  readonly dialect: string;
  readonly conversationId?: string;
  readonly agentName?: string;
  /** Losses that reading this span caused (unparsable JSON, cut values, hidden content). */
  readonly losses: readonly Loss[];
}

/** A model call: its input repeats the history, its output is new. */
export interface LlmFact extends FactBase {
  readonly kind: 'llm';
  readonly input: readonly Atom[];
  readonly output: readonly Atom[];
  /** Whether messages were captured at all; false = content capture off. */
  readonly contentCaptured: boolean;
  /** Input carries only what is new (delta), stated by the dialect. */
  readonly stateful: boolean;
  readonly failed: boolean;
  /** The end of the input was cut: messages behind it, and what they answer, may be missing. */
  readonly inputCut?: true;
  /** The finish reason says that it called tools, whether or not its output shows which. */
  readonly calledTools?: true;
  readonly responseId?: string;
  readonly model?: string;
  readonly usage?: Usage;
  /** Position in the agent's loop where the dialect numbers its steps. */
  readonly stepIndex?: number;
  /** The input was compacted or its oldest messages omitted. */
  readonly compacted?: boolean;
}

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cost?: number;
}

/** A tool execution. */
export interface ToolFact extends FactBase {
  readonly kind: 'tool';
  readonly tool: ToolExecution;
  /** `mcp` spans nest in tool spans of the same call. */
  readonly layer: 'tool' | 'mcp_client' | 'mcp_server';
}

export interface ToolExecution {
  readonly callId?: string;
  readonly name: string;
  readonly args?: JsonValue;
  readonly argsState: Completeness;
  readonly result?: JsonValue;
  readonly resultState: Completeness;
  readonly outcome: Outcome;
  /** Error message of a failed execution. */
  readonly error?: string;
  /** The raw envelope when the result was unwrapped. */
  readonly raw?: JsonValue;
}

/** An agent or workflow run. Its messages are used only when its thread has no model call content. */
export interface AgentFact extends FactBase {
  readonly kind: 'agent' | 'workflow';
  readonly input: readonly Atom[];
  readonly output: readonly Atom[];
}

/** An explicit hand-off span or a call with transfer attributes (semantics A3). */
export interface HandoffFact extends FactBase {
  readonly kind: 'handoff';
  readonly target: string;
  readonly tool?: ToolExecution;
}

export interface ApprovalFact extends FactBase {
  readonly kind: 'approval';
  readonly atom: ApprovalRequestAtom | ApprovalResponseAtom;
}

/** Behaviors stated as they are by the native dialect (contract.md §8); order inside the span kept. */
export interface StatedFact extends FactBase {
  readonly kind: 'stated';
  /** Stated by the span itself, or only by events on a span that may say more in another dialect. */
  readonly carrier: 'span' | 'events';
  readonly behaviors: readonly Omit<Behavior, 'index'>[];
}

/** A span of a known dialect that shows no step by itself: embeddings, retrieval, a plain parent. */
export interface OtherFact extends FactBase {
  readonly kind: 'other';
  /** The span judges the conversation: it and everything below it are no part of it. */
  readonly judges?: true;
}

/** One part of a message in dialect-free form. */
export type Atom =
  | TextAtom
  | CallAtom
  | ResultAtom
  | ApprovalRequestAtom
  | ApprovalResponseAtom
  | NoticeAtom;

export type AtomRole = 'system' | 'user' | 'assistant' | 'tool' | 'external' | 'human';

export interface TextAtom {
  readonly kind: 'text';
  readonly role: AtomRole;
  readonly text: string;
  /** Structured content (an object answer) where the text is not the whole of it. */
  readonly value?: JsonValue;
  readonly state: Completeness;
}

export interface CallAtom {
  readonly kind: 'call';
  readonly callId?: string;
  readonly name: string;
  readonly args?: JsonValue;
  readonly state: Completeness;
}

export interface ResultAtom {
  readonly kind: 'result';
  readonly callId?: string;
  readonly name?: string;
  readonly result?: JsonValue;
  readonly isError: boolean;
  readonly state: Completeness;
}

export interface ApprovalRequestAtom {
  readonly kind: 'approvalRequest';
  readonly callId?: string;
  readonly name?: string;
  readonly args?: JsonValue;
  readonly approvalId?: string;
}

export interface ApprovalResponseAtom {
  readonly kind: 'approvalResponse';
  readonly callId?: string;
  readonly name?: string;
  readonly approvalId?: string;
  readonly approved: boolean;
  /** A person, or a rule of the system. */
  readonly by: 'human' | 'system';
  readonly reason?: string;
}

/** A part that is neither text nor tool traffic: compaction notice, unknown part type, retry prompt. */
export interface NoticeAtom {
  readonly kind: 'notice';
  readonly type: string;
  readonly content: JsonValue;
  readonly state: Completeness;
}

/** One instrumentation's vocabulary. One file and one row of the table each. */
export interface Dialect {
  readonly name: string;
  /** True when this span is written in this dialect. Asked in the table's order; first hit wins. */
  detects(span: Span): boolean;
  /** What the span says. Never throws: unreadable values become losses. */
  read(span: Span): readonly Fact[];
}
