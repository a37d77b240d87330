/**
 * Marks that instrumentations leave where content was: a placeholder hides a value on purpose, a
 * suffix says that a value was cut (dialects.md §3.4).
 */

const hidden = new Set([
  'redacted',
  '<redacted>',
  '[redacted]',
  '(redacted)',
  '__redacted__',
  '***redacted***',
  'filtered',
  '[filtered]',
  '<filtered>',
]);

const longestPlaceholder = 16;
const longestSuffix = 80;
const cutSuffix =
  /(?:\.\.\.|…)\s*[[(<]?\s*(?:output |content )?truncated[^\])>]*[\])>]?$|[[(<]truncated[^\])>]*[\])>]$/i;

/** True when the text stands in the place of a value that was hidden. */
export function isRedacted(text: string): boolean {
  return text.length <= longestPlaceholder && hidden.has(text.trim().toLowerCase());
}

/** True when the text ends with a note that it was cut. Three dots alone prove nothing. */
export function hasCutSuffix(text: string): boolean {
  return cutSuffix.test(text.slice(-longestSuffix));
}
