import { z } from 'zod';
import { parseDuration, parseSize } from './units.js';

/** The kinds of value in retrial.yaml. Each says in its error what it expects, with an example. */

export function text(expected: string) {
  return z.string({ error: `expected ${expected}` }).min(1, { error: `expected ${expected}` });
}

/** Bytes. */
export function size(byDefault: string) {
  const error = 'expected a size such as 64MiB';
  return z
    .union([z.number().int().nonnegative(), z.string()], { error })
    .transform((value, context) => parsed(parseSize(String(value)), error, context))
    .prefault(byDefault);
}

/** Milliseconds. */
export function duration(byDefault: string) {
  const error = 'expected a duration such as 30s, 2m or 1h30m';
  return z
    .union([z.literal(0), z.string()], { error })
    .transform((value, context) => parsed(parseDuration(String(value)), error, context))
    .prefault(byDefault);
}

export function count(byDefault: number) {
  const error = 'expected a whole number above 0';
  return z.number({ error }).int({ error }).positive({ error }).default(byDefault);
}

export function port(byDefault: number) {
  const error = 'expected a port, 0 to 65535 (0 takes a free one)';
  return z
    .number({ error })
    .int({ error })
    .min(0, { error })
    .max(65_535, { error })
    .default(byDefault);
}

export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `expected one of: ${words.join(', ')}` });
}

/** An absolute http or https URL, kept as text. */
export function httpUrl() {
  const error = 'expected a URL such as http://localhost:4318';
  return z.string({ error }).refine(
    (value) => {
      const url = URL.canParse(value) ? new URL(value) : null;
      return url !== null && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '';
    },
    { error },
  );
}

export function list<T extends z.ZodType>(item: T) {
  return z.array(item, { error: 'expected a list' });
}

/** Names to texts, as in HTTP headers. */
export function textMap() {
  const error = 'expected names with texts, such as { authorization: Bearer … }';
  return z.record(z.string(), z.string({ error: 'expected a text' }), { error }).default({});
}

export function section<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, { error: 'expected keys with values' });
}

function parsed(
  value: number | null,
  message: string,
  context: { addIssue(issue: { code: 'custom'; message: string }): void },
): number {
  if (value !== null) return value;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
