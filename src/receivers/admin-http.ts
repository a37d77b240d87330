import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { defaultTimeouts, listen } from './listen.js';
import type { RunningServer } from './receiver.js';
import { sendBody } from './refusal.js';

export interface AdminOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
}

/** What the admin address serves; all of it comes from `pipeline`. */
export interface AdminActions {
  /** Why the process takes no traces right now; empty when it is ready (otlp.md A5). */
  reasonsNotReady(): readonly string[];
  /** Answers with the metrics in Prometheus text format. */
  metrics(request: IncomingMessage, response: ServerResponse): void;
  /** The report so far, as JSON text. */
  report(): string;
  /** Drains; resolves with the final report once everything is graded and sent. */
  stop(): Promise<string>;
}

type Route = (
  actions: AdminActions,
  request: IncomingMessage,
  response: ServerResponse,
) => void | Promise<void>;

const json = 'application/json';
const text = 'text/plain; charset=utf-8';

const routes: Readonly<Record<string, { readonly method: string; readonly answer: Route }>> = {
  '/healthz': { method: 'GET', answer: (_, __, response) => sendText(response, 200, 'ok') },
  '/readyz': { method: 'GET', answer: answerReady },
  '/metrics': {
    method: 'GET',
    answer: (actions, request, response) => actions.metrics(request, response),
  },
  '/report': {
    method: 'GET',
    answer: (actions, _, response) => sendJson(response, actions.report()),
  },
  '/stop': {
    method: 'POST',
    answer: async (actions, _, response) => sendJson(response, await actions.stop()),
  },
};

/**
 * Serves health, metrics, the report so far and the order to stop, on an address of its own. Only for
 * people and programs of this machine: a request that a web page caused is refused, so no page can read
 * the report or stop the process, whatever name it gave to this address.
 */
export function startAdmin(options: AdminOptions, actions: AdminActions): Promise<RunningServer> {
  const server = http.createServer(
    {
      headersTimeout: defaultTimeouts.headersTimeoutMs,
      requestTimeout: defaultTimeouts.requestTimeoutMs,
    },
    (request, response) => {
      response.on('error', () => undefined);
      request.resume();
      const path = (request.url ?? '').split('?', 1)[0] ?? '';
      const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
      if (isFromWebPage(request, options.host)) {
        sendText(response, 403, 'this address answers no web page');
      } else if (route === undefined) {
        sendText(response, 404, `served here: ${Object.keys(routes).join(' ')}`);
      } else if (request.method !== route.method) {
        response.setHeader('allow', route.method);
        sendText(response, 405, `use ${route.method}`);
      } else {
        Promise.resolve(route.answer(actions, request, response)).catch(() =>
          sendText(response, 500, 'internal error'),
        );
      }
    },
  );
  return listen(server, options.host, options.port);
}

function answerReady(actions: AdminActions, _: IncomingMessage, response: ServerResponse): void {
  const reasons = actions.reasonsNotReady();
  if (reasons.length === 0) sendText(response, 200, 'ready');
  else sendText(response, 503, reasons.join('\n'));
}

/** Pages send an Origin; pages of a name that was pointed at this address have that name in Host. */
function isFromWebPage(request: IncomingMessage, ownHost: string): boolean {
  if (request.headers.origin !== undefined) return true;
  const name = (request.headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return isIP(name) === 0 && name.toLowerCase() !== 'localhost' && name !== ownHost;
}

function sendText(response: ServerResponse, status: number, message: string): void {
  sendBody(response, status, text, Buffer.from(`${message}\n`));
}

function sendJson(response: ServerResponse, body: string): void {
  sendBody(response, 200, json, Buffer.from(body));
}
