import { once } from 'node:events';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import { createCorsPolicy } from '../../src/receivers/cors.js';
import { type OtlpHttpOptions, startOtlpHttp } from '../../src/receivers/otlp-http.js';
import type {
  IntakeResult,
  RequestRejection,
  RunningServer,
  TraceIntake,
} from '../../src/receivers/receiver.js';

/** An intake that writes down what it is given and answers as told. */
export interface RecordingIntake extends TraceIntake {
  readonly bodies: { format: string; text: string }[];
  readonly refusals: RequestRejection[];
  inside: number;
  answer: IntakeResult;
  refusal: ReturnType<TraceIntake['enter']>;
}

export function createRecordingIntake(): RecordingIntake {
  return {
    bodies: [],
    refusals: [],
    inside: 0,
    answer: { kind: 'accepted', partial: null },
    refusal: null,
    enter() {
      if (this.refusal === null) this.inside += 1;
      return this.refusal;
    },
    leave() {
      this.inside -= 1;
    },
    accept(body, format) {
      this.bodies.push({ format, text: body.toString() });
      return this.answer;
    },
    countRefusal(reason) {
      this.refusals.push(reason);
    },
  };
}

export function startReceiver(
  intake: TraceIntake,
  options: Partial<OtlpHttpOptions> = {},
): Promise<RunningServer> {
  const defaults = {
    host: '127.0.0.1',
    port: 0,
    maxRequestBodyBytes: 100_000,
    cors: createCorsPolicy([]),
    auth: null,
  };
  return startOtlpHttp({ ...defaults, ...options }, intake);
}

/** Sends bytes as they are and answers with everything the server wrote until it closed. */
export async function sendRaw(server: RunningServer, text: string | Buffer): Promise<string> {
  const socket = net.connect(server.address.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

const root = new protobuf.Root();
root.resolvePath = (_, target) => fileURLToPath(new URL(`../../proto/${target}`, import.meta.url));
root.loadSync([
  'google/rpc/status.proto',
  'google/rpc/error_details.proto',
  'opentelemetry/proto/collector/trace/v1/trace_service.proto',
]);

/** Decodes with the reference codec, all fields spelled as in JSON. */
export function decodeMessage(type: string, bytes: Uint8Array): Record<string, unknown> {
  const message = root.lookupType(type);
  return message.toObject(message.decode(bytes), { longs: String, bytes: String });
}

export const statusType = 'google.rpc.Status';
export const retryInfoType = 'google.rpc.RetryInfo';
export const responseType = 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse';
