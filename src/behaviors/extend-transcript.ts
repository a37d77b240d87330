import { alignForms, commonPrefix } from './align-forms.js';
import { isAttemptAgain, noteCallLosses } from './call-losses.js';
import { pushAll } from './collections.js';
import { decideTail } from './decide-tail.js';
import { fillGap, markCompaction } from './fill-gap.js';
import type { Form } from './form.js';
import { type Growth, newEntries } from './new-entries.js';
import {
  type Entry,
  enrichEntry,
  entryOf,
  isSameAtom,
  noteCallIds,
  recognizeOutput,
  type Transcript,
} from './transcript.js';

/**
 * Adds one model call to its thread (dialects.md §3.3). Calls come in the order of their start.
 *
 * 1. What the input repeats is found: it begins like the previous input (the usual case, costs only
 *    what is new), else by aligning it with the transcript.
 * 2. What it does not repeat is put where it stands in the input: messages of model calls that were
 *    not recorded, edited or summarized messages, and at the end what is new.
 * 3. The output follows, unless later inputs, processed before because of skewed clocks, showed it.
 */
export function extendTranscript(growth: Growth): void {
  const { transcript, call } = growth;
  const isFirst = transcript.entries.length === 0;
  noteCallLosses(growth);
  const mapped = isRestOfFlow(growth) || isFirst ? null : locate(growth);
  const placed = mapped === null ? appendAll(growth, call.input) : mergeInput(growth, mapped);
  addOutput(growth, placed);
}

/** Where each atom of the input is in the transcript, or that nothing says so. */
export interface Located {
  /** Atoms before this one are those of the previous input. */
  readonly known: readonly Entry[];
  /** Transcript index after the last of `known`. */
  readonly from: number;
  /** For the atoms after `known`: transcript index or -1. */
  readonly indexes: readonly number[];
}

interface Placed {
  readonly entries: readonly Entry[];
  /** Entries after the input that the output may turn out to be. */
  readonly rest: readonly Entry[];
  readonly isReplay: boolean;
}

/** This input carries only what is new, as stated or as the whole thread shows; a repeated attempt does not. */
function isRestOfFlow({ transcript, call, losses }: Growth): boolean {
  if (!call.fact.stateful && !transcript.isDelta) return false;
  const reason = call.fact.stateful
    ? 'stated by the instrumentation'
    : 'concluded: no input repeats an answer';
  losses.add('delta_input', reason);
  const previous = transcript.latest;
  if (previous === null || previous.call.output.length > 0) return true;
  return !isAttemptAgain(transcript, call);
}

function locate(growth: Growth): Located | null {
  const { transcript, call } = growth;
  // Inputs that were not recorded say nothing about what came before.
  if (call.input.length === 0) return null;
  const quick = locateAfterPrevious(transcript, call.input);
  if (quick !== null) return isAskedAgain(growth, quick) ? null : quick;
  const forms = transcript.entries.map((entry) => entry.form);
  const prefix = commonPrefix(forms, call.input, transcript.reusedIds);
  const isRepeated = prefix === forms.length || prefix === call.input.length;
  const start = isRepeated ? prefix : 0;
  const indexes = call.input.map((_, index) => (index < start ? index : -1));
  if (!isRepeated) {
    for (const [t, i] of alignForms(forms, call.input, transcript.reusedIds)) indexes[i] = t;
  }
  const located = { known: [], from: 0, indexes };
  return isUnrelated(growth, located) || isAskedAgain(growth, located) ? null : located;
}

/** The input begins with the whole previous input: only the rest needs to be found. */
function locateAfterPrevious(transcript: Transcript, input: readonly Form[]): Located | null {
  const { latest, entries, reusedIds } = transcript;
  const previous = latest?.call.input ?? [];
  const last = latest?.entries.at(-1);
  if (latest === null || last === undefined || previous.length > input.length) return null;
  if (commonPrefix(previous, input, reusedIds) < previous.length) return null;
  const from = entries.lastIndexOf(last) + 1;
  if (from === 0) return null;
  const tail = entries.slice(from).map((entry) => entry.form);
  const rest = input.slice(previous.length);
  const indexes = rest.map(() => -1);
  const prefix = commonPrefix(tail, rest, reusedIds);
  const isRepeated = prefix === tail.length || prefix === rest.length;
  const pairs = isRepeated
    ? indexes.slice(0, prefix).map((_, index): [number, number] => [index, index])
    : alignForms(tail, rest, reusedIds);
  for (const [t, i] of pairs) indexes[i] = t + from;
  return { known: latest.entries, from, indexes };
}

/**
 * Nothing of the previous answer is in the input and it begins with another message: the input carries
 * only what is new although nobody said so.
 */
function isUnrelated({ transcript, call, losses }: Growth, { indexes }: Located): boolean {
  const [firstEntry] = transcript.entries;
  const [firstForm] = call.input;
  if (firstEntry && firstForm && isSameAtom(transcript, firstEntry, firstForm)) return false;
  const expected =
    transcript.latestOutput.length > 0
      ? transcript.latestOutput
      : (transcript.latest?.entries.slice(-1) ?? []);
  const found = new Set(indexes.map((index) => transcript.entries[index]));
  if (expected.some((entry) => found.has(entry))) return false;
  losses.add('delta_input', 'concluded: the input repeats nothing that was said before');
  return true;
}

/**
 * The same question is asked again in a later trace, and the input repeats no answer of this thread: a
 * new turn of an agent without memory. (It may also be a first answer given anew; showing both loses
 * nothing.)
 */
function isAskedAgain({ transcript, call, losses }: Growth, located: Located): boolean {
  const { from, known, indexes } = located;
  if (call.output.length === 0 || indexes.includes(-1)) return false;
  const lastMatch = indexes.at(-1) ?? from - 1;
  const answered = transcript.entries.slice(lastMatch + 1);
  const repeated = [...known, ...indexes.map((index) => transcript.entries[index])];
  const { traceId } = call.invocation;
  const isAgain =
    answered.length > 0 &&
    !repeated.some((entry) => entry?.origin === 'output') &&
    answered.every((entry) => entry.invocation.traceId !== traceId);
  if (isAgain) losses.add('delta_input', 'concluded: the same first message in a later trace');
  return isAgain;
}

function appendAll(growth: Growth, forms: readonly Form[]): Placed {
  const { transcript, call } = growth;
  const entries = newEntries(growth, forms);
  const [summary] = entries;
  const hidesOlder = transcript.entries.length > 0 && call.fact.compacted === true;
  if (hidesOlder && entries.length > 1 && summary !== undefined) markCompaction(growth, summary);
  for (const entry of entries) transcript.entries.push(entry);
  return { entries, rest: [], isReplay: false };
}

/** Puts the atoms of the input that are new between those that are known. */
function mergeInput(growth: Growth, located: Located): Placed {
  const { transcript, call } = growth;
  const offset = located.known.length;
  const placed: Entry[] = [...located.known];
  const merged = transcript.entries.slice(0, located.from);
  let nextEntry = located.from;
  let gapStart = 0;
  for (const [index, at] of located.indexes.entries()) {
    const entry = transcript.entries[at];
    const form = call.input[offset + index];
    if (entry === undefined || form === undefined) continue;
    const gap = {
      next: entry,
      entries: transcript.entries.slice(nextEntry, at),
      forms: call.input.slice(offset + gapStart, offset + index),
      isFront: placed.length === 0 && offset === 0,
    };
    const filled = fillGap(growth, gap);
    pushAll(merged, filled.entries);
    pushAll(placed, filled.placed);
    merged.push(entry);
    placed.push(entry);
    enrichEntry(entry, form);
    nextEntry = at + 1;
    gapStart = index + 1;
  }
  const tail = decideTail(growth, {
    after: merged.at(-1) ?? null,
    sharesAnswer: placed.some((entry) => entry.origin === 'output'),
    entries: transcript.entries.slice(nextEntry),
    forms: call.input.slice(offset + gapStart),
  });
  transcript.entries = [...merged, ...tail.entries];
  return { entries: [...placed, ...tail.placed], rest: tail.rest, isReplay: tail.rest.length > 0 };
}

function addOutput(growth: Growth, placed: Placed): void {
  const { transcript, call, steps } = growth;
  const step = steps.next();
  const output: Entry[] = [];
  let expected = 0;
  for (const form of call.output) {
    const known = placed.rest[expected];
    if (known !== undefined && isSameAtom(transcript, known, form)) {
      recognizeOutput(known, form, call, step);
      output.push(known);
      expected += 1;
      continue;
    }
    const entry = entryOf(form, call, { origin: 'output', at: call.end, step });
    noteCallIds(transcript, entry);
    const after = output.at(-1);
    const place =
      placed.isReplay && after
        ? transcript.entries.lastIndexOf(after) + 1
        : transcript.entries.length;
    transcript.entries.splice(place, 0, entry);
    output.push(entry);
  }
  if (placed.isReplay) return;
  transcript.latest = { call, entries: placed.entries };
  transcript.latestOutput = output;
}
