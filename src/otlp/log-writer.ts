import { type SpanEventData, writeAttributes } from './event-writer.js';
import { WireWriter } from './wire-writer.js';

/** A log event (a log record with an event name) about one span. */
export interface LogEventData extends SpanEventData {
  /** Lower-case hex. */
  readonly traceId: string;
  readonly spanId: string;
}

/** Tags of opentelemetry-proto 1.11, `collector/logs/v1` and `logs/v1`. */
const tag = {
  resourceLogs: 0x0a,
  resource: 0x0a,
  scopeLogs: 0x12,
  scope: 0x0a,
  scopeName: 0x0a,
  logRecords: 0x12,
  resourceAttributes: 0x0a,
  time: 0x09,
  attributes: 0x32,
  traceId: 0x4a,
  spanId: 0x52,
  observedTime: 0x59,
  eventName: 0x62,
} as const;

/**
 * An ExportLogsServiceRequest with one record per event, in the given order. The observed time is the time
 * of the event, so equal events give equal bytes.
 */
export function writeLogRequest(
  events: readonly LogEventData[],
  origin: { readonly serviceName: string; readonly scopeName: string },
): Uint8Array {
  const writer = new WireWriter(events.length * 512);
  writer.byte(tag.resourceLogs);
  const resourceLogs = writer.beginMessage();
  writer.byte(tag.resource);
  const resource = writer.beginMessage();
  writeAttributes(writer, tag.resourceAttributes, { 'service.name': origin.serviceName });
  writer.endMessage(resource);
  writer.byte(tag.scopeLogs);
  const scopeLogs = writer.beginMessage();
  writer.byte(tag.scope);
  const scope = writer.beginMessage();
  writer.text(tag.scopeName, origin.scopeName);
  writer.endMessage(scope);
  for (const event of events) writeRecord(writer, event);
  writer.endMessage(scopeLogs);
  writer.endMessage(resourceLogs);
  return writer.toBytes();
}

function writeRecord(writer: WireWriter, event: LogEventData): void {
  writer.byte(tag.logRecords);
  const record = writer.beginMessage();
  writer.byte(tag.time);
  writer.fixed64(event.timeUnixNano);
  writeAttributes(writer, tag.attributes, event.attributes);
  writeBytes(writer, tag.traceId, event.traceId);
  writeBytes(writer, tag.spanId, event.spanId);
  writer.byte(tag.observedTime);
  writer.fixed64(event.timeUnixNano);
  writer.text(tag.eventName, event.name);
  writer.endMessage(record);
}

function writeBytes(writer: WireWriter, fieldTag: number, hex: string): void {
  const bytes = Buffer.from(hex, 'hex');
  writer.byte(fieldTag);
  writer.varint(bytes.length);
  writer.raw(bytes, 0, bytes.length);
}
