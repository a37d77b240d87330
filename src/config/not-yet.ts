import type { ConfigValues } from './schema.js';

/** A key that is part of the contract and does nothing yet: set to anything else, it is an error. */
interface NotYet {
  readonly path: readonly string[];
  readonly isSet: (config: ConfigValues) => boolean;
  readonly instead: string;
}

const defaultGrpc = { host: '127.0.0.1', port: 4317, max_recv_msg_size: 64 * 2 ** 20 };

export const notYetTable: readonly NotYet[] = [
  {
    path: ['receivers', 'grpc'],
    isSet: ({ receivers: { grpc } }) =>
      grpc.host !== defaultGrpc.host ||
      grpc.port !== defaultGrpc.port ||
      grpc.max_recv_msg_size !== defaultGrpc.max_recv_msg_size ||
      (grpc.tls ?? null) !== null ||
      grpc.auth !== null,
    instead: 'send OTLP over HTTP to receivers.http',
  },
  {
    path: ['receivers', 'http', 'tls'],
    isSet: ({ receivers }) => (receivers.http.tls ?? null) !== null,
    instead: 'put a proxy with TLS in front, or a Collector on the same machine',
  },
  {
    path: ['ack'],
    isSet: ({ ack }) => ack === 'durable',
    instead: 'ack: memory acknowledges what is held in memory',
  },
  {
    path: ['journal'],
    isSet: ({ journal }) =>
      journal.directory !== '.retrial/journal' || journal.max_size !== 10 * 2 ** 30,
    instead: 'ack: memory needs no journal',
  },
  {
    path: ['behaviors', 'classify'],
    isSet: ({ behaviors }) => behaviors.classify.length > 0,
    instead: 'name the act with a step or with matches_when in the document',
  },
  {
    path: ['behaviors', 'map'],
    isSet: ({ behaviors }) => behaviors.map.length > 0,
    instead: 'set abs.* attributes on in-house spans',
  },
  {
    path: ['history'],
    isSet: ({ history: { path, retention } }) =>
      path !== '.retrial/history.db' ||
      retention.max_age !== 30 * 86_400_000 ||
      retention.max_size !== 5 * 2 ** 30,
    instead: 'keep the reports that --report and GET /report give',
  },
  {
    path: ['telemetry', 'otlp_endpoint'],
    isSet: ({ telemetry }) => telemetry.otlp_endpoint !== null,
    instead: 'read /metrics on the admin address',
  },
];
