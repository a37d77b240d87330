import { findClosest, shorten } from '../../util/text.js';
import { isReferenceName } from './template.js';

/** A piece of a `when` expression; `offset` counts from the start of the expression. */
export type WhenToken =
  | { readonly kind: 'reference'; readonly name: string; readonly offset: number }
  | {
      readonly kind: 'literal';
      readonly value: null | boolean | number | bigint | string;
      readonly offset: number;
    }
  | { readonly kind: 'operator'; readonly operator: WhenOperator; readonly offset: number }
  | { readonly kind: 'open' | 'close' | 'end'; readonly offset: number };

type WhenOperator = 'not' | 'and' | 'or' | Comparison;
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** What is wrong with a `when`, and where. */
export interface WhenFault {
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

/** Operators by their first letters, longest first. */
const operators: readonly (readonly [string, WhenOperator])[] = [
  ['===', '=='],
  ['!==', '!='],
  ['==', '=='],
  ['!=', '!='],
  ['<=', '<='],
  ['>=', '>='],
  ['&&', 'and'],
  ['||', 'or'],
  ['<', '<'],
  ['>', '>'],
  ['!', 'not'],
];

const words: ReadonlyMap<string, WhenOperator | boolean> = new Map<string, WhenOperator | boolean>([
  ['and', 'and'],
  ['or', 'or'],
  ['not', 'not'],
  ['true', true],
  ['false', false],
]);

const spacePattern = /[ \t\r\n]+/y;
const numberPattern = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?(?![\w.])/y;
const wordPattern = /[A-Za-z_][\w.-]*/y;

/** Splits a `when` into tokens, the last of kind `end`; or tells the first thing that is none. Linear. */
export function lexWhen(text: string): readonly WhenToken[] | WhenFault {
  const tokens: WhenToken[] = [];
  let offset = 0;
  while (true) {
    offset += matchAt(spacePattern, text, offset)?.[0].length ?? 0;
    if (offset >= text.length) break;
    const read = readToken(text, offset);
    if ('message' in read) return read;
    tokens.push(read.token);
    offset = read.end;
  }
  tokens.push({ kind: 'end', offset: text.length });
  return tokens;
}

type Read = { readonly token: WhenToken; readonly end: number } | WhenFault;

function readToken(text: string, offset: number): Read {
  const first = text.charAt(offset);
  if (first === '(') return { token: { kind: 'open', offset }, end: offset + 1 };
  if (first === ')') return { token: { kind: 'close', offset }, end: offset + 1 };
  if (text.startsWith('{{', offset)) return readReference(text, offset);
  if (first === '"' || first === "'") return readString(text, offset, first);
  for (const [written, operator] of operators) {
    if (text.startsWith(written, offset)) {
      return { token: { kind: 'operator', operator, offset }, end: offset + written.length };
    }
  }
  return readNumber(text, offset) ?? readWord(text, offset) ?? describeStranger(text, offset);
}

function readReference(text: string, offset: number): Read {
  const close = text.indexOf('}}', offset);
  const name = close < 0 ? '' : text.slice(offset + 2, close).trim();
  if (isReferenceName(name)) {
    return { token: { kind: 'reference', name, offset }, end: close + 2 };
  }
  return {
    offset,
    message:
      close < 0
        ? 'the reference is not closed'
        : `${shorten(text.slice(offset, close + 2))} is not a reference`,
    hint: 'write {{name}} or {{dataset.column}}',
  };
}

function readNumber(text: string, offset: number): Read | null {
  const match = matchAt(numberPattern, text, offset);
  if (match === null) return null;
  const written = match[0];
  const isInteger = match[1] === undefined && match[2] === undefined;
  const value = Number(written);
  if (!Number.isFinite(value)) {
    return { offset, message: 'the number is too large', hint: 'numbers end at 1.8e308' };
  }
  const exact = isInteger && !Number.isSafeInteger(value) ? BigInt(written) : value;
  return { token: { kind: 'literal', value: exact, offset }, end: offset + written.length };
}

function readWord(text: string, offset: number): Read | null {
  const match = matchAt(wordPattern, text, offset);
  if (match === null) return null;
  const word = match[0];
  const end = offset + word.length;
  if (word === 'null') return { token: { kind: 'literal', value: null, offset }, end };
  const meaning = words.get(word.toLowerCase());
  if (typeof meaning === 'boolean') {
    return { token: { kind: 'literal', value: meaning, offset }, end };
  }
  if (meaning !== undefined) return { token: { kind: 'operator', operator: meaning, offset }, end };
  const close = findClosest(word, ['null', ...words.keys()]);
  const short = shorten(word, 40);
  return {
    offset,
    message: `${short} is not part of the language`,
    hint:
      close === null
        ? `write {{${short}}} for a variable or "${short}" for a text`
        : `did you mean ${close}? A variable is written {{${short}}}, a text "${short}"`,
  };
}

function describeStranger(text: string, offset: number): WhenFault {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  const hints: Readonly<Record<string, string>> = {
    '=': 'compare with ==',
    '&': 'join conditions with && or and',
    '|': 'join conditions with || or or',
  };
  return {
    offset,
    message: `${character} is not part of the language`,
    hint:
      hints[character] ??
      'a condition is made of {{references}}, numbers, "texts", true, false, null, comparisons, &&, || and !',
  };
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['/', '/'],
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
]);

function readString(text: string, offset: number, quote: string): Read {
  const parts: string[] = [];
  let at = offset + 1;
  let plainFrom = at;
  while (at < text.length) {
    const character = text[at];
    if (character === quote) {
      parts.push(text.slice(plainFrom, at));
      return { token: { kind: 'literal', value: parts.join(''), offset }, end: at + 1 };
    }
    if (character !== '\\') {
      at++;
      continue;
    }
    parts.push(text.slice(plainFrom, at));
    const escaped = readEscape(text, at);
    if (escaped === null) {
      return {
        offset: at,
        message: `${shorten(text.slice(at, at + 2))} is not an escape`,
        hint: 'known are \\n \\t \\r \\b \\f \\/ \\\\ \\" \\\' and \\u with four digits; write \\\\ for a backslash',
      };
    }
    parts.push(escaped.value);
    at = escaped.end;
    plainFrom = at;
  }
  return { offset, message: 'the text is not closed', hint: `close it with ${quote}` };
}

function readEscape(text: string, offset: number): { value: string; end: number } | null {
  const letter = text.charAt(offset + 1);
  const simple = escapes.get(letter);
  if (simple !== undefined) return { value: simple, end: offset + 2 };
  const digits = text.slice(offset + 2, offset + 6);
  if (letter !== 'u' || !/^[\dA-Fa-f]{4}$/.test(digits)) return null;
  return { value: String.fromCharCode(Number.parseInt(digits, 16)), end: offset + 6 };
}

function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}
