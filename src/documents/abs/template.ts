import { findClosest } from '../../util/text.js';

/** A `{{name}}` inside a text. `offset` and `end` are its place in the text as written, braces included. */
export interface Reference {
  readonly name: string;
  readonly offset: number;
  readonly end: number;
}

/** A text and the references in it, in order. A text without references has an empty list. */
export interface Template {
  readonly text: string;
  readonly references: readonly Reference[];
}

/** A `{{…}}` that is not a reference. */
interface TemplateFault {
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

export type TemplateResult =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly faults: readonly TemplateFault[] };

const namePattern = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;

/** Whether `{{name}}` could refer to it (semantics A18). */
export function isReferenceName(name: string): boolean {
  return namePattern.test(name);
}

/**
 * Finds the references of a text (semantics A18). Braces that are never closed are plain text; a closed
 * pair that holds no name is a fault. Linear in the length of the text.
 */
export function parseTemplate(text: string): TemplateResult {
  const references: Reference[] = [];
  const faults: TemplateFault[] = [];
  let open = text.indexOf('{{');
  while (open >= 0) {
    const close = text.indexOf('}}', open + 2);
    if (close < 0) break;
    const end = close + 2;
    const name = text.slice(open + 2, close).trim();
    if (isReferenceName(name)) references.push({ name, offset: open, end });
    else faults.push(describeFault(text.slice(open, end), name, open));
    open = text.indexOf('{{', end);
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, template: { text, references } };
}

/** The one reference that makes up the whole text, if it is one: such a value keeps its type (A17). */
export function wholeReference(template: Template): Reference | null {
  const only = template.references[0];
  if (only === undefined || template.references.length !== 1) return null;
  return only.offset === 0 && only.end === template.text.length ? only : null;
}

const longestQuoted = 40;

function describeFault(written: string, name: string, offset: number): TemplateFault {
  const shown = written.length > longestQuoted ? `${written.slice(0, longestQuoted)}…` : written;
  return {
    offset,
    message: `${shown} is not a reference`,
    hint:
      suggestName(name) ?? 'a reference is a name: letters, digits, "_", "-", parts joined by "."',
  };
}

function suggestName(name: string): string | null {
  if (name === '') return 'write the name of a variable between the braces, e.g. {{orderId}}';
  const repaired = name
    .slice(0, longestQuoted)
    .replace(/^[^A-Za-z_]+/, '')
    .replace(/[^\w.-]+/g, '_');
  const close = isReferenceName(repaired) ? findClosest(name, [repaired]) : null;
  return close === null ? null : `did you mean {{${close}}}?`;
}
