import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

export interface HttpRequest {
  readonly url: URL;
  /** POST by default. */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** For the whole exchange, name resolution and response body included. */
  readonly timeoutMs: number;
  /** What comes after this many bytes of the answer is not read. */
  readonly maxResponseBytes: number;
  readonly agent?: http.Agent;
  readonly lookup?: LookupFunction;
  readonly signal?: AbortSignal;
}

/** How a request ended. Never a thrown error: a peer that misbehaves is data. */
export type HttpOutcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: http.IncomingHttpHeaders;
      readonly body: Buffer;
      /** The body broke off: too long, too slow, or the connection was lost. */
      readonly isCut: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly reason: 'timeout' | 'network' | 'aborted';
      readonly message: string;
      /** An idle connection that the peer had closed meanwhile: worth one more try at once. */
      readonly wasReusedConnection: boolean;
    };

/**
 * Sends one request. Redirects are not followed and nothing is decompressed. Once the status line is there,
 * the answer is a `response` whatever happens to its body.
 */
export function sendRequest(request: HttpRequest): Promise<HttpOutcome> {
  return new Promise((resolve) => {
    const { url, headers, body } = request;
    const send = url.protocol === 'https:' ? https.request : http.request;
    const outgoing = send(url, {
      method: request.method ?? 'POST',
      headers: { ...headers, 'content-length': String(body.length) },
      ...(request.agent === undefined ? {} : { agent: request.agent }),
      ...(request.lookup === undefined ? {} : { lookup: request.lookup }),
    });
    let response: { incoming: http.IncomingMessage; chunks: Buffer[]; size: number } | null = null;

    const finish = (outcome: HttpOutcome): void => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', abort);
      outgoing.removeAllListeners('error');
      outgoing.on('error', ignore);
      resolve(outcome);
    };
    const stop = (reason: 'timeout' | 'network' | 'aborted', message: string): void => {
      const wasReusedConnection = reason === 'network' && outgoing.reusedSocket;
      if (response === null) finish({ kind: 'failed', reason, message, wasReusedConnection });
      else answer(true);
      outgoing.destroy();
    };
    const answer = (isCut: boolean): void => {
      if (response === null) return;
      const { incoming, chunks } = response;
      finish({
        kind: 'response',
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        body: Buffer.concat(chunks),
        isCut,
      });
    };
    const abort = (): void => stop('aborted', 'the request was given up');
    const timer = setTimeout(
      () => stop('timeout', `no complete answer within ${request.timeoutMs} ms`),
      request.timeoutMs,
    );

    outgoing.on('error', (error) => stop('network', error.message));
    outgoing.on('response', (incoming) => {
      const state = { incoming, chunks: [] as Buffer[], size: 0 };
      response = state;
      incoming.on('data', (chunk: Buffer) => {
        const room = request.maxResponseBytes - state.size;
        if (room > 0) state.chunks.push(chunk.subarray(0, room));
        state.size += chunk.length;
        if (state.size > request.maxResponseBytes) stop('network', 'the answer is too long');
      });
      incoming.on('end', () => answer(false));
      incoming.on('error', () => answer(true));
    });
    if (request.signal?.aborted) abort();
    else outgoing.end(body);
    request.signal?.addEventListener('abort', abort, { once: true });
  });
}

function ignore(): void {}
