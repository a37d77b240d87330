import type { JsonValue } from '../util/json.js';

/**
 * Reads the `repr` of a Python dict, list or tuple, which LangChain's tool spans carry as arguments:
 * `{'city': 'Paris', 'days': 3, 'exact': True, 'note': None}`. Returns `undefined` for anything else,
 * calls and names included: nothing is evaluated.
 */
export function parsePythonLiteral(text: string): JsonValue | undefined {
  const source: Source = { text, at: 0 };
  const value = readValue(source, 0);
  skipSpace(source);
  return value !== undefined && source.at === text.length ? value : undefined;
}

const maxDepth = 64;
const numberPattern = /-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const words = new Map<string, JsonValue>([
  ['True', true],
  ['False', false],
  ['None', null],
]);
const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['0', '\0'],
]);

interface Source {
  readonly text: string;
  at: number;
}

function readValue(source: Source, depth: number): JsonValue | undefined {
  if (depth > maxDepth) return undefined;
  skipSpace(source);
  const char = source.text[source.at];
  if (char === '{') return readDict(source, depth);
  if (char === '[') return readSequence(source, ']', depth);
  if (char === '(') return readSequence(source, ')', depth);
  if (char === "'" || char === '"') return readString(source, char);
  const word = readWord(source);
  return word === undefined ? readNumber(source) : word;
}

function readDict(source: Source, depth: number): JsonValue | undefined {
  const entries: Record<string, JsonValue> = Object.create(null);
  source.at += 1;
  for (;;) {
    skipSpace(source);
    if (take(source, '}')) return entries;
    const key = readValue(source, depth + 1);
    skipSpace(source);
    if (typeof key !== 'string' || !take(source, ':')) return undefined;
    const value = readValue(source, depth + 1);
    if (value === undefined) return undefined;
    entries[key] = value;
    skipSpace(source);
    if (!take(source, ',') && source.text[source.at] !== '}') return undefined;
  }
}

function readSequence(source: Source, end: string, depth: number): JsonValue | undefined {
  const items: JsonValue[] = [];
  source.at += 1;
  for (;;) {
    skipSpace(source);
    if (take(source, end)) return items;
    const value = readValue(source, depth + 1);
    if (value === undefined) return undefined;
    items.push(value);
    skipSpace(source);
    if (!take(source, ',') && source.text[source.at] !== end) return undefined;
  }
}

function readString(source: Source, quote: string): string | undefined {
  const { text } = source;
  let result = '';
  for (let at = source.at + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === quote) {
      source.at = at + 1;
      return result;
    }
    if (char !== '\\') {
      result += char;
      continue;
    }
    at += 1;
    const escaped = readEscape(text, at);
    result += escaped.value;
    at += escaped.extra;
  }
  return undefined;
}

/** The character after a backslash; `extra` counts what it took beyond that one. */
function readEscape(text: string, at: number): { value: string; extra: number } {
  const char = text.charAt(at);
  const length = char === 'x' ? 2 : char === 'u' ? 4 : char === 'U' ? 8 : 0;
  const digits = text.slice(at + 1, at + 1 + length);
  if (length > 0 && /^[0-9a-fA-F]+$/.test(digits) && digits.length === length) {
    const code = Number.parseInt(digits, 16);
    if (code <= 0x10ffff) return { value: String.fromCodePoint(code), extra: length };
  }
  return { value: escapes.get(char) ?? char, extra: 0 };
}

function readWord(source: Source): JsonValue | undefined {
  for (const [word, value] of words) {
    if (!source.text.startsWith(word, source.at)) continue;
    source.at += word.length;
    return value;
  }
  return undefined;
}

function readNumber(source: Source): JsonValue | undefined {
  numberPattern.lastIndex = source.at;
  const match = numberPattern.exec(source.text)?.[0];
  if (match === undefined) return undefined;
  source.at += match.length;
  const value = Number(match);
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(match)
    ? BigInt(match)
    : value;
}

function skipSpace(source: Source): void {
  while (/\s/.test(source.text.charAt(source.at)) && source.at < source.text.length) source.at += 1;
}

function take(source: Source, char: string): boolean {
  if (source.text[source.at] !== char) return false;
  source.at += 1;
  return true;
}
