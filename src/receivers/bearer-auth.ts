import { createHash, timingSafeEqual } from 'node:crypto';

/** Answers whether an Authorization header carries a known token. Compares in constant time. */
export type AuthCheck = (authorization: string | undefined) => boolean;

/**
 * Checks `Authorization: Bearer <token>` against the lines of a token file (otlp.md A2). Only digests
 * are kept, so a token cannot reach a log or a dump.
 */
export function createBearerAuth(tokenFileText: string): AuthCheck {
  const known = tokenFileText
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(digest);
  return (authorization) => {
    const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return false;
    const seen = digest(token);
    // Every token is compared, whichever matches: the time tells nothing.
    return known.map((one) => timingSafeEqual(one, seen)).includes(true);
  };
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
