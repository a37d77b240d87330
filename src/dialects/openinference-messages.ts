import type { Atom, AtomRole, CallAtom } from '../model/fact.js';
import type { JsonObject, JsonValue } from '../util/json.js';
import { canonicalJson } from '../util/json-text.js';
import { LossLog } from './losses.js';
import { type ReadMessages, readMessages } from './messages/index.js';
import { isResponseObject } from './messages/openai-responses.js';
import { unflattenOpenInference } from './messages/openinference-flat.js';
import { readOtelMessages } from './otel-messages.js';
import { isObject } from './shape.js';
import type { SpanReading } from './span-reading.js';
import { parseStructure } from './values.js';

/**
 * Messages of an OpenInference span: the flattened ones, else the raw request and response in
 * `input.value` and `output.value`, else the OTel attributes that span processors leave beside them.
 *
 * The raw response is preferred where it is a whole Responses object, because the flattened form
 * drops the tools that the provider ran. Call ids that the flattened form lacks (LangChain) are
 * borrowed from the raw messages, only when both show the same calls in the same order.
 */
export function readOpenInferenceMessages(reading: SpanReading): {
  readonly input: ReadMessages;
  readonly output: ReadMessages;
} {
  const input = readSide(reading, inputSide);
  const output = readSide(reading, outputSide);
  if (input.captured || output.captured) return { input, output };
  const otel = readOtelMessages(reading);
  const system = otel.system.atoms;
  return {
    input: { ...otel.input, atoms: [...system, ...otel.input.atoms] },
    output: otel.output,
  };
}

interface Side {
  readonly prefix: string;
  readonly raw: string;
  readonly role: AtomRole;
  readonly legacy: { readonly prefix: string; readonly path: string };
}

const inputSide: Side = {
  prefix: 'llm.input_messages',
  raw: 'input.value',
  role: 'user',
  legacy: { prefix: 'llm.prompts', path: 'prompt.text' },
};
const outputSide: Side = {
  prefix: 'llm.output_messages',
  raw: 'output.value',
  role: 'assistant',
  legacy: { prefix: 'llm.choices', path: 'completion.text' },
};

function readSide(reading: SpanReading, side: Side): ReadMessages {
  const whole = side === outputSide ? wholeResponse(reading) : undefined;
  if (whole !== undefined) return whole;
  const flat = unflattenOpenInference(reading.span, side.prefix);
  if (flat === undefined) return readUnflattened(reading, side);
  const read = readMessages([...flat], side.role, reading, side.prefix);
  if (!read.atoms.some((atom) => !isSystem(atom))) {
    const raw = readRaw(reading, side);
    if (raw.captured) return withSystemOf(read, raw);
  }
  if (side === inputSide && hasOpenCalls(read.atoms)) {
    const raw = structureOf(reading.value(side.raw)) && readRaw(reading, side);
    if (raw && trafficOf(raw.atoms).length > trafficOf(read.atoms).length) {
      return withSystemOf(read, raw);
    }
  }
  return { ...read, atoms: borrowIds(read.atoms, reading, side) };
}

/** The raw messages behind the instructions of the flattened ones. */
function withSystemOf(flat: ReadMessages, raw: ReadMessages): ReadMessages {
  const rest = raw.atoms.filter((atom) => !isSystem(atom));
  return { ...raw, atoms: [...flat.atoms.filter(isSystem), ...rest] };
}

/** Of several answers in one message the flattened form keeps the last (Anthropic): a call stays open. */
function hasOpenCalls(atoms: readonly Atom[]): boolean {
  const traffic = trafficOf(atoms);
  return traffic.filter((atom) => atom.kind === 'call').length * 2 > traffic.length;
}

function wholeResponse(reading: SpanReading): ReadMessages | undefined {
  const raw = reading.value('output.value');
  const isCandidate = typeof raw !== 'string' || /"object":\s?"response"/.test(raw);
  const value = isCandidate ? structureOf(raw) : undefined;
  if (!isObject(value) || !isResponseObject(value)) return undefined;
  return readMessages(value, 'assistant', reading, 'output.value');
}

function readUnflattened(reading: SpanReading, side: Side): ReadMessages {
  const legacy = reading.span.attribute(`${side.legacy.prefix}.0.${side.legacy.path}`);
  if (legacy !== undefined) return readMessages(legacy, side.role, reading, side.legacy.prefix);
  return readRaw(reading, side);
}

/** The raw value counts only where it holds messages; a plain value on an LLM span is its text. */
function readRaw(reading: SpanReading, side: Side): ReadMessages {
  const kind = reading.text('openinference.span.kind')?.toUpperCase();
  const raw = reading.value(side.raw);
  if (kind !== 'LLM') return { atoms: [], captured: false };
  const read = readMessages(raw, side.role, reading, side.raw);
  const isUnknown = read.atoms.some((atom) => atom.kind === 'notice' && atom.type === 'unknown');
  return isUnknown ? { atoms: [], captured: false } : read;
}

function borrowIds(atoms: readonly Atom[], reading: SpanReading, side: Side): readonly Atom[] {
  const lacksIds = atoms.some(
    (atom) => (atom.kind === 'call' || atom.kind === 'result') && atom.callId === undefined,
  );
  const raw = lacksIds ? structureOf(reading.value(side.raw)) : undefined;
  if (raw === undefined) return atoms;
  const aside = { losses: new LossLog(), isLimitLength: reading.isLimitLength };
  const lender = trafficOf(readMessages(raw, side.role, aside, side.raw).atoms);
  const own = trafficOf(atoms);
  if (lender.length !== own.length || !own.every((atom, i) => isSameTraffic(atom, lender[i]))) {
    return atoms;
  }
  const ids = new Map(own.map((atom, i) => [atom, lender[i]?.callId]));
  return atoms.map((atom) => {
    const id = isToolTraffic(atom) ? ids.get(atom) : undefined;
    return id === undefined || !isToolTraffic(atom) ? atom : { ...atom, callId: id };
  });
}

type Traffic = Extract<Atom, { kind: 'call' | 'result' }>;

function trafficOf(atoms: readonly Atom[]): readonly Traffic[] {
  return atoms.filter(isToolTraffic);
}

function isToolTraffic(atom: Atom): atom is Traffic {
  return atom.kind === 'call' || atom.kind === 'result';
}

function isSameTraffic(a: Traffic, b: Traffic | undefined): boolean {
  if (b?.kind === 'result') return a.kind === 'result';
  return a.kind === 'call' && b !== undefined && a.name === b.name && argsText(a) === argsText(b);
}

function argsText(call: CallAtom): string {
  return call.args === undefined ? '' : canonicalJson(call.args);
}

function structureOf(raw: JsonValue | undefined): JsonObject | undefined {
  const value = typeof raw === 'string' ? parseStructure(raw) : raw;
  return isObject(value) ? value : undefined;
}

function isSystem(atom: Atom): boolean {
  return atom.kind === 'text' && atom.role === 'system';
}
