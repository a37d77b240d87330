import type { Completeness } from '../model/evidence.js';
import type { Atom, CallAtom, ResultAtom, TextAtom } from '../model/fact.js';
import type { JsonValue } from '../util/json.js';
import { parseJson } from '../util/json-parse.js';
import { canonicalJson } from '../util/json-text.js';
import { realCallId } from './call-ids.js';
import { type PlainText, plainText } from './text-equality.js';

/**
 * An atom made ready for comparison: its real call ids, and its text or canonical value, worked out
 * when first asked for and only then.
 */
export class Form<A extends Atom = Atom> {
  readonly ids: readonly string[];
  #plain: PlainText | undefined;

  constructor(
    readonly atom: A,
    ids?: readonly string[],
  ) {
    this.ids = ids ?? ownIds(atom);
  }

  /** The text that stands for the atom's value. */
  get plain(): PlainText {
    this.#plain ??= plainFormOf(this.atom);
    return this.#plain;
  }

  is<K extends Atom['kind']>(kind: K): this is Form<Extract<Atom, { kind: K }>> {
    return this.atom.kind === kind;
  }
}

export type ApprovalAtom = Extract<Atom, { kind: 'approvalRequest' | 'approvalResponse' }>;

export function isApproval(form: Form): form is Form<ApprovalAtom> {
  return form.is('approvalRequest') || form.is('approvalResponse');
}

/** True for a message text of this role. */
export function isTextOf(form: Form, role: 'user' | 'assistant'): form is Form<TextAtom> {
  return form.is('text') && roleClass(form.atom.role) === role;
}

/** Roles that different dialects use for one another. */
export function roleClass(role: TextAtom['role']): string {
  return role === 'human' ? 'user' : role;
}

/** True when the value was hidden or never recorded, so that it says nothing. */
export function isHidden(state: Completeness): boolean {
  return state === 'redacted' || state === 'absent';
}

/** The value that a call or result carries. */
function payloadOf(atom: CallAtom | ResultAtom): JsonValue | undefined {
  return atom.kind === 'call' ? atom.args : atom.result;
}

function ownIds(atom: Atom): readonly string[] {
  if (atom.kind !== 'call' && atom.kind !== 'result') return [];
  const id = realCallId(atom.callId, atom.name);
  return id === undefined ? [] : [id];
}

function plainFormOf(atom: Atom): PlainText {
  switch (atom.kind) {
    case 'text':
      return plainText(atom.text, atom.state === 'truncated');
    case 'call':
    case 'result':
      return plainValue(payloadOf(atom), atom.state === 'truncated');
    case 'notice':
      return plainValue(atom.content, atom.state === 'truncated');
    case 'approvalRequest':
    case 'approvalResponse':
      return { text: atom.name ?? '', isCut: false };
  }
}

/** JSON text and the value it holds compare equal. */
function plainValue(value: JsonValue | undefined, isTruncated: boolean): PlainText {
  if (value === undefined) return { text: '', isCut: isTruncated };
  const parsed = typeof value === 'string' ? parseStructure(value) : value;
  if (typeof parsed === 'string') return plainText(parsed, isTruncated);
  return { text: canonicalJson(parsed), isCut: isTruncated };
}

/** The object or array that a JSON text holds, else the text. */
export function parseStructure(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}
