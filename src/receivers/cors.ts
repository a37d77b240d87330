import type { IncomingMessage, ServerResponse } from 'node:http';

const maxAgeSeconds = 7200;

/** Origins that a browser may send from; `*` stands for any run of characters. Empty: none (otlp.md A1). */
export interface CorsPolicy {
  isAllowed(origin: string): boolean;
}

export function createCorsPolicy(allowedOrigins: readonly string[]): CorsPolicy {
  const allowed = allowedOrigins.map((origin) => origin.toLowerCase().split('*'));
  return { isAllowed: (origin) => allowed.some((parts) => fits(origin.toLowerCase(), parts)) };
}

/**
 * Adds the headers a browser asks for and answers a preflight at once, before authentication and limits.
 * True when the request is answered.
 */
export function answerCors(
  policy: CorsPolicy,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !policy.isAllowed(origin)) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'origin');
  const isPreflight =
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (!isPreflight) return false;
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader(
    'access-control-allow-headers',
    'content-type, content-encoding, authorization',
  );
  response.setHeader('access-control-max-age', String(maxAgeSeconds));
  response.writeHead(204).end();
  return true;
}

/** Whether `text` is made of `parts` with anything between them; linear in the length of the text. */
function fits(text: string, parts: readonly string[]): boolean {
  const [head = '', ...rest] = parts;
  if (rest.length === 0) return text === head;
  const tail = rest.at(-1) ?? '';
  if (!text.startsWith(head) || !text.endsWith(tail)) return false;
  let at = head.length;
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - tail.length;
}
