import type { AttributeSource, SpanEvent } from '../model/span.js';
import type { JsonObject, JsonValue } from '../util/json.js';
import { firstChoice, type ReadMessages, readMessages } from './messages/index.js';
import { compact, field, isObject } from './shape.js';
import type { SpanReading } from './span-reading.js';
import { parseStructure } from './values.js';

/** What a model or agent span of the OTel GenAI convention says. */
export interface OtelMessages {
  readonly system: ReadMessages;
  readonly input: ReadMessages;
  readonly output: ReadMessages;
}

const none: ReadMessages = { atoms: [], captured: false };

/**
 * Messages of a span from its newest carrier (dialects.md §2.1, §2.30): attributes, the details
 * event, one event per message, the prompt and completion events of 1.26 and 1.27.
 */
export function readOtelMessages(reading: SpanReading): OtelMessages {
  const onSpan = readCarrier(reading.span, reading);
  if (isCaptured(onSpan)) return onSpan;
  const events = reading.span.events();
  const details = events
    .filter((event) => event.name === 'gen_ai.client.inference.operation.details')
    .map((event) => readCarrier(event, reading))
    .reduce(fillIn, onSpan);
  if (isCaptured(details)) return details;
  const perMessage = readMessageEvents(events, reading);
  if (isCaptured(perMessage)) return { ...perMessage, system: onSpan.system };
  return { ...readContentEvents(events, reading), system: onSpan.system };
}

function readCarrier(source: AttributeSource, reading: SpanReading): OtelMessages {
  const choices = source.attribute('gen_ai.request.choice.count');
  const output = source.attribute('gen_ai.output.messages');
  const count = typeof choices === 'number' ? choices : 1;
  return {
    system: readMessages(
      source.attribute('gen_ai.system_instructions') ??
        source.attribute('gen_ai.system.instructions'),
      'system',
      reading,
      'system instructions',
    ),
    input: readMessages(
      source.attribute('gen_ai.input.messages'),
      'user',
      reading,
      'input messages',
    ),
    output: readMessages(firstChoice(output, count), 'assistant', reading, 'output messages'),
  };
}

const inputEvents = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
]);

/** S11: one span event per message, the answer as `gen_ai.choice`. Choices after the first are alternatives. */
function readMessageEvents(events: readonly SpanEvent[], reading: SpanReading): OtelMessages {
  const input: JsonValue[] = [];
  const output: JsonValue[] = [];
  for (const event of events) {
    const role = inputEvents.get(event.name);
    const body = bodyOf(event);
    if (role !== undefined) input.push(messageOf(body, role));
    if (event.name === 'gen_ai.choice' && isFirstChoice(body)) {
      const inner = field(body, 'message');
      output.push(messageOf(isObject(inner) ? { ...body, ...inner } : body, 'assistant'));
    }
  }
  return {
    system: none,
    input: input.length === 0 ? none : readMessages(input, 'user', reading, 'message events'),
    output:
      output.length === 0 ? none : readMessages(output, 'assistant', reading, 'choice events'),
  };
}

/** The event's attributes, with `gen_ai.event.content` and JSON text in them opened. */
function bodyOf(event: SpanEvent): JsonObject {
  const body: Record<string, JsonValue> = Object.create(null);
  for (const key of event.attributeKeys()) body[key] = opened(event.attribute(key)) ?? null;
  const content = body['gen_ai.event.content'];
  return isObject(content) ? { ...body, ...content } : body;
}

function opened(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' ? (parseStructure(value) ?? value) : value;
}

function messageOf(body: JsonObject, role: string): JsonObject {
  const id = role === 'tool' ? field(body, 'id') : undefined;
  return compact({
    role,
    name: field(body, 'name'),
    content: field(body, 'content') ?? field(body, 'message'),
    tool_calls: field(body, 'tool_calls'),
    tool_call_id: id,
  });
}

function isFirstChoice(body: JsonObject): boolean {
  const index = field(body, 'index');
  return index === undefined || index === null || Number(index) === 0;
}

function readContentEvents(events: readonly SpanEvent[], reading: SpanReading): OtelMessages {
  const prompt = events.find((event) => event.name === 'gen_ai.content.prompt');
  const completion = events.find((event) => event.name === 'gen_ai.content.completion');
  return {
    system: none,
    input: readMessages(prompt?.attribute('gen_ai.prompt'), 'user', reading, 'prompt event'),
    output: readMessages(
      firstChoice(completion?.attribute('gen_ai.completion'), 2),
      'assistant',
      reading,
      'completion event',
    ),
  };
}

function isCaptured(messages: OtelMessages): boolean {
  return messages.input.captured || messages.output.captured;
}

/** Strands tells instructions, input and output in one event each. */
function fillIn(known: OtelMessages, more: OtelMessages): OtelMessages {
  return {
    system: known.system.captured ? known.system : more.system,
    input: known.input.captured ? known.input : more.input,
    output: known.output.captured ? known.output : more.output,
  };
}
