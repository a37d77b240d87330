import type { ApprovalFact } from '../model/fact.js';
import type { SpanEvent } from '../model/span.js';
import { base, type Origin } from './facts.js';
import { compact } from './shape.js';
import type { SpanReading } from './span-reading.js';

/**
 * Decisions about a tool call, told by the proposed event `gen_ai.tool.call.decision`. The event does
 * not say who decided, so an answer is the system's.
 */
export function approvalDecisions(reading: SpanReading, origin: Origin): readonly ApprovalFact[] {
  return reading.span
    .events()
    .filter((event) => event.name === 'gen_ai.tool.call.decision')
    .flatMap((event) => {
      const atom = decisionOf(event, reading);
      return atom === undefined
        ? []
        : [{ ...base(reading, origin), kind: 'approval' as const, atom }];
    });
}

function decisionOf(event: SpanEvent, reading: SpanReading): ApprovalFact['atom'] | undefined {
  const callId = textOf(event, 'gen_ai.tool.call.id') ?? reading.text('gen_ai.tool.call.id');
  const name = textOf(event, 'gen_ai.tool.name') ?? reading.text('gen_ai.tool.name');
  switch (event.attribute('gen_ai.tool.call.decision.outcome')) {
    case 'require_approval':
      return compact({ kind: 'approvalRequest', callId, name } as const);
    case 'allow':
      return compact({
        kind: 'approvalResponse',
        callId,
        name,
        approved: true,
        by: 'system',
      } as const);
    case 'deny':
      return compact({
        kind: 'approvalResponse',
        callId,
        name,
        approved: false,
        by: 'system',
      } as const);
    default:
      return undefined;
  }
}

function textOf(event: SpanEvent, key: string): string | undefined {
  const value = event.attribute(key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
