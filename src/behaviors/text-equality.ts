/** How surely two values are the same: 0 not, 1 hidden on one side, 2 loosely, 3 exactly. */
export type Likeness = 0 | 1 | 2 | 3;

/** A text without the accidents of its recording. */
export interface PlainText {
  /** White space collapsed, note of truncation removed. */
  readonly text: string;
  readonly isCut: boolean;
}

/** A common prefix this long is taken for the same text (dialects.md §3.4). */
const decisivePrefix = 32;
/** Three dots after fewer characters are prose, not truncation. */
const shortestDotted = 16;
const longestNote = 100;
const truncationNote = /\s*(?:\.\.\.|…)?\s*[[(<]?\s*truncated\b[^\])>]*[\])>]?$/i;

export function plainText(raw: string, isTruncated: boolean): PlainText {
  const text = raw.replace(/\s+/g, ' ').trim();
  const note = truncationNote.exec(text.slice(-longestNote));
  if (note !== null) return { text: text.slice(0, text.length - note[0].length), isCut: true };
  const undotted = text.endsWith('...')
    ? text.slice(0, -3)
    : text.endsWith('…')
      ? text.slice(0, -1)
      : text;
  const isDotted = undotted !== text && undotted.length >= shortestDotted;
  if (isDotted || isTruncated) return { text: undotted.trimEnd(), isCut: true };
  return { text, isCut: false };
}

/** Equal, or one begins with the other where that is decisive: it was cut, or it is long. */
export function compareTexts(a: PlainText, b: PlainText): Likeness {
  if (a.text === b.text) return a.isCut === b.isCut ? 3 : 2;
  const [short, long] = a.text.length < b.text.length ? [a, b] : [b, a];
  const isDecisive = short.isCut || short.text.length >= decisivePrefix;
  return isDecisive && long.text.startsWith(short.text) ? 2 : 0;
}
