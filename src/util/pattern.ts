import { RE2JS, RE2JSException } from 're2js';

/**
 * A user's pattern, run in linear time (semantics A31): RE2 syntax, unanchored search, `$` is the end of
 * the text, `\d` is ASCII, `(?i)` `(?s)` `(?m)` inside the pattern.
 */
export interface Pattern {
  readonly source: string;
  /** Number of capturing groups. */
  readonly groupCount: number;
  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean;
  /**
   * The first match: the whole, then its groups; null where a group took no part. Null without a match.
   * Slower than `test`: ask `test` first where only few texts match.
   */
  find(text: string): readonly (string | null)[] | null;
}

export type PatternResult =
  | { readonly ok: true; readonly pattern: Pattern }
  | {
      readonly ok: false;
      /** Offset of the faulty part in the pattern, where it is known. */
      readonly offset: number | null;
      readonly message: string;
      readonly hint: string;
    };

/** Longest pattern that is compiled, in UTF-16 units. */
export const maxPatternLength = 10_000;

const maxCachedPatterns = 500;
const cache = new Map<string, PatternResult>();

/**
 * Compiles a user's pattern; never throws. A bad one tells the faulty part and what to write instead.
 * The last compiled patterns are kept.
 */
export function compilePattern(source: string): PatternResult {
  const known = cache.get(source);
  if (known !== undefined) {
    // Moves it to the young end: the cache forgets what was not used for longest.
    cache.delete(source);
    cache.set(source, known);
    return known;
  }
  const result = compile(source);
  if (source.length > maxPatternLength) return result;
  cache.set(source, result);
  const oldest = cache.keys().next();
  if (cache.size > maxCachedPatterns && oldest.done === false) cache.delete(oldest.value);
  return result;
}

function compile(source: string): PatternResult {
  if (source.length > maxPatternLength) {
    return {
      ok: false,
      offset: null,
      message: `the pattern has ${source.length} characters`,
      hint: `a pattern may have at most ${maxPatternLength}`,
    };
  }
  try {
    return { ok: true, pattern: wrap(source, RE2JS.compile(source)) };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return describeRefusal(source, error.message);
  }
}

function wrap(source: string, compiled: RE2JS): Pattern {
  const groupCount = compiled.groupCount();
  return {
    source,
    groupCount,
    test: (text) => compiled.test(text),
    find: (text) => {
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return null;
      return Array.from({ length: groupCount + 1 }, (_, group) => matcher.group(group) ?? null);
    },
  };
}

/** What RE2 leaves out on purpose, and what to write instead. The first row that fits is told. */
const refusals: readonly { readonly part: RegExp; readonly what: string; readonly hint: string }[] =
  [
    {
      part: /^\(\?(?:<?[=!])/,
      what: 'lookaround is not supported',
      hint: 'patterns run in linear time (RE2 syntax); match the text itself, or use two rules: contains or regex beside none_of',
    },
    {
      part: /^\\[1-9k]|^\(\?P=/,
      what: 'a backreference is not supported',
      hint: 'patterns run in linear time (RE2 syntax); write the expected text, or compare values with variable_consistency',
    },
    {
      part: /^\(\?>|^[*+?}]\+/,
      what: 'atomic groups and possessive repetition are not supported',
      hint: 'write a plain group or repetition: patterns cannot backtrack (RE2 syntax)',
    },
    {
      part: /^\\u/,
      what: 'the escape \\u is not known',
      hint: 'write the character itself or \\x{2014}',
    },
    { part: /^\\Z/, what: 'the escape \\Z is not known', hint: 'write \\z or $ for the end' },
    {
      part: /^\{\d/,
      what: 'the repetition is too large',
      hint: 'a repetition counts to 1000 at most, all nested repetitions together',
    },
    {
      part: /^\(\?<|^\(\?P</,
      what: 'the name of a group is wrong',
      hint: 'a group is named (?<name>…) or (?P<name>…) with letters, digits and "_"',
    },
    {
      part: /^\(\?/,
      what: 'this kind of group is not supported',
      hint: 'RE2 syntax knows (…), (?:…), (?<name>…) and the flags (?i) (?s) (?m) (?U)',
    },
    {
      part: /^\[[^\]]*$|^\[\^?\]/,
      what: 'a character class is not closed',
      hint: 'close it with "]", or write \\[ for the character itself',
    },
    {
      part: /^[*+?]/,
      what: 'there is nothing to repeat',
      hint: 'write \\*, \\+ or \\? for the character itself',
    },
    { part: /^\\/, what: 'this escape is not known', hint: 'write \\\\ for a backslash' },
  ];

function describeRefusal(source: string, message: string): PatternResult {
  const told = message.replace(/^error parsing regexp: /, '');
  // The library quotes the faulty part: "invalid escape sequence: `\1`".
  const quoted = /^(.*?): `([\s\S]*)`$/.exec(told);
  const reason = quoted?.[1] ?? told;
  const part = quoted?.[2] ?? '';
  const offset = part === '' ? -1 : source.indexOf(part);
  const known = refusals.find((row) => row.part.test(part));
  return {
    ok: false,
    offset: offset < 0 ? null : offset,
    message: known === undefined ? reason : `${known.what}: ${shown(part)}`,
    hint: known?.hint ?? 'patterns are written in RE2 syntax',
  };
}

function shown(part: string): string {
  return part.length > 40 ? `${part.slice(0, 39)}…` : part;
}
