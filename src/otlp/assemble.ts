import { type SpanEventData, writeSpanEvent } from './event-writer.js';
import { requestTag, resourceSpansTag, scopeSpansTag } from './field-tags.js';
import type { SpanBatch } from './span-batch.js';
import { resourceColumn, scopeColumn, spanColumn } from './span-columns.js';
import { WireReader } from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

/** One span to be sent, with the events to append to it. */
export interface TracePart {
  readonly batch: SpanBatch;
  readonly row: number;
  readonly events?: readonly SpanEventData[];
}

interface ResourceGroup {
  /** The fields of the group message that are not its members, as received. */
  readonly header: Buffer;
  readonly scopes: Map<string, ScopeGroup>;
}

interface ScopeGroup {
  readonly header: Buffer;
  readonly parts: TracePart[];
}

/**
 * One request that holds exactly the given spans, which may come from several requests. Spans whose
 * resource (with schema URL and unknown fields) is equal byte for byte share a group, and within it
 * those of equal scopes; groups stand in the order of their first span. Resource, scope and span bytes
 * are copied as received.
 */
export function assembleTraces(parts: Iterable<TracePart>): Uint8Array {
  const resources = groupParts(parts);
  const writer = new WireWriter(64 * 1024);
  for (const resource of resources.values()) {
    writer.byte(requestTag.resourceSpans);
    const resourceStart = writer.beginMessage();
    writer.raw(resource.header, 0, resource.header.length);
    for (const scope of resource.scopes.values()) {
      writer.byte(resourceSpansTag.scopeSpans);
      const scopeStart = writer.beginMessage();
      writer.raw(scope.header, 0, scope.header.length);
      for (const part of scope.parts) writeSpan(writer, part);
      writer.endMessage(scopeStart);
    }
    writer.endMessage(resourceStart);
  }
  return writer.toBytes();
}

function writeSpan(writer: WireWriter, { batch, row, events }: TracePart): void {
  const { buffer, spans } = batch.index;
  writer.byte(scopeSpansTag.spans);
  const start = writer.beginMessage();
  writer.raw(buffer, spans.get(row, spanColumn.start), spans.get(row, spanColumn.end));
  for (const event of events ?? []) writeSpanEvent(writer, event);
  writer.endMessage(start);
}

function groupParts(parts: Iterable<TracePart>): Map<string, ResourceGroup> {
  const resources = new Map<string, ResourceGroup>();
  // A scope of one batch always leads to the same group; headers are compared once per scope.
  const known = new Map<SpanBatch, ScopeGroup[]>();
  for (const part of parts) {
    const { batch, row } = part;
    let scopes = known.get(batch);
    if (scopes === undefined) {
      scopes = [];
      known.set(batch, scopes);
    }
    const scope = batch.index.spans.get(row, spanColumn.scope);
    let group = scopes[scope];
    if (group === undefined) {
      group = findGroup(resources, batch, scope);
      scopes[scope] = group;
    }
    group.parts.push(part);
  }
  return resources;
}

function findGroup(
  resources: Map<string, ResourceGroup>,
  { index }: SpanBatch,
  scope: number,
): ScopeGroup {
  const resource = index.scopes.get(scope, scopeColumn.resource);
  const resourceHeader = fieldsWithout(
    index.buffer,
    index.resources.get(resource, resourceColumn.start),
    index.resources.get(resource, resourceColumn.end),
    [resourceSpansTag.scopeSpans, resourceSpansTag.librarySpans],
  );
  const scopeHeader = fieldsWithout(
    index.buffer,
    index.scopes.get(scope, scopeColumn.start),
    index.scopes.get(scope, scopeColumn.end),
    [scopeSpansTag.spans],
  );
  const resourceKey = resourceHeader.toString('latin1');
  let resourceGroup = resources.get(resourceKey);
  if (resourceGroup === undefined) {
    resourceGroup = { header: resourceHeader, scopes: new Map() };
    resources.set(resourceKey, resourceGroup);
  }
  const scopeKey = scopeHeader.toString('latin1');
  let scopeGroup = resourceGroup.scopes.get(scopeKey);
  if (scopeGroup === undefined) {
    scopeGroup = { header: scopeHeader, parts: [] };
    resourceGroup.scopes.set(scopeKey, scopeGroup);
  }
  return scopeGroup;
}

/** The fields of the message `[start, end)` except those with the given tags, in one buffer. */
function fieldsWithout(
  bytes: Buffer,
  start: number,
  end: number,
  excluded: readonly number[],
): Buffer {
  const kept: Buffer[] = [];
  const reader = new WireReader(bytes, start, end);
  while (reader.at < end) {
    const fieldStart = reader.at;
    const tag = reader.readTag();
    reader.skip(tag);
    if (!excluded.includes(tag)) kept.push(bytes.subarray(fieldStart, reader.at));
  }
  return Buffer.concat(kept);
}
