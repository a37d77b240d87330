import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningServer } from './receiver.js';

export interface ServerTimeouts {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

/**
 * Slow senders are cut off (otlp.md H12); an idle connection outlives the idle timeout of the usual load
 * balancers, so they never send into a closing one (H13).
 */
export const defaultTimeouts: ServerTimeouts = {
  headersTimeoutMs: 30_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 80_000,
};

/** Starts listening. Rejects with a sentence for a person when the address cannot be taken. */
export function listen(server: Server, host: string, port: number): Promise<RunningServer> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Error(describeListenError(error, host, port)));
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') {
        return reject(new Error(`${host} is no network address`));
      }
      resolve({ address, url: toUrl(address), stop: (graceMs) => stopServer(server, graceMs) });
    });
  });
}

const sweepMs = 20;

/**
 * A kept-alive connection would keep the server open: who sends again is told to close, who has nothing
 * more to send is closed.
 */
function stopServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
    server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
    server.close(() => {
      clearTimeout(cutOff);
      clearInterval(sweep);
      resolve();
    });
  });
}

function describeListenError(error: NodeJS.ErrnoException, host: string, port: number): string {
  const place = `${host}:${port}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return `cannot listen on ${place}: another process does. Stop it, or choose another port (0 takes a free one)`;
    case 'EACCES':
      return `cannot listen on ${place}: not permitted. Choose a port above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `cannot listen on ${place}: this machine has no such address`;
    default:
      return `cannot listen on ${place}: ${error.message}`;
  }
}

function toUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
