import type { Behavior, Unit } from '../../src/model/behavior.js';
import type { Completeness, Loss } from '../../src/model/evidence.js';
import { baseActOf } from '../../src/model/vocabulary.js';
import type { JsonObject, JsonValue } from '../../src/util/json.js';
import { parseJson } from '../../src/util/json-parse.js';
import { isJsonArray, isJsonObject } from '../../src/util/json-text.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const stepNanos = 1_000_000_000n;

/**
 * A unit that holds exactly these Behaviors, as the native dialect would state them: without an `action` a
 * message of unknown act. One second lies between two of them.
 */
export function createUnit(stated: readonly JsonObject[], changes: Partial<Unit> = {}): Unit {
  return {
    id: traceId,
    kind: 'trace',
    traceIds: [traceId],
    behaviors: stated.map(createBehavior),
    losses: [],
    complete: true,
    sources: ['unit.json'],
    labels: {},
    isAgentTrace: true,
    ...changes,
  };
}

/** As `createUnit`, from the JSON text of the list. */
export function parseUnit(json: string): Unit {
  const parsed = parseJson(json);
  if (!parsed.ok || !isJsonArray(parsed.value))
    throw new Error('expected a JSON list of Behaviors');
  return createUnit(parsed.value.map(asObject));
}

export function createLoss(kind: Loss['kind']): Loss {
  return { kind, count: 1, detail: '' };
}

/** Keys beside those of a Behavior: `state` of content and with, `seconds` of its start, `inferred` calls. */
function createBehavior(stated: JsonObject, index: number): Behavior {
  const actor = textOf(stated.actor) ?? 'assistant';
  const action = textOf(stated.action) ?? baseActOf(actor);
  const isBase = stated.action === undefined || stated.inferred === true;
  const seconds =
    typeof stated.seconds === 'number' ? BigInt(Math.round(stated.seconds * 1e9)) : null;
  const at = seconds ?? BigInt(index) * stepNanos;
  const texts = {
    target: textOf(stated.target),
    callId: textOf(stated.callId),
    tool: textOf(stated.tool),
    id: textOf(stated.id),
    agent: textOf(stated.agent),
  };
  return {
    index,
    actor,
    action,
    acts: [action],
    ...withoutUndefined(texts),
    ...('content' in stated && { content: stated.content ?? null }),
    ...('with' in stated && { with: asObject(stated.with) }),
    ...(typeof stated.step === 'number' && { step: stated.step }),
    ...(stated.parallel === true && { parallel: true }),
    at,
    endAt: at + 1n,
    evidence: {
      act: isBase ? 'base' : 'stated',
      spans: [{ traceId, spanId: (index + 1).toString(16).padStart(16, '0') }],
      content: stateOf(stated.contentState, 'content' in stated),
      with: stateOf(stated.withState, 'with' in stated),
      origin: 'event',
    },
  };
}

function stateOf(stated: JsonValue | undefined, isThere: boolean): Completeness {
  switch (stated) {
    case 'present':
    case 'absent':
    case 'truncated':
    case 'redacted':
      return stated;
    default:
      return isThere ? 'present' : 'absent';
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function asObject(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error(`expected an object, found ${JSON.stringify(value)}`);
  return value;
}

function withoutUndefined(texts: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
