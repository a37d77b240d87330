import type { ServerResponse } from 'node:http';
import { createProblem, type ErrorCode, type ErrorValues, errorTable } from '../errors.js';
import { encodeStatus } from './otlp-response.js';
import { type BodyFormat, mediaTypes } from './request-headers.js';

type RequestError = Extract<
  ErrorCode,
  | 'unauthenticated'
  | 'unsupported-media-type'
  | 'unsupported-encoding'
  | 'too-large'
  | 'malformed'
  | 'overload'
  | 'shutting-down'
  | 'route-unknown'
  | 'method-not-allowed'
>;

export interface Refusal {
  readonly http: number;
  readonly grpc: number;
  readonly message: string;
  readonly retryAfterSeconds: number | null;
}

/** A row of the error table as a refusal; `retryAfterSeconds` for those that are worth another try. */
export function createRefusal<Code extends RequestError>(
  code: Code,
  values: ErrorValues<Code>,
  retryAfterSeconds: number | null = null,
): Refusal {
  const { http, grpc } = errorTable[code];
  const { message, hint } = createProblem(code, values);
  return {
    http,
    grpc,
    message: hint === undefined ? message : `${message}; ${hint}`,
    retryAfterSeconds,
  };
}

/** Answers with the refusal as a `Status` in the sender's encoding (otlp.md R7, R9). */
export function sendRefusal(response: ServerResponse, refusal: Refusal, format: BodyFormat): void {
  const { grpc: code, message, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== null) response.setHeader('retry-after', String(retryAfterSeconds));
  const body = encodeStatus(format, { code, message, retryAfterSeconds });
  sendBody(response, refusal.http, mediaTypes[format], body);
}

export function sendBody(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: Uint8Array,
): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': contentType, 'content-length': body.length });
  response.end(body);
}
