import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AuthCheck } from './bearer-auth.js';
import { answerCors, type CorsPolicy } from './cors.js';
import { defaultTimeouts, listen, type ServerTimeouts } from './listen.js';
import { encodeExportResponse } from './otlp-response.js';
import { type BodyResult, inflateBody, readBody } from './read-body.js';
import type { IntakeRefusal, RequestRejection, RunningServer, TraceIntake } from './receiver.js';
import { createRefusal, type Refusal, sendBody, sendRefusal } from './refusal.js';
import { type BodyFormat, mediaTypes, readBodyCoding, readBodyFormat } from './request-headers.js';

export interface OtlpHttpOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Before and after inflation. */
  readonly maxRequestBodyBytes: number;
  readonly cors: CorsPolicy;
  /** `null`: everyone may send. */
  readonly auth: AuthCheck | null;
  readonly timeouts?: ServerTimeouts;
}

const tracesPath = '/v1/traces';
const otherSignals = new Map([
  ['/v1/metrics', 'metrics'],
  ['/v1/logs', 'logs'],
  ['/v1development/profiles', 'profiles'],
]);
type Reply =
  | { readonly kind: 'response'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      /** `null` for a request that is no export at all. */
      readonly reason: RequestRejection | null;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'gone' };

/** How often slow senders are looked for. */
const checkIntervalMs = 5_000;
const supportedCodings = 'gzip, deflate, identity';
const internalFault: Refusal = {
  http: 500,
  grpc: 13,
  message: 'internal error; the request was not taken in',
  retryAfterSeconds: null,
};

/**
 * The OTLP/HTTP receiver for traces (otlp.md §1.1, §1.5). A request passes, in this order:
 *
 *   CORS ─► route 404 ─► method 405 ─► token 401 ─► media type 415 ─► coding 415 ─► room 503 ─►
 *   body 413 ─► inflate 413/400 ─► intake 200/400/503
 *
 * Everything up to "room" is decided by the headers alone. Every refusal is a `Status` in the encoding of
 * the request, JSON where that is unknown. Rejects when the address cannot be taken.
 */
export function startOtlpHttp(
  options: OtlpHttpOptions,
  intake: TraceIntake,
): Promise<RunningServer> {
  const timeouts = options.timeouts ?? defaultTimeouts;
  const server = http.createServer(
    {
      headersTimeout: timeouts.headersTimeoutMs,
      requestTimeout: timeouts.requestTimeoutMs,
      keepAliveTimeout: timeouts.keepAliveTimeoutMs,
      connectionsCheckingInterval: checkIntervalMs,
    },
    (request, response) => {
      response.on('error', () => undefined);
      if (answerCors(options.cors, request, response)) return;
      const format = readBodyFormat(request.headers['content-type']);
      decideReply(request, format, options, intake)
        // Nothing throws on purpose; a fault here must not cost the process its other senders.
        .catch((): Reply => ({ kind: 'refused', refusal: internalFault, reason: null }))
        .then((reply) => sendReply(response, reply, format, intake));
    },
  );
  return listen(server, options.host, options.port);
}

async function decideReply(
  request: IncomingMessage,
  format: BodyFormat | null,
  options: OtlpHttpOptions,
  intake: TraceIntake,
): Promise<Reply> {
  const { headers } = request;
  const refused = checkHeaders(request, options);
  if (refused !== null) return refused;
  const coding = readBodyCoding(headers['content-encoding']);
  if (format === null) {
    const type = headers['content-type'] ?? '(none)';
    return refuse('unsupported_media_type', createRefusal('unsupported-media-type', { type }));
  }
  if (coding === null) {
    const encoding = headers['content-encoding'] ?? '';
    const refusal = createRefusal('unsupported-encoding', { encoding });
    return refuse('unsupported_encoding', refusal, { 'accept-encoding': supportedCodings });
  }
  const size = headers['content-length'] === undefined ? null : Number(headers['content-length']);
  const refusal = intake.enter(size);
  if (refusal !== null) return refuse(refusal.reason, toRefusal(refusal));
  try {
    const limit = options.maxRequestBodyBytes;
    const raw = await readBody(request, limit);
    const body = raw.kind === 'body' ? await inflateBody(raw.bytes, coding, limit) : raw;
    return body.kind === 'body' ? deliver(body.bytes, format, intake) : bodyReply(body, limit);
  } finally {
    intake.leave(size);
  }
}

function checkHeaders(request: IncomingMessage, options: OtlpHttpOptions): Reply | null {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  if (path !== tracesPath) return refuse(null, createRefusal('route-unknown', routeValues(path)));
  if (request.method !== 'POST') {
    const values = { method: request.method ?? '', path, allowed: 'POST' };
    return refuse(null, createRefusal('method-not-allowed', values), { allow: 'POST' });
  }
  if (options.auth === null || options.auth(request.headers.authorization)) return null;
  const refusal = createRefusal('unauthenticated', {});
  return refuse('unauthenticated', refusal, { 'www-authenticate': 'Bearer' });
}

function bodyReply(body: Exclude<BodyResult, { kind: 'body' }>, limit: number): Reply {
  switch (body.kind) {
    case 'too_large':
      return refuse('too_large', createRefusal('too-large', { limit }));
    case 'malformed':
      return refuse('malformed', createRefusal('malformed', { detail: body.detail }));
    case 'gone':
      return body;
  }
}

function deliver(body: Buffer, format: BodyFormat, intake: TraceIntake): Reply {
  const result = intake.accept(body, format);
  switch (result.kind) {
    case 'accepted':
      return { kind: 'response', bytes: encodeExportResponse(format, result.partial) };
    case 'malformed':
      return refuse('malformed', createRefusal('malformed', { detail: result.detail }));
    case 'refused':
      return refuse(result.refusal.reason, toRefusal(result.refusal));
  }
}

function sendReply(
  response: ServerResponse,
  reply: Reply,
  format: BodyFormat | null,
  intake: TraceIntake,
): void {
  switch (reply.kind) {
    case 'response':
      sendBody(response, 200, mediaTypes[format ?? 'json'], reply.bytes);
      break;
    case 'refused':
      if (reply.reason !== null) intake.countRefusal(reply.reason);
      for (const [name, value] of Object.entries(reply.headers ?? {})) {
        response.setHeader(name, value);
      }
      sendRefusal(response, reply.refusal, format ?? 'json');
      break;
    case 'gone':
      response.destroy();
      break;
  }
}

function refuse(
  reason: RequestRejection | null,
  refusal: Refusal,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { kind: 'refused', refusal, reason, headers };
}

function toRefusal({ reason, retryAfterSeconds }: IntakeRefusal): Refusal {
  const code = reason === 'overload' ? 'overload' : 'shutting-down';
  return createRefusal(code, {}, retryAfterSeconds);
}

function routeValues(path: string): { path: string; hint: string } {
  const signal = otherSignals.get(path);
  if (signal !== undefined) {
    return { path, hint: `${signal} are not enabled here; switch their exporter off` };
  }
  return { path, hint: `traces go to POST ${tracesPath}` };
}
