import type { JsonValue } from './json.js';
import { parseJson } from './json-parse.js';
import { defaultJsonLimits, type JsonLimits } from './limits.js';

export type JsonPrefix =
  | { readonly ok: true; readonly value: JsonValue; readonly truncated: boolean }
  | { readonly ok: false; readonly message: string; readonly offset: number };

/** What instrumentations put where they cut a text. */
const cutMark = /^\s*(?:\.{3}|…|[[(<]\s*truncated)/i;

const wholeWords: readonly string[] = ['true', 'false', 'null'];

/**
 * Parses JSON text that may have been cut off. What was complete is kept, a string value that breaks
 * off keeps what is there of it, a key without a value and a number at the very end (which may lack
 * digits) are left out, and open brackets are closed. A cut mark (`...`, `…`, `[truncated`) outside a
 * string counts as the end. Anything else that is not JSON is an error, as in `parseJson`.
 */
export function parseJsonPrefix(text: string, limits: JsonLimits = defaultJsonLimits): JsonPrefix {
  const whole = parseJson(text, limits);
  if (whole.ok) return { ok: true, value: whole.value, truncated: false };
  const closed = closeBrackets(text);
  const repaired = closed === null ? null : parseJson(closed, limits);
  if (repaired?.ok) return { ok: true, value: repaired.value, truncated: true };
  return { ok: false, message: whole.message, offset: whole.offset };
}

/**
 * The text up to the last place where a value was complete, plus the brackets that are open there;
 * null when nothing was cut. Only brackets, strings and commas are looked at: whether the rest is
 * JSON is for the parser to say.
 */
function closeBrackets(text: string): string | null {
  const closers: string[] = [];
  let safe = 0;
  let expectsKey = false;
  let at = 0;
  while (at < text.length) {
    const mark = text[at] ?? '';
    if (mark === '"') {
      const end = endOfString(text, at);
      if (end === -1) {
        return expectsKey
          ? close(text.slice(0, safe), closers)
          : close(cutString(text, at), closers);
      }
      at = end;
      if (!expectsKey) safe = at;
    } else if (mark === '{' || mark === '[') {
      closers.push(mark === '{' ? '}' : ']');
      expectsKey = mark === '{';
      at += 1;
      safe = at;
    } else if (mark === '}' || mark === ']') {
      if (closers.pop() !== mark) return null;
      expectsKey = false;
      at += 1;
      safe = at;
    } else if (mark === ',') {
      expectsKey = closers.at(-1) === '}';
      at += 1;
    } else if (mark === ':') {
      expectsKey = false;
      at += 1;
    } else if (/[-+.\w]/.test(mark) && !cutMark.test(text.slice(at, at + 3))) {
      const end = endOfWord(text, at);
      const word = text.slice(at, end);
      if (end === text.length && !isCutWord(word)) return null;
      if (end < text.length || wholeWords.includes(word)) safe = end;
      at = end;
    } else if (cutMark.test(text.slice(at, at + 32))) {
      break;
    } else {
      at += 1;
    }
  }
  return closers.length === 0 ? null : close(text.slice(0, safe), closers);
}

function close(text: string, closers: readonly string[]): string {
  return text + closers.toReversed().join('');
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

/** The text, whose string at `start` never ends, with that string closed; half an escape is left out. */
function cutString(text: string, start: number): string {
  let at = start + 1;
  while (at < text.length) {
    const step = text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
    if (at + step > text.length) break;
    at += step;
  }
  return `${text.slice(0, at)}"`;
}

/** True for a beginning of a number, `true`, `false` or `null`. */
function isCutWord(word: string): boolean {
  return (
    /^-?(?:[0-9][-+.0-9eE]*)?$/.test(word) || wholeWords.some((whole) => whole.startsWith(word))
  );
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && /[-+.\w]/.test(text[at] ?? '')) at += 1;
  return at;
}
