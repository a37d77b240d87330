import { RE2JS } from 're2js';

/** True when the text holds a character that makes it a pattern rather than a path. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

/** The folder that a pattern starts from: everything before its first segment with a wildcard. */
export function globRoot(pattern: string): string {
  const segments = pattern.split('/');
  const first = segments.findIndex(isGlob);
  const fixed = segments.slice(0, first < 0 ? segments.length - 1 : first).join('/');
  return fixed === '' && pattern.startsWith('/') ? '/' : fixed;
}

/**
 * A test for whole paths with `/` separators. `*` and `?` stay inside a segment, `**` spans segments,
 * `[abc]` and `{a,b}` choose. Matching takes time linear in the path (RE2).
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const compiled = RE2JS.compile(translate(pattern));
  return (path) => compiled.matches(path);
}

function translate(pattern: string): string {
  let result = '';
  let braces = 0;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    const set = char === '[' ? /^\[(!?)([^\]/]+)\]/.exec(pattern.slice(at)) : null;
    if (pattern.startsWith('**/', at)) {
      result += '(?:[^/]+/)*';
      at += 2;
    } else if (pattern.startsWith('**', at)) {
      result += '.*';
      at += 1;
    } else if (char === '*') result += '[^/]*';
    else if (char === '?') result += '[^/]';
    else if (set !== null) {
      const chars = (set[2] ?? '').replace(/[\\[\]^&~]/g, '\\$&');
      result += `[${set[1] === '!' ? '^' : ''}${chars}]`;
      at += set[0].length - 1;
    } else if (char === '{' && pattern.includes('}', at)) {
      braces++;
      result += '(?:';
    } else if (char === '}' && braces > 0) {
      braces--;
      result += ')';
    } else if (char === ',' && braces > 0) result += '|';
    else result += char.replace(/[\\^$.|?*+()[\]{}]/, '\\$&');
  }
  return result + ')'.repeat(braces);
}
