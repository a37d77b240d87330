import { groupBy } from './collections.js';
import { conversationKey } from './conversation-key.js';
import type { TraceInput, UnitInput } from './trace-input.js';
import { compareValues } from './unique-spans.js';

export interface GroupedUnits {
  /** Sorted by id. */
  readonly units: readonly UnitInput[];
  /** Conversation keys that several traces share, whatever the mode: what `--unit trace` takes apart. */
  readonly sharedKeys: readonly { readonly key: string; readonly traceIds: readonly string[] }[];
}

/**
 * Groups traces into units (contract.md §2). `auto`: a conversation where a real key exists, else the
 * trace. `conversation`: the same, but a trace without a key counts as a conversation of its own.
 * Traces with one id, from several requests or files, are one trace.
 */
export function groupUnits(
  received: readonly TraceInput[],
  mode: 'trace' | 'conversation' | 'auto',
): GroupedUnits {
  const traces = [...groupBy(received, (trace) => trace.traceId)].map(([traceId, parts]) => {
    const trace = joinParts(traceId, parts);
    return { trace, key: conversationKey(traceId, trace.spans) };
  });
  const byKey = groupBy(traces, ({ trace, key }) =>
    JSON.stringify(key === null ? [trace.traceId] : [key, 0]),
  );
  const sharedKeys = [...byKey.values()]
    .filter((group) => group.length > 1)
    .map((group) => ({
      key: group[0]?.key ?? '',
      traceIds: group.map(({ trace }) => trace.traceId).sort(),
    }))
    .sort((a, b) => compareValues(a.key, b.key));
  const groups =
    mode === 'trace' ? traces.map((trace) => [{ ...trace, key: null }]) : [...byKey.values()];
  const units = groups.map((group): UnitInput => {
    const [first] = group;
    const id = first?.key ?? first?.trace.traceId ?? '';
    const isConversation = mode === 'conversation' || (first?.key ?? null) !== null;
    const members = group
      .map(({ trace }) => trace)
      .sort((a, b) => compareValues(a.traceId, b.traceId));
    return { id, kind: isConversation ? 'conversation' : 'trace', traces: members };
  });
  return { units: units.sort((a, b) => compareValues(a.id, b.id)), sharedKeys };
}

/** One trace of all that was received of it. */
export function joinParts(traceId: string, parts: readonly TraceInput[]): TraceInput {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  return {
    traceId,
    spans: parts.flatMap((part) => part.spans),
    losses: parts.flatMap((part) => part.losses ?? []),
    sources: parts.flatMap((part) => part.sources ?? []),
  };
}
