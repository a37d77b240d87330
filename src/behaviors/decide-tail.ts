import { findEchoes } from './fill-gap.js';
import { type Form, isTextOf } from './form.js';
import { type ModelCall, overlap } from './model-calls.js';
import { type Growth, newEntries } from './new-entries.js';
import { type Entry, isSameAtom } from './transcript.js';

/** What follows the last match, on both sides. */
export interface Tail {
  readonly entries: readonly Entry[];
  readonly forms: readonly Form[];
  /** The last entry that both share. */
  readonly after: Entry | null;
  /** Something that both share is an answer of this thread, not only a prompt or example before it. */
  readonly sharesAnswer: boolean;
}

export interface DecidedTail {
  readonly entries: readonly Entry[];
  readonly placed: readonly Entry[];
  /** The input ended before these: the output of this call may be among them. */
  readonly rest: readonly Entry[];
}

/**
 * Decides how the conversation goes on after the last message that transcript and input share:
 *
 * | transcript goes on | input goes on | it is |
 * |---|---|---|
 * | no  | any | the flow: append |
 * | yes | no  | an answer seen already, a parallel call, a text-only history, or a regenerated answer |
 * | yes | yes | a changed rendering or a left-out part; a branch if the user's message differs |
 *
 * An agent without memory begins every turn with the same examples: sharing them makes no branch.
 */
export function decideTail(growth: Growth, tail: Tail): DecidedTail {
  if (tail.entries.length === 0) return append(growth, tail);
  if (tail.forms.length === 0) return decideRewind(growth, tail);
  const revived = revive(growth, tail);
  if (revived !== null) return revived;
  const echoes = findEchoes({ ...tail, isFront: false, next: null });
  const known = new Set(echoes.values());
  const leftEntries = tail.entries.filter((entry) => !known.has(entry));
  const leftForms = tail.forms.filter((form) => !echoes.has(form));
  const mayBranch = tail.sharesAnswer && !hasUnreadableEnd(growth.call);
  if (mayBranch && isBranch(leftEntries, leftForms)) {
    abandon(growth, tail.after, leftEntries);
    const entries = tail.entries.filter((entry) => known.has(entry));
    return append(growth, { ...tail, entries }, echoes);
  }
  return append(growth, tail, echoes);
}

function append(
  growth: Growth,
  { entries, forms }: Pick<Tail, 'entries' | 'forms'>,
  echoes: ReadonlyMap<Form, Entry> = new Map(),
): DecidedTail {
  const unknown = forms.filter((form) => !echoes.has(form));
  const fresh = newEntries(growth, unknown);
  const freshOf = new Map(unknown.map((form, index) => [form, fresh[index]]));
  const placed = forms
    .map((form) => echoes.get(form) ?? freshOf.get(form))
    .filter((entry) => entry !== undefined);
  return { entries: [...entries, ...fresh], placed, rest: [] };
}

/** The input ends earlier than the transcript. */
function decideRewind(growth: Growth, tail: Tail): DecidedTail {
  const { transcript, call } = growth;
  const [next] = tail.entries;
  const [answer] = call.output;
  const keep = { entries: tail.entries, placed: [], rest: [] };
  if (next === undefined || answer === undefined) return keep;
  if (isSameAtom(transcript, next, answer) && isFromOtherInput(next, call.input.length)) {
    return { ...keep, rest: tail.entries };
  }
  if (tail.entries.some((entry) => entry.source !== null && overlap(entry.source, call)))
    return keep;
  if (hasUnreadableEnd(call)) return keep;
  const isOnlyTools = tail.entries.every((entry) => !entry.form.is('text'));
  if (isOnlyTools && !transcript.showsTools) return keep;
  abandon(growth, tail.after, tail.entries);
  return { entries: [], placed: [], rest: [] };
}

/** An output that another call's history shows; an output of another call with this very input is a second answer. */
function isFromOtherInput(entry: Entry, inputLength: number): boolean {
  return entry.origin !== 'output' || entry.source?.input.length !== inputLength;
}

/** The messages of this call were cut: where they end says nothing. */
function hasUnreadableEnd(call: ModelCall): boolean {
  return call.losses.some((loss) => loss.kind === 'messages_unreadable');
}

/** The user's message at the fork was edited, or the answer before it was given anew. */
function isBranch(entries: readonly Entry[], forms: readonly Form[]): boolean {
  const [entry] = entries;
  const [form] = forms;
  if (entry === undefined || form === undefined) return false;
  if (isTextOf(entry.form, 'user')) return isTextOf(form, 'user');
  const hasLaterTurn = entries.some((later) => isTextOf(later.form, 'user'));
  return isTextOf(entry.form, 'assistant') && isTextOf(form, 'assistant') && hasLaterTurn;
}

/** The input goes on with an answer that was given up: the user chose it after all. */
function revive(growth: Growth, tail: Tail): DecidedTail | null {
  const { transcript } = growth;
  const isChosen = (branch: readonly Entry[]) => {
    const [entry] = branch;
    const [form] = tail.forms;
    return entry !== undefined && form !== undefined && isSameAtom(transcript, entry, form);
  };
  const branch = transcript.abandoned.findLast(
    ({ after, entries }) => after === tail.after && isChosen(entries),
  );
  if (branch === undefined) return null;
  const isShown = (entry: Entry, index: number) => {
    const form = tail.forms[index];
    return form !== undefined && isSameAtom(transcript, entry, form);
  };
  const end = branch.entries.findIndex((entry, index) => !isShown(entry, index));
  const revived = end === -1 ? branch.entries : branch.entries.slice(0, end);
  transcript.abandoned = transcript.abandoned.filter((other) => other !== branch);
  abandon(growth, tail.after, tail.entries);
  const rest = append(growth, { entries: [], forms: tail.forms.slice(revived.length) });
  return { entries: [...revived, ...rest.entries], placed: [...revived, ...rest.placed], rest: [] };
}

function abandon({ transcript }: Growth, after: Entry | null, entries: readonly Entry[]): void {
  if (entries.length > 0) transcript.abandoned.push({ after, entries });
}
