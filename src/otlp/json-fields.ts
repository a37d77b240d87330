import {
  anyValueTag,
  eventTag,
  keyValueTag,
  linkTag,
  listTag,
  requestTag,
  resourceSpansTag,
  resourceTag,
  scopeSpansTag,
  scopeTag,
  spanTag,
  statusTag,
} from './field-tags.js';
import { KeyMatcher } from './json-keys.js';

/** How the JSON value of a field is written in protobuf. */
export type FieldKind =
  | 'string'
  | 'bool'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'fixed64'
  | 'fixed32'
  | 'uint32'
  | 'enum'
  | 'traceId'
  | 'spanId'
  | 'message'
  | 'messages'
  | 'holder'
  | 'groups'
  | 'ignored';

/**
 * One field of a message. `holder` is a message or string that all spans of a group share, `groups` a repeated
 * message that spans stand in, `ignored` a field that Retrial reads as absent.
 */
export interface Field {
  readonly kind: FieldKind;
  readonly tag: number;
  readonly name: string;
  /** Fields of one slot replace each other: the members of a oneof. */
  readonly slot: number;
  readonly message: MessageTable | null;
  /** Numbers of the enum names that lenient reading accepts. */
  readonly names: ReadonlyMap<string, number> | null;
  readonly isDeprecated: boolean;
}

/** The JSON keys of one message and what they mean. */
export interface MessageTable {
  readonly keys: KeyMatcher;
  /** `value` (AnyValue) counts as one level of depth; spans and their groups are written one by one. */
  readonly level: 'resourceSpans' | 'scopeSpans' | 'span' | 'value' | 'part';
}

const spanKinds = enumNames('SPAN_KIND_', [
  'UNSPECIFIED',
  'INTERNAL',
  'SERVER',
  'CLIENT',
  'PRODUCER',
  'CONSUMER',
]);
const statusCodes = enumNames('STATUS_CODE_', ['UNSET', 'OK', 'ERROR']);

// AnyValue, its two lists and KeyValue contain each other, so their keys are added afterwards.
const anyValue: MessageTable = { keys: new KeyMatcher([]), level: 'value' };
export const keyValueTable: MessageTable = { keys: new KeyMatcher([]), level: 'part' };
const arrayValue = table(field('values', 'messages', listTag.values, anyValue));
const keyValueList = table(field('values', 'messages', listTag.values, keyValueTable));

for (const member of [
  field('stringValue', 'string', anyValueTag.string),
  field('boolValue', 'bool', anyValueTag.bool),
  field('intValue', 'int64', anyValueTag.int),
  field('doubleValue', 'double', anyValueTag.double),
  field('arrayValue', 'message', anyValueTag.array, arrayValue),
  field('kvlistValue', 'message', anyValueTag.kvlist, keyValueList),
  field('bytesValue', 'bytes', anyValueTag.bytes),
  field('stringValueStrindex', 'ignored', anyValueTag.stringIndex),
]) {
  anyValue.keys.add(member);
}
for (const member of numbered([
  field('key', 'string', keyValueTag.key),
  field('value', 'message', keyValueTag.value, anyValue),
  field('keyStrindex', 'ignored', keyValueTag.keyIndex),
])) {
  keyValueTable.keys.add(member);
}

const resource = table(
  field('attributes', 'messages', resourceTag.attributes, keyValueTable),
  field('droppedAttributesCount', 'uint32', resourceTag.droppedAttributes),
);

const scope = table(
  field('name', 'string', scopeTag.name),
  field('version', 'string', scopeTag.version),
  field('attributes', 'messages', scopeTag.attributes, keyValueTable),
  field('droppedAttributesCount', 'uint32', scopeTag.droppedAttributes),
);

const event = table(
  field('timeUnixNano', 'fixed64', eventTag.time),
  field('name', 'string', eventTag.name),
  field('attributes', 'messages', eventTag.attributes, keyValueTable),
  field('droppedAttributesCount', 'uint32', eventTag.droppedAttributes),
);

const link = table(
  field('traceId', 'traceId', linkTag.traceId),
  field('spanId', 'spanId', linkTag.spanId),
  field('traceState', 'string', linkTag.traceState),
  field('attributes', 'messages', linkTag.attributes, keyValueTable),
  field('droppedAttributesCount', 'uint32', linkTag.droppedAttributes),
  field('flags', 'fixed32', linkTag.flags),
);

const status = table(
  field('message', 'string', statusTag.message),
  enumField('code', statusTag.code, statusCodes),
);

/** The ids have the first two slots: the encoder checks what was written there. */
const span = levelTable(
  'span',
  field('traceId', 'traceId', spanTag.traceId),
  field('spanId', 'spanId', spanTag.spanId),
  field('traceState', 'string', spanTag.traceState),
  field('parentSpanId', 'spanId', spanTag.parentSpanId),
  field('flags', 'fixed32', spanTag.flags),
  field('name', 'string', spanTag.name),
  enumField('kind', spanTag.kind, spanKinds),
  field('startTimeUnixNano', 'fixed64', spanTag.startTime),
  field('endTimeUnixNano', 'fixed64', spanTag.endTime),
  field('attributes', 'messages', spanTag.attributes, keyValueTable),
  field('droppedAttributesCount', 'uint32', spanTag.droppedAttributes),
  field('events', 'messages', spanTag.events, event),
  field('droppedEventsCount', 'uint32', spanTag.droppedEvents),
  field('links', 'messages', spanTag.links, link),
  field('droppedLinksCount', 'uint32', spanTag.droppedLinks),
  field('status', 'message', spanTag.status, status),
);

const scopeSpans = levelTable(
  'scopeSpans',
  field('scope', 'holder', scopeSpansTag.scope, scope),
  field('spans', 'groups', scopeSpansTag.spans, span),
  field('schemaUrl', 'holder', scopeSpansTag.schemaUrl),
);

// The old name is the same field, so the later of the two counts.
scopeSpans.keys.add(
  deprecated(field('instrumentationLibrary', 'holder', scopeSpansTag.scope, scope)),
);

const resourceSpans = levelTable(
  'resourceSpans',
  field('resource', 'holder', resourceSpansTag.resource, resource),
  field('scopeSpans', 'groups', resourceSpansTag.scopeSpans, scopeSpans),
  deprecated(
    field('instrumentationLibrarySpans', 'groups', resourceSpansTag.scopeSpans, scopeSpans),
  ),
  field('schemaUrl', 'holder', resourceSpansTag.schemaUrl),
);

/** The member of the request itself; Tempo calls it `batches`. */
export const requestField = field(
  'resourceSpans',
  'groups',
  requestTag.resourceSpans,
  resourceSpans,
);

function field(
  name: string,
  kind: FieldKind,
  tag: number,
  message: MessageTable | null = null,
): Field {
  return { kind, tag, name, slot: 0, message, names: null, isDeprecated: false };
}

function enumField(name: string, tag: number, names: ReadonlyMap<string, number>): Field {
  return { ...field(name, 'enum', tag), names };
}

function deprecated(old: Field): Field {
  return { ...old, isDeprecated: true };
}

function table(...fields: Field[]): MessageTable {
  return { keys: new KeyMatcher(numbered(fields)), level: 'part' };
}

function levelTable(level: MessageTable['level'], ...fields: Field[]): MessageTable {
  return { ...table(...fields), level };
}

function numbered(fields: readonly Field[]): Field[] {
  return fields.map((member, slot) => ({ ...member, slot }));
}

function enumNames(prefix: string, names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, number) => [prefix + name, number]));
}
