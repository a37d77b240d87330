import type { JsonValue } from '../../util/json.js';
import { shorten, valueText } from '../../util/text.js';
import type { Template } from './template.js';

export type Unified =
  | {
      readonly ok: true;
      /** The text that stands in the place of each open reference. */
      readonly bindings: ReadonlyMap<string, string>;
    }
  | { readonly ok: false; readonly detail: string };

/**
 * Reads an observed text as an instance of a template (semantics A13, A19, A20): the plain parts must be
 * there, in order, and each reference stands for what is between them. References with a known value are
 * plain parts too. White space at both ends is left aside. Between two plain parts an open reference
 * takes the shortest text; the same reference twice must stand for the same text. Linear.
 */
export function unifyTemplate(
  template: Template,
  observed: string,
  known: ReadonlyMap<string, JsonValue> = new Map(),
): Unified {
  const { plain, open } = splitTemplate(template, known);
  const text = observed.trim();
  const first = plain[0] ?? '';
  const last = plain.at(-1) ?? '';
  if (open.length === 0) {
    return text === first ? { ok: true, bindings: new Map() } : differs(first, text);
  }
  if (!text.startsWith(first)) return differs(first, text);
  const end = text.length - last.length;
  if (end < first.length || !text.endsWith(last)) return differs(last, text);
  const bindings = new Map<string, string>();
  let at = first.length;
  for (const [index, name] of open.entries()) {
    const isLast = index === open.length - 1;
    const next = plain[index + 1] ?? '';
    const found = isLast ? end : text.indexOf(next, at);
    if (found < 0 || found + (isLast ? 0 : next.length) > end) return differs(next, text);
    const value = text.slice(at, found);
    const before = bindings.get(name);
    if (before !== undefined && before !== value) {
      return {
        ok: false,
        detail: `{{${name}}} stands for "${shorten(before, 40)}" and for "${shorten(value, 40)}"`,
      };
    }
    bindings.set(name, value);
    at = found + next.length;
  }
  return { ok: true, bindings };
}

function differs(expected: string, text: string): Unified {
  return {
    ok: false,
    detail: `expected "${shorten(expected.trim(), 40)}" in "${shorten(text, 80)}"`,
  };
}

/** The plain parts around the open references: one more than there are references. */
function splitTemplate(
  template: Template,
  known: ReadonlyMap<string, JsonValue>,
): { readonly plain: readonly string[]; readonly open: readonly string[] } {
  const plain: string[] = [];
  const open: string[] = [];
  let current = '';
  let from = 0;
  for (const { name, offset, end } of template.references) {
    current += template.text.slice(from, offset);
    from = end;
    const value = known.get(name);
    if (value !== undefined) {
      current += valueText(value);
      continue;
    }
    plain.push(open.length === 0 ? current.trimStart() : current);
    open.push(name);
    current = '';
  }
  current += template.text.slice(from);
  const tail = current.trimEnd();
  plain.push(open.length === 0 ? tail.trimStart() : tail);
  return { plain, open };
}
