import { styleText } from 'node:util';

/** Names of `util.styleText` that reports use; a closed set keeps every output alike. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export type Paint = (style: Style, text: string) => string;

/** Leaves text as it is: for files, pipes, `NO_COLOR` and `--no-color`. */
export const paintNothing: Paint = (_style, text) => text;

/** Colours whatever it is given; whether colour is wanted was decided by `wantsColor`. */
export const paintAnsi: Paint = (style, text) => styleText(style, text, { validateStream: false });

export interface ColorWish {
  readonly isTerminal: boolean;
  readonly isRefused: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Whether to colour. A flag beats the environment, `NO_COLOR` (any value but empty, no-color.org) beats
 * `FORCE_COLOR`, and without either the stream decides.
 */
export function wantsColor({ isTerminal, isRefused, env }: ColorWish): boolean {
  if (isRefused || isSet(env.NO_COLOR)) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

const esc = '\u001b';
const bell = '\u0007';
// Escape sequences go first and whole: CSI (colours, cursor), OSC (links, titles) and other strings up
// to their terminator, then two-character escapes. What a broken sequence leaves is a control character.
const escapeSequences = new RegExp(
  [
    `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^${bell}${esc}\u009c]*(?:${bell}|${esc}\\\\|\u009c)`,
    `${esc}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);
// Controls, and what reorders or hides text: bidi marks, embeddings and isolates, zero-width spaces, the
// byte order mark, line and paragraph separators, tag characters. Joiners stay: letters and emoji need them.
const invisible =
  /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Text from a trace, a document or a file name made harmless for a terminal (otlp.md S9): no escape
 * sequence, control or bidi character is left. Line breaks and tabs become single spaces.
 */
export function cleanLine(text: string): string {
  return text
    .replace(escapeSequences, '')
    .replace(/[\t\r\n]+/g, ' ')
    .replace(invisible, '');
}
