import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PeerRequest {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** Local port of the sender: tells connections apart. */
  readonly connection: number;
}

/** How the peer answers one request; the default is an empty 200. */
export type PeerBehavior = (response: ServerResponse, request: IncomingMessage) => void;

/** A real server that stands where a tracing backend would. */
export interface Peer {
  readonly url: URL;
  readonly requests: readonly PeerRequest[];
  behave: PeerBehavior;
  /** Resolves once this many requests have arrived, counted from the start. */
  received(count: number): Promise<void>;
  /** Stops listening and breaks every connection; `start` brings it back at the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const accept: PeerBehavior = (response) => {
  response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
};

export async function startPeer(behave: PeerBehavior = accept): Promise<Peer> {
  const requests: PeerRequest[] = [];
  const waiting = new Set<{ count: number; resolve: () => void }>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks),
      connection: request.socket.remotePort ?? 0,
    });
    for (const waiter of waiting) {
      if (requests.length < waiter.count) continue;
      waiting.delete(waiter);
      waiter.resolve();
    }
    peer.behave(response, request);
  };
  let server = http.createServer();
  let port = 0;
  const start = async (): Promise<void> => {
    server = http.createServer((request, response) => {
      handle(request, response).catch(() => response.destroy());
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  await start();
  const peer: Peer = {
    url: new URL(`http://127.0.0.1:${port}`),
    requests,
    behave,
    received(count) {
      if (requests.length >= count) return Promise.resolve();
      return new Promise((resolve) => waiting.add({ count, resolve }));
    },
    async stop() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    start,
  };
  return peer;
}
