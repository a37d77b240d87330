import { createHash } from 'node:crypto';

/**
 * Text from a trace may hold anything, orders to the judge included (otlp.md S14). It is put between two
 * marker lines that carry a tag made from all fenced texts together: to forge the closing line a text
 * would have to contain a hash of itself. The same texts always get the same tag, so prompts are stable
 * and their answers can be kept.
 */
export interface FencedText {
  readonly name: string;
  readonly text: string;
}

const openMark = '<<<';
const closeMark = '>>>';

/** The tag of these texts: 32 hex digits. */
export function fenceTag(texts: readonly FencedText[]): string {
  const hash = createHash('sha256').update('retrial fence 1');
  for (const { name, text } of texts) {
    hash.update(`\u0000${name.length}:${name}${Buffer.byteLength(text)}:`).update(text);
  }
  return hash.digest('hex').slice(0, 32);
}

/** One text between its marker lines. */
export function fence({ name, text }: FencedText, tag: string): string {
  return `${openMark}${name} ${tag}\n${defuse(text)}\n${name} ${tag}${closeMark}`;
}

/**
 * Characters and words by which a text could leave its place: our own markers, the control tokens of
 * common chat templates (servers that build the prompt from text would obey them), and everything a
 * reader of the prompt would not see. They stay readable and lose their effect.
 */
function defuse(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/<(?=<)|>(?=>)/g, '$&\\')
    .replace(/<(?=[|｜])|[|｜](?=>)/g, '$&\\')
    .replace(/\[(?=\/?(?:INST|SYS|SYSTEM|AVAILABLE_TOOLS|TOOL_RESULTS|TOOL_CALLS)\])/gi, '[\\')
    .replace(
      /<(?=\/?(?:s|bos|eos|sys|start_of_turn|end_of_turn|begin_of_text|end_of_text)>)/gi,
      '<\\',
    )
    .replace(invisible, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/**
 * Control characters other than tab and line feed, format characters (direction marks, zero-width and tag
 * characters), lone surrogates, line separators, and the variation selectors that can carry hidden bytes.
 */
const invisible =
  /[^\P{Cc}\t\n]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|(?!\ufe0e|\ufe0f)\p{Variation_Selector}/gu;
