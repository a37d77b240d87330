import type { JsonValue } from './json.js';
import { canonicalJson } from './json-text.js';

/** A text file with the starts of its lines. Lines end with LF or CRLF; columns are UTF-16 units. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
  readonly lineStarts: readonly number[];
}

export function createSourceText(file: string, text: string): SourceText {
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lineStarts.push(at + 1);
  }
  return { file, text, lineStarts };
}

/** Line and column, both from 1, of an offset; an offset outside the text is moved to its nearest end. */
export function positionAt(
  source: SourceText,
  offset: number,
): { readonly file: string; readonly line: number; readonly column: number } {
  const inside = Math.max(0, Math.min(offset, source.text.length));
  let low = 0;
  let high = source.lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((source.lineStarts[middle] ?? 0) <= inside) low = middle;
    else high = middle - 1;
  }
  return { file: source.file, line: low + 1, column: inside - (source.lineStarts[low] ?? 0) + 1 };
}

/** The text of a line (from 1) without its line break; empty beyond the end. */
export function lineAt(source: SourceText, line: number): string {
  const start = source.lineStarts[line - 1];
  if (start === undefined) return '';
  const next = source.lineStarts[line];
  return source.text.slice(start, next === undefined ? undefined : next - 1).replace(/\r$/, '');
}

const longestFrame = 2000;

/** The source line for a code frame; none when the line is too long to be read by a person. */
export function frameAt(source: SourceText, line: number): { readonly frame?: string } {
  const frame = lineAt(source, line);
  return frame.length > longestFrame ? {} : { frame };
}

const frameWidth = 96;
const frameLead = 60;

/**
 * A source line with a caret under the column, for people:
 *
 *     12 |   - type: contians
 *        |           ^
 *
 * Tabs keep their width in the caret line; of a very long line only the part around the column is shown.
 */
export function formatCodeFrame(sourceLine: string, line: number, column: number): string {
  const from = column - 1 > frameLead ? column - 1 - frameLead : 0;
  const shown = sourceLine.slice(from, from + frameWidth);
  const lead = shown.slice(0, column - 1 - from).replace(/[^\t]/g, ' ');
  const number = String(line);
  return `${number} | ${shown}\n${' '.repeat(number.length)} | ${lead}^`;
}

const longestCompared = 64;

/**
 * Number of single edits (insert, delete, replace, swap of neighbours) that turn one word into the other.
 */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) {
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}

/**
 * The candidate a person most likely meant, or null when none is near: at most one edit per three
 * letters, case aside. Words longer than 64 characters are never compared.
 */
export function findClosest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > longestCompared) return null;
  const wanted = word.toLowerCase();
  let closest: string | null = null;
  let distance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - word.length) >= distance) continue;
    const found = editDistance(wanted, candidate.toLowerCase());
    if (found < distance) {
      closest = candidate;
      distance = found;
    }
  }
  return closest;
}

/** Words for a sentence: `a`, `a or b`, `a, b or c`. */
export function joinWords(words: readonly string[], last: 'and' | 'or' = 'or'): string {
  const tail = words.at(-1);
  if (tail === undefined || words.length === 1) return tail ?? '';
  return `${words.slice(0, -1).join(', ')} ${last} ${tail}`;
}

/** A text cut for a message; the rest is told by an ellipsis. */
export function shorten(text: string, length = 60): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/**
 * Lower-cases one code point at a time (simple case mapping): no context, no folding, no normalisation.
 * `String.toLowerCase` alone would make a Greek sigma depend on its neighbours and İ two characters.
 */
export function lowerSimply(text: string): string {
  const lowered = text.toLowerCase();
  if (!/[Σİ]/.test(text)) return lowered;
  let result = '';
  for (const character of text) result += character === 'İ' ? 'i' : character.toLowerCase();
  return result;
}

/**
 * A value as text (semantics A17, A29): texts as they are, everything else as canonical JSON. What is set
 * into a text for a reference, and what content evaluators read.
 */
export function valueText(value: JsonValue): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
