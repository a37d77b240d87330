import type { Behavior, Outcome, SpanRef } from '../model/behavior.js';
import type { Completeness } from '../model/evidence.js';
import type { Dialect, Fact } from '../model/fact.js';
import type { AttributeSource, Span } from '../model/span.js';
import type { JsonValue } from '../util/json.js';
import { parseJson } from '../util/json-parse.js';
import { conversationIdOf } from './conversation.js';
import { LossLog } from './losses.js';

type Stated = Omit<Behavior, 'index'>;

/**
 * Retrial's own vocabulary (contract.md §8): a span or span event with `abs.actor` is one Behavior,
 * exactly as stated. It beats what other dialects would conclude.
 */
export const native: Dialect = {
  name: 'native',
  detects: (span) => statesBehavior(span) || span.events().some(statesBehavior),
  read(span): readonly Fact[] {
    const losses = new LossLog();
    const isSpanItself = statesBehavior(span);
    const own = isSpanItself ? [statedBySpan(span, losses)] : [];
    const byEvents = span
      .events()
      .filter(statesBehavior)
      .map((event) => {
        const place = { spans: [refOf(span)], at: event.timeUnixNano, endAt: event.timeUnixNano };
        return readBehavior(event, place, losses);
      });
    const conversationId = conversationIdOf(span);
    return [
      {
        kind: 'stated',
        carrier: isSpanItself ? 'span' : 'events',
        span,
        dialect: 'native',
        behaviors: [...own, ...byEvents],
        losses: losses.list(),
        ...(conversationId === undefined ? {} : { conversationId }),
      },
    ];
  },
};

function statesBehavior(source: AttributeSource): boolean {
  return source.attribute('abs.actor') !== undefined;
}

interface Place {
  readonly spans: readonly SpanRef[];
  readonly at: bigint;
  readonly endAt: bigint;
}

function statedBySpan(span: Span, losses: LossLog): Stated {
  const place = { spans: [refOf(span)], at: span.startUnixNano, endAt: span.endUnixNano };
  return readBehavior(span, place, losses);
}

function readBehavior(
  source: AttributeSource,
  { spans, at, endAt }: Place,
  losses: LossLog,
): Stated {
  const actor = textOf(source, 'abs.actor') ?? 'unknown';
  const stated = textOf(source, 'abs.action');
  const action = stated ?? baseAct(actor);
  const content = readValue(source, 'abs.content', losses);
  const args = readValue(source, 'abs.with', losses);
  const target = textOf(source, 'abs.target');
  const callId = textOf(source, 'abs.call.id');
  const outcome = outcomeOf(source.attribute('abs.outcome'));
  const id = textOf(source, 'abs.id');
  return {
    actor,
    action,
    acts: [action],
    ...(target === undefined ? {} : { target }),
    ...(content === undefined ? {} : { content }),
    ...(args === undefined ? {} : { with: args }),
    ...(callId === undefined ? {} : { callId }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(id === undefined ? {} : { id }),
    at,
    endAt,
    evidence: {
      act: stated === undefined ? 'base' : 'stated',
      spans,
      content: completeness(content),
      with: completeness(args),
      origin: 'event',
    },
  };
}

/** The act that a message of this actor has when none is stated (semantics A1). */
function baseAct(actor: string): string {
  if (actor === 'user') return 'says';
  return actor === 'assistant' || actor === 'tool' ? 'responds' : 'informs';
}

/** `<key>.json` is JSON text with exact numbers; text that is none is kept as it is, with a loss. */
function readValue(source: AttributeSource, key: string, losses: LossLog): JsonValue | undefined {
  const text = source.attribute(`${key}.json`);
  if (typeof text !== 'string') return text ?? source.attribute(key);
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value;
  losses.add('value_unparsable', `${key}.json: ${parsed.message}`);
  return text;
}

function completeness(value: JsonValue | undefined): Completeness {
  return value === undefined ? 'absent' : 'present';
}

function outcomeOf(value: JsonValue | undefined): Outcome | undefined {
  switch (value) {
    case 'ok':
    case 'error':
    case 'pending':
    case 'rejected':
      return value;
    default:
      return undefined;
  }
}

/** A name may be written as a number or boolean; it is compared as text. */
function textOf(source: AttributeSource, key: string): string | undefined {
  const value = source.attribute(key);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return undefined;
}

function refOf(span: Span): SpanRef {
  return { traceId: span.traceId, spanId: span.spanId };
}
