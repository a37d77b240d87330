import { conversationKey } from '../behaviors/conversation-key.js';
import { readFacts } from '../behaviors/read-facts.js';
import type { UnitInput } from '../behaviors/trace-input.js';
import type { When } from '../config/when.js';
import { dialects } from '../dialects/index.js';
import type { Resource, Span } from '../model/span.js';

/**
 * Whether a unit is admitted by a `when`: it holds for at least one of its spans. An expression that reads
 * nothing of the span itself is asked once per resource.
 */
export function admitsUnit(when: When, input: UnitInput): boolean {
  const readsSpan = ['attributes', 'name', 'scope', 'agent'].some((name) => when.reads.has(name));
  return input.traces.some(({ traceId, spans }) => {
    const conversation = when.reads.has('conversation') ? keyOf(input, traceId, spans) : '';
    const asked = new Set<Resource>();
    return spans.some((span) => {
      if (!readsSpan && asked.has(span.resource)) return false;
      asked.add(span.resource);
      const agent = when.reads.has('agent') ? agentOf(span) : '';
      return when.admits(span, { agent, conversation });
    });
  });
}

function keyOf(input: UnitInput, traceId: string, spans: readonly Span[]): string {
  if (input.kind === 'conversation' && input.id !== traceId) return input.id;
  return conversationKey(traceId, spans) ?? '';
}

function agentOf(span: Span): string {
  return (
    readFacts(span, dialects).find(({ agentName }) => agentName !== undefined)?.agentName ?? ''
  );
}
