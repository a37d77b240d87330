import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

/** The part of opentelemetry-proto's logs messages that Retrial writes, field numbers as in logs/v1/logs.proto. */
const logs = `
syntax = "proto3";
package logs;
import "opentelemetry/proto/common/v1/common.proto";
import "opentelemetry/proto/resource/v1/resource.proto";
message Request { repeated ResourceLogs resource_logs = 1; }
message ResourceLogs {
  opentelemetry.proto.resource.v1.Resource resource = 1;
  repeated ScopeLogs scope_logs = 2;
}
message ScopeLogs {
  opentelemetry.proto.common.v1.InstrumentationScope scope = 1;
  repeated LogRecord log_records = 2;
}
message LogRecord {
  fixed64 time_unix_nano = 1;
  fixed64 observed_time_unix_nano = 11;
  repeated opentelemetry.proto.common.v1.KeyValue attributes = 6;
  bytes trace_id = 9;
  bytes span_id = 10;
  string event_name = 12;
}
`;

const root = new protobuf.Root();
root.resolvePath = (_, target) => fileURLToPath(new URL(`../../proto/${target}`, import.meta.url));
root.loadSync([
  'opentelemetry/proto/common/v1/common.proto',
  'opentelemetry/proto/resource/v1/resource.proto',
]);
protobuf.parse(logs, root);

export interface DecodedLog {
  readonly service: string;
  readonly scope: string;
  readonly eventName: string;
  readonly timeUnixNano: string;
  readonly observedTimeUnixNano: string;
  /** Hex. */
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface Decoded {
  readonly resourceLogs: readonly {
    readonly resource: {
      readonly attributes: readonly { readonly value: { readonly stringValue: string } }[];
    };
    readonly scopeLogs: readonly {
      readonly scope: { readonly name: string };
      readonly logRecords: readonly (Omit<
        DecodedLog,
        'service' | 'scope' | 'traceId' | 'spanId'
      > & {
        readonly traceId: Uint8Array;
        readonly spanId: Uint8Array;
      })[];
    }[];
  }[];
}

/** Log records of an ExportLogsServiceRequest, decoded with the reference codec. */
export function decodeLogs(body: Uint8Array): readonly DecodedLog[] {
  const type = root.lookupType('logs.Request');
  const decoded = type.toObject(type.decode(body), { longs: String }) as unknown as Decoded;
  return decoded.resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.flatMap(({ scope, logRecords }) =>
      logRecords.map((record) => ({
        ...record,
        service: resource.attributes[0]?.value.stringValue ?? '',
        scope: scope.name,
        traceId: Buffer.from(record.traceId).toString('hex'),
        spanId: Buffer.from(record.spanId).toString('hex'),
      })),
    ),
  );
}
