import { compareCallIds } from './call-ids.js';
import { type Form, isTextOf } from './form.js';
import { type Growth, newEntries } from './new-entries.js';
import { type Entry, enrichEntry } from './transcript.js';

/** Unmatched atoms of transcript and input before a matched pair. */
export interface Gap {
  readonly entries: readonly Entry[];
  readonly forms: readonly Form[];
  /** Nothing is matched before it. */
  readonly isFront: boolean;
  /** The known entry after the gap. */
  readonly next: Entry | null;
}

export interface Filled {
  /** What stands in the transcript here now. */
  readonly entries: readonly Entry[];
  /** What each form of the gap is, in order. */
  readonly placed: readonly Entry[];
}

/**
 * Decides what unmatched messages of an input are that stand before messages already known.
 *
 * Nothing known in the gap: messages of a model call that was not recorded, or of the time before the
 * first one. A changed rendering of a known message: that message. A text in place of known messages:
 * the summary that replaced them.
 */
export function fillGap(growth: Growth, gap: Gap): Filled {
  if (gap.forms.length === 0) return { entries: gap.entries, placed: [] };
  const echoes = findEchoes(gap);
  const unknown = gap.forms.filter((form) => !echoes.has(form));
  const fresh = newEntries(growth, unknown, gap.next?.invocation);
  if (gap.entries.length > 0) markSummary(growth, gap, fresh);
  const entryOfForm = new Map(unknown.map((form, index) => [form, fresh[index]]));
  const placed = gap.forms
    .map((form) => echoes.get(form) ?? entryOfForm.get(form))
    .filter((entry) => entry !== undefined);
  return { entries: [...gap.entries, ...fresh], placed };
}

function markSummary(growth: Growth, gap: Gap, fresh: readonly Entry[]): void {
  const first = fresh[0];
  if (first === undefined || !first.form.is('text')) return;
  const isInMiddle = !gap.isFront && !isTextOf(first.form, 'user');
  if (isInMiddle && growth.call.fact.compacted !== true) return;
  markCompaction(growth, first);
}

export function markCompaction({ losses }: Growth, entry: Entry): void {
  if (!entry.form.is('text')) return;
  entry.isCompaction = true;
  losses.add('compacted', 'a text stands in place of older messages');
}

/** Larger gaps are not searched for changed renderings. */
const maxComparisons = 250_000;

/**
 * Messages of the transcript that the input shows in another form: one text holds the other; a
 * single answer or call of that name on both sides; at the front, one opening in place of another.
 * A user's text at the end of the input that holds an earlier one was edited: it is no echo.
 */
export function findEchoes(gap: Gap): ReadonlyMap<Form, Entry> {
  const echoes = new Map<Form, Entry>();
  const free = new Set(gap.entries);
  const pair = (form: Form, entry: Entry | undefined) => {
    if (entry === undefined) return;
    free.delete(entry);
    echoes.set(form, entry);
    enrichEntry(entry, form);
  };
  if (gap.entries.length * gap.forms.length > maxComparisons) return echoes;
  for (const form of gap.forms) {
    const mayEcho = isTextOf(form, 'assistant') || (isTextOf(form, 'user') && gap.next !== null);
    if (mayEcho) pair(form, findHolder(free, form));
  }
  const rest = () => gap.forms.filter((form) => !echoes.has(form));
  for (const form of rest()) {
    const entries = [...free].filter((entry) => isCounterpart(entry.form, form));
    const forms = rest().filter((other) => entries[0] && isCounterpart(entries[0].form, other));
    if (entries.length === 1 && forms.length === 1) pair(form, entries[0]);
  }
  const [opening, ...others] = rest();
  if (gap.isFront && others.length === 0 && opening !== undefined && isTextOf(opening, 'user')) {
    const [entry, ...more] = free;
    if (entry !== undefined && more.length === 0 && isTextOf(entry.form, 'user'))
      pair(opening, entry);
  }
  return echoes;
}

function findHolder(entries: ReadonlySet<Entry>, form: Form): Entry | undefined {
  for (const entry of entries) if (holdsOther(entry.form, form)) return entry;
  return undefined;
}

const shortestEcho = 8;

/** A framework joined, trimmed or decorated the text on its way into the history. */
function holdsOther(a: Form, b: Form): boolean {
  const isOneRole =
    (isTextOf(a, 'user') && isTextOf(b, 'user')) ||
    (isTextOf(a, 'assistant') && isTextOf(b, 'assistant'));
  if (!isOneRole) return false;
  const [short, long] = [a.plain.text, b.plain.text].sort((x, y) => x.length - y.length);
  return (
    short !== undefined &&
    long !== undefined &&
    short.length >= shortestEcho &&
    long.includes(short)
  );
}

/** An answer for an answer; a call for a call of that tool whose arguments were written another way. */
function isCounterpart(a: Form, b: Form): boolean {
  if (isTextOf(a, 'assistant')) return isTextOf(b, 'assistant');
  if (!a.is('call') || !b.is('call') || a.atom.name !== b.atom.name) return false;
  const isWritten = typeof a.atom.args === 'string' || typeof b.atom.args === 'string';
  return isWritten && compareCallIds(a.ids, b.ids) !== 'different';
}
