import { type RecordedSpan, type Recording, record } from '../facts.js';
import type { PlannedSpan } from './recording-plan.js';

/** The plan as facts, free of any dialect. */
export function renderFacts(plan: readonly PlannedSpan[]): Recording {
  return record(plan.map(recordedSpan));
}

function recordedSpan(span: PlannedSpan): RecordedSpan {
  const { trace, id, parent, start, end, scope } = span;
  const place = {
    traceId: (trace + 1).toString(16),
    spanId: id.toString(16),
    parentSpanId: parent?.toString(16) ?? null,
    start,
    end,
    scope,
  };
  switch (span.kind) {
    case 'parent':
      return place;
    case 'agent':
      return { ...place, fact: { kind: 'agent', agentName: 'shop' } };
    case 'tool':
      return { ...place, fact: { kind: 'tool', tool: span.tool } };
    case 'llm': {
      const { input, output, failed, stateful } = span;
      return { ...place, fact: { kind: 'llm', input, output, failed, stateful } };
    }
  }
}
