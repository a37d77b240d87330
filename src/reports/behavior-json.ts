import type { Behavior } from '../model/behavior.js';
import type { Loss } from '../model/evidence.js';
import type { JsonObject, JsonValue } from '../util/json.js';

/** A Behavior with the keys of contract.md §3: absent ones left out, times as decimal text. */
export function behaviorToJson(behavior: Behavior): JsonObject {
  const { evidence } = behavior;
  return withoutAbsent({
    index: behavior.index,
    actor: behavior.actor,
    action: behavior.action,
    acts: behavior.acts,
    target: behavior.target,
    content: behavior.content,
    with: behavior.with,
    callId: behavior.callId,
    outcome: behavior.outcome,
    agent: behavior.agent,
    tool: behavior.tool,
    parallel: behavior.parallel,
    at: behavior.at.toString(),
    endAt: behavior.endAt.toString(),
    evidence: withoutAbsent({
      act: evidence.act,
      spans: evidence.spans.map(({ traceId, spanId }) => ({ traceId, spanId })),
      content: evidence.content,
      with: evidence.with,
      origin: evidence.origin,
      inferred: evidence.inferred,
      raw: evidence.raw,
    }),
  });
}

export function lossToJson({ kind, count, detail }: Loss): JsonObject {
  return { kind, count, detail };
}

/** The object without the members that are `undefined`; JSON null is a value and stays. */
export function withoutAbsent(
  members: Readonly<Record<string, JsonValue | undefined>>,
): JsonObject {
  const object: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(members)) {
    if (value !== undefined) object[key] = value;
  }
  return object;
}
