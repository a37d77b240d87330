import type { ReleaseReason } from '../model/report.js';
import type { HoldSpan } from './release.js';

export interface ConversationLimits {
  /** After this long without a trace, the last generation of a conversation is final. */
  readonly conversationWaitMs: number;
  /** Bytes of the spans of all conversations. */
  readonly maxBytes: number;
  /** How many conversations are remembered by their generation alone. */
  readonly maxRemembered: number;
}

/** A conversation as it stands: every trace seen so far, in order of its first release. */
export interface ConversationSnapshot<S extends HoldSpan> {
  readonly key: string;
  readonly generation: number;
  readonly isFinal: boolean;
  /** Why it is final; the release reason of the last trace while it is not. */
  readonly reason: ReleaseReason;
  readonly spans: readonly S[];
  /** The trace released last: its root carries the results. */
  readonly lastTraceId: string;
  /** False when spans of earlier traces are no longer remembered. */
  readonly isWhole: boolean;
}

/** One trace of a conversation leaving the trace hold. */
export interface ConversationTrace<S extends HoldSpan> {
  readonly key: string;
  readonly traceId: string;
  /** All its spans, of every generation. */
  readonly spans: readonly S[];
  readonly isWhole: boolean;
  readonly reason: ReleaseReason;
}

interface Conversation<S extends HoldSpan> {
  readonly key: string;
  generation: number;
  readonly traces: Map<string, readonly S[]>;
  bytes: number;
  lastAtMs: number;
  lastTraceId: string;
  reason: ReleaseReason;
  isWhole: boolean;
}

/**
 * Gathers the released traces of each conversation (contract.md §2).
 *
 *   trace ─► open ──quiet for conversation_wait · drained · evicted──► ended ──the same wait again──► bare
 *              ▲                                                        │                              │
 *              └──────────────── a new turn: generation + 1 ────────────┴──────────────────────────────┘
 *
 * `open` and `ended` conversations keep their spans, `bare` ones only their generation. Each map is in
 * order of the last activity.
 */
export class ConversationHold<S extends HoldSpan> {
  readonly #limits: ConversationLimits;
  readonly #open = new Map<string, Conversation<S>>();
  readonly #ended = new Map<string, Conversation<S>>();
  readonly #bare = new Map<string, number>();
  #bytes = 0;

  constructor(limits: ConversationLimits) {
    this.#limits = limits;
  }

  get usage(): { open: number; remembered: number; bytes: number } {
    return {
      open: this.#open.size,
      remembered: this.#ended.size + this.#bare.size,
      bytes: this.#bytes,
    };
  }

  /** Adds or replaces one trace; answers with the conversation so far as a new generation. */
  add(trace: ConversationTrace<S>, nowMs: number): ConversationSnapshot<S> {
    const conversation = this.#take(trace.key, nowMs);
    const before = conversation.traces.get(trace.traceId);
    this.#resize(conversation, byteLength(trace.spans) - byteLength(before ?? []));
    conversation.traces.set(trace.traceId, trace.spans);
    conversation.generation += 1;
    conversation.lastAtMs = nowMs;
    conversation.lastTraceId = trace.traceId;
    conversation.reason = trace.reason;
    conversation.isWhole &&= trace.isWhole;
    this.#open.set(trace.key, conversation);
    return snapshot(conversation, conversation.reason, false);
  }

  /** Spans of a conversation that are remembered, for verdicts that cannot wait. */
  peek(key: string): { readonly generation: number; readonly spans: readonly S[] } {
    const conversation = this.#open.get(key) ?? this.#ended.get(key);
    const generation = conversation?.generation ?? this.#bare.get(key) ?? 0;
    return { generation, spans: [...(conversation?.traces.values() ?? [])].flat() };
  }

  /** Conversations that are over at `nowMs`, those that had to make room included. */
  takeEnded(nowMs: number): readonly ConversationSnapshot<S>[] {
    const ended: ConversationSnapshot<S>[] = [];
    for (const conversation of this.#open.values()) {
      if (conversation.lastAtMs + this.#limits.conversationWaitMs > nowMs) break;
      ended.push(this.#end(conversation, 'quiet', nowMs));
    }
    for (const conversation of this.#ended.values()) {
      if (conversation.lastAtMs + this.#limits.conversationWaitMs > nowMs) break;
      this.#forgetSpans(conversation);
    }
    this.#makeRoom(nowMs, ended);
    return ended;
  }

  drain(nowMs: number): readonly ConversationSnapshot<S>[] {
    return [...this.#open.values()].map((conversation) =>
      this.#end(conversation, 'drained', nowMs),
    );
  }

  nextDeadlineMs(): number | null {
    for (const conversation of this.#open.values()) {
      return conversation.lastAtMs + this.#limits.conversationWaitMs;
    }
    return null;
  }

  #take(key: string, nowMs: number): Conversation<S> {
    const known = this.#open.get(key) ?? this.#ended.get(key);
    const bareGeneration = this.#bare.get(key);
    this.#open.delete(key);
    this.#ended.delete(key);
    this.#bare.delete(key);
    return (
      known ?? {
        key,
        generation: bareGeneration ?? 0,
        traces: new Map(),
        bytes: 0,
        lastAtMs: nowMs,
        lastTraceId: '',
        reason: 'quiet',
        isWhole: bareGeneration === undefined,
      }
    );
  }

  #end(
    conversation: Conversation<S>,
    reason: ReleaseReason,
    nowMs: number,
  ): ConversationSnapshot<S> {
    this.#open.delete(conversation.key);
    conversation.lastAtMs = nowMs;
    this.#ended.set(conversation.key, conversation);
    return snapshot(conversation, reason, true);
  }

  /** Forgets ended conversations first, then ends the largest open ones. */
  #makeRoom(nowMs: number, ended: ConversationSnapshot<S>[]): void {
    for (const conversation of this.#ended.values()) {
      if (this.#bytes <= this.#limits.maxBytes) return;
      this.#forgetSpans(conversation);
    }
    if (this.#bytes <= this.#limits.maxBytes) return;
    for (const conversation of [...this.#open.values()].sort((a, b) => b.bytes - a.bytes)) {
      if (this.#bytes <= this.#limits.maxBytes) return;
      ended.push(this.#end(conversation, 'evicted', nowMs));
      this.#forgetSpans(conversation);
    }
  }

  #forgetSpans(conversation: Conversation<S>): void {
    this.#ended.delete(conversation.key);
    this.#bytes -= conversation.bytes;
    this.#bare.set(conversation.key, conversation.generation);
    for (const key of this.#bare.keys()) {
      if (this.#bare.size <= this.#limits.maxRemembered) return;
      this.#bare.delete(key);
    }
  }

  #resize(conversation: Conversation<S>, bytes: number): void {
    conversation.bytes += bytes;
    this.#bytes += bytes;
  }
}

function snapshot<S extends HoldSpan>(
  conversation: Conversation<S>,
  reason: ReleaseReason,
  isFinal: boolean,
): ConversationSnapshot<S> {
  return {
    key: conversation.key,
    generation: conversation.generation,
    isFinal,
    reason,
    spans: [...conversation.traces.values()].flat(),
    lastTraceId: conversation.lastTraceId,
    isWhole: conversation.isWhole,
  };
}

function byteLength(spans: readonly HoldSpan[]): number {
  return spans.reduce((sum, span) => sum + span.cost, 0);
}
