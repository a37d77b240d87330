import type { JsonObject, JsonValue } from '../util/json.js';
import { isJsonArray, isJsonObject } from '../util/json-text.js';
import type { ForeignFormat } from './recording.js';

const exportAsOtlp =
  'export the trace as OTLP, for example through a Collector with the file exporter';

/** Formats that people bring along and that are not read yet: named, so that nobody has to guess. */
export const foreignFormats: readonly ForeignFormat[] = [
  {
    title: 'Jaeger JSON',
    hint: `${exportAsOtlp}; newer Jaeger answers OTLP at /api/v3/traces`,
    detectsValue: (value) =>
      isJaegerTrace(value) || memberObjects(value, 'data').some(isJaegerTrace),
  },
  {
    title: 'Zipkin JSON',
    hint: exportAsOtlp,
    detectsValue: (value) =>
      has(value, 'traceId', 'id') &&
      hasAny(value, 'localEndpoint', 'timestamp', 'duration', 'tags'),
  },
  {
    title: 'a Langfuse export',
    hint: `${exportAsOtlp}, or point the OTLP exporter of the agent at a file as well`,
    detectsValue: (value) => has(value, 'trace', 'observations'),
  },
  {
    title: 'a LangSmith run export',
    hint: `${exportAsOtlp}; LangSmith SDKs can send OpenTelemetry spans`,
    detectsValue: (value) =>
      has(value, 'post', 'patch') ||
      (has(value, 'run_type') && hasAny(value, 'dotted_order', 'trace_id', 'id')),
  },
  {
    title: 'a trace export of the OpenAI Agents SDK',
    hint: `${exportAsOtlp}; an OpenTelemetry instrumentation of that SDK can do so`,
    detectsValue: (value) => memberObjects(value, 'data').some(isOpenAiTrace),
  },
  {
    title: 'spans printed by a console exporter',
    hint: 'use the OTLP exporter of the same SDK, into a Collector with the file exporter',
    detectsValue: (value) =>
      has(value, 'trace_id', 'span_id', 'name') || has(value, 'context', 'start_time', 'name'),
  },
  {
    title: 'a CloudWatch export of spans',
    hint: exportAsOtlp,
    detectsValue: (value) =>
      has(value, 'raw_otel_json') || (has(value, 'traceId', 'spanId') && has(value, 'resource')),
  },
  {
    title: 'a zstd archive',
    hint: 'decompress it first: zstd -d FILE',
    detectsBytes: (head) => beginsWith(head, [0x28, 0xb5, 0x2f, 0xfd]),
  },
  {
    title: 'a series of zstd frames (Collector file exporter, compression: zstd)',
    hint: 'write the recording without compression, or gzip the file afterwards',
    detectsBytes: (head) => beginsWith(head.subarray(4), [0x28, 0xb5, 0x2f, 0xfd]),
  },
  {
    title: 'a zip archive',
    hint: 'unpack it first',
    detectsBytes: (head) => beginsWith(head, [0x50, 0x4b, 0x03, 0x04]),
  },
  {
    title: 'UTF-16 text',
    hint: 'save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE',
    detectsBytes: (head) => beginsWith(head, [0xff, 0xfe]) || beginsWith(head, [0xfe, 0xff]),
  },
];

function isJaegerTrace(value: JsonValue): boolean {
  return has(value, 'traceID') && hasAny(value, 'spans', 'spanID');
}

function isOpenAiTrace({ object }: JsonObject): boolean {
  return object === 'trace' || object === 'trace.span';
}

function has(value: JsonValue, ...keys: readonly string[]): boolean {
  return isJsonObject(value) && keys.every((key) => Object.hasOwn(value, key));
}

function hasAny(value: JsonValue, ...keys: readonly string[]): boolean {
  return isJsonObject(value) && keys.some((key) => Object.hasOwn(value, key));
}

function memberObjects(value: JsonValue, key: string): readonly JsonObject[] {
  const member = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isJsonArray(member) ? member.filter(isJsonObject) : [];
}

function beginsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}
