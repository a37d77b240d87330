import { z } from 'zod';
import { parseDuration } from '../evaluators/duration.js';

/** Kinds of value in an entry under `adapters:`. Each says in its error what it expects. */

export function text(expected: string) {
  const error = `expected ${expected}`;
  return z.string({ error }).min(1, { error });
}

export function wholeNumber(least: number, most: number, byDefault: number) {
  const error = `expected a whole number from ${least} to ${most}`;
  return z
    .number({ error })
    .int({ error })
    .min(least, { error })
    .max(most, { error })
    .default(byDefault);
}

/** Milliseconds. */
export function duration(byDefault: string) {
  const error = 'expected a duration such as 30s or 2m';
  return z
    .string({ error })
    .transform((value, context) => {
      const nanos = parseDuration(value);
      if (nanos !== null && nanos > 0n) return Number(nanos / 1_000_000n);
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .prefault(byDefault);
}

export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `expected one of: ${words.join(', ')}` });
}

/** An absolute http or https URL without a trailing slash. */
export function baseUrl(byDefault?: string) {
  const error = 'expected a URL such as https://api.example.com/v1';
  const url = z
    .string({ error })
    .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), { error })
    .transform((value) => value.replace(/\/+$/, ''));
  return byDefault === undefined ? url : url.prefault(byDefault);
}

const dollars = z
  .number({ error: 'expected an amount in US dollars' })
  .nonnegative({ error: 'expected an amount in US dollars, 0 or more' });

/** A price in US dollars; what is left out is 0. */
export const priceSchema = z.strictObject({
  input_per_million: dollars.default(0),
  output_per_million: dollars.default(0),
  per_call: dollars.default(0),
});

export type Price = z.output<typeof priceSchema>;

/** Keys that every adapter has. */
export const commonSettings = {
  types: z
    .array(text('a type of evaluation'))
    .nullable()
    .default(null)
    .describe(
      'Types it is the default judge of; null: all it can judge that no other adapter claims.',
    ),
  timeout: duration('60s').describe(
    'For one call, answer included; then the connection is closed.',
  ),
  concurrency: wholeNumber(1, 256, 4).describe('Calls under way at once.'),
  max_attempts: wholeNumber(1, 10, 4).describe('How often one question is sent when calls fail.'),
  max_retry_wait: duration('60s').describe('Longest Retry-After that is waited for.'),
  max_input_chars: wholeNumber(1_000, 10_000_000, 200_000).describe(
    'Longer questions are not asked: a judge never sees half of one.',
  ),
  samples: z
    .union([z.literal(1), z.literal(3), z.literal(5), z.literal(7), z.literal(9)], {
      error: 'expected 1, 3, 5, 7 or 9',
    })
    .default(1)
    .describe('How often a question is asked when it is asked again; the majority decides.'),
  resample: choice(['on_fail', 'near_threshold', 'on_fail_or_near', 'always'])
    .default('on_fail_or_near')
    .describe('When more samples are taken; has no effect with samples: 1.'),
  near: z
    .number({ error: 'expected a number from 0 to 1' })
    .min(0)
    .max(1)
    .default(0.15)
    .describe('How close to the threshold a score must be to be near it.'),
  price: priceSchema.nullable().default(null).describe('Overrules the price table.'),
};

export const adapterCommon = z.object(commonSettings);
export type AdapterCommon = z.output<typeof adapterCommon>;

/** The environment variable that holds a secret: an adapter never holds the secret itself. */
export function secretVariable(byDefault: string) {
  return text('the name of an environment variable')
    .default(byDefault)
    .describe('Environment variable that holds the secret.');
}

export function secretFile() {
  return text('the path of a file')
    .nullable()
    .default(null)
    .describe('File that holds the secret, read at every call; goes before the variable.');
}

/** A number to send, or `none` for models that refuse the parameter. */
function orNone(number: z.ZodNumber, expected: string) {
  return z
    .union([number, z.literal('none')], { error: `expected ${expected}, or none` })
    .transform((value) => (value === 'none' ? null : value))
    .describe('none: not sent, for models that refuse it.');
}

/** Tokens that a provider adds to a question: roles, the tool, its schema once more. */
export const callOverhead = 1_024;

/** Keys of an adapter that asks a chat model. */
export const chatSettings = {
  model: text('the name of a model'),
  temperature: orNone(z.number().min(0).max(2), 'a number from 0 to 2').prefault(0),
  max_output_tokens: wholeNumber(16, 100_000, 4_096).describe(
    'Bounds an answer, thinking included; a budget sets this much aside for every call.',
  ),
};

/** Another sample is sent seed + its number. */
export const seedSetting = { seed: orNone(z.number().int(), 'a whole number').prefault(7) };

/** The scale of a judge of the user's own. */
export const ownScale = z
  .strictObject({
    low: z.number({ error: 'expected a number' }),
    high: z.number({ error: 'expected a number' }),
    best: choice(['low', 'high']).default('high'),
  })
  .refine(({ low, high }) => low < high, { error: 'low must be below high' })
  .default({ low: 0, high: 1, best: 'high' })
  .describe('Scores are brought from it to 0 to 1.');
