import type { CallAtom, ResultAtom } from '../model/fact.js';
import { compareCallIds } from './call-ids.js';
import { type Form, isHidden, roleClass } from './form.js';
import { compareTexts, type Likeness } from './text-equality.js';

/** Ids that a thread used for more than one call: they identify only together with name and value. */
export type ReusedIds = ReadonlySet<string>;

/**
 * Whether two atoms, seen in different model calls, are one (dialects.md §3.4). Ids decide where both
 * sides have real ones of one namespace; else names and values. A hidden value fits any other.
 */
export function compareForms(a: Form, b: Form, reused: ReusedIds): Likeness {
  if (a.is('text') && b.is('text')) {
    if (roleClass(a.atom.role) !== roleClass(b.atom.role)) return 0;
    if (isHidden(a.atom.state) || isHidden(b.atom.state)) return 1;
    return a.atom.text === b.atom.text ? 3 : compareTexts(a.plain, b.plain);
  }
  if (a.is('call') && b.is('call')) return compareToolAtoms(a, b, reused);
  if (a.is('result') && b.is('result')) return compareToolAtoms(a, b, reused);
  if (a.is('approvalRequest') && b.is('approvalRequest')) return compareApprovals(a.atom, b.atom);
  if (a.is('approvalResponse') && b.is('approvalResponse')) return compareApprovals(a.atom, b.atom);
  if (a.is('notice') && b.is('notice')) {
    return a.atom.type === b.atom.type ? compareTexts(a.plain, b.plain) : 0;
  }
  return 0;
}

function compareToolAtoms(
  a: Form<CallAtom | ResultAtom>,
  b: Form<CallAtom | ResultAtom>,
  reused: ReusedIds,
): Likeness {
  if (!areNamesCompatible(a.atom.name, b.atom.name)) return 0;
  const ids = compareCallIds(a.ids, b.ids);
  if (ids === 'different') return 0;
  if (ids === 'equal' && !a.ids.some((id) => reused.has(id))) return 3;
  return compareValuesOf(a, b);
}

/** Equality of arguments or results alone. */
export function compareValuesOf(
  a: Form<CallAtom | ResultAtom>,
  b: Form<CallAtom | ResultAtom>,
): Likeness {
  if (isHidden(a.atom.state) || isHidden(b.atom.state)) return 1;
  if (a.plain.text === b.plain.text) return 3;
  const isProse = !isStructure(a) && !isStructure(b);
  const likeness = isProse || a.plain.isCut || b.plain.isCut ? compareTexts(a.plain, b.plain) : 0;
  // A cut structure was closed again by its reader: its text is no prefix of the whole one.
  return likeness === 0 && (isCutStructure(a) || isCutStructure(b)) ? 1 : likeness;
}

function isStructure(form: Form<CallAtom | ResultAtom>): boolean {
  return /^[[{]/.test(form.plain.text);
}

function isCutStructure(form: Form<CallAtom | ResultAtom>): boolean {
  return form.plain.isCut && isStructure(form);
}

function areNamesCompatible(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === '' || b === '' || a === b;
}

interface ApprovalKeys {
  readonly approvalId?: string;
  readonly callId?: string;
  readonly name?: string;
}

export function compareApprovals(a: ApprovalKeys, b: ApprovalKeys): Likeness {
  if (a.approvalId !== undefined && b.approvalId !== undefined) {
    return a.approvalId === b.approvalId ? 3 : 0;
  }
  if (a.callId !== undefined && b.callId !== undefined) return a.callId === b.callId ? 3 : 0;
  return areNamesCompatible(a.name, b.name) ? 2 : 0;
}
