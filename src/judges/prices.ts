import type { Price } from './settings.js';

/**
 * List prices in US dollars per million tokens, as published in the autumn of 2026 for the cheapest
 * region. They only feed budgets and ledgers; `price:` of an adapter overrules them. A model that is not
 * here costs an unknown amount, never nothing.
 *
 * A name matches with or without a date or version behind it, and behind any prefix that ends in a dot or
 * a slash: `gpt-4.1-mini-2025-04-14`, `eu.anthropic.claude-haiku-4-5-20251001-v1:0`.
 */
const prices: Readonly<Record<string, readonly [input: number, output: number]>> = {
  'gpt-4o': [2.5, 10],
  'gpt-4o-mini': [0.15, 0.6],
  'gpt-4.1': [2, 8],
  'gpt-4.1-mini': [0.4, 1.6],
  'gpt-4.1-nano': [0.1, 0.4],
  'gpt-5': [1.25, 10],
  'gpt-5-mini': [0.25, 2],
  'gpt-5-nano': [0.05, 0.4],
  'claude-haiku-4-5': [1, 5],
  'claude-sonnet-4-5': [3, 15],
  'claude-opus-4-5': [5, 25],
  'gemini-2.5-flash-lite': [0.1, 0.4],
  'gemini-2.5-flash': [0.3, 2.5],
  'gemini-2.5-pro': [1.25, 10],
};

/** The list price of a model; null when it is not known. */
export function findPrice(model: string): Price | null {
  const name = model.toLowerCase().replace(/^.*[./](?=[a-z]+-)/, '');
  const bare = name.replace(/(?:-\d{8}|-\d{4}-\d{2}-\d{2}|-latest)?(?:-v\d+(?::\d+)?)?$/, '');
  const found = Object.hasOwn(prices, bare) ? prices[bare] : undefined;
  if (found === undefined) return null;
  return { input_per_million: found[0], output_per_million: found[1], per_call: 0 };
}
