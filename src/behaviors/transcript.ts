import type { SpanRef } from '../model/behavior.js';
import type { Completeness } from '../model/evidence.js';
import type { Atom, CallAtom, ResultAtom } from '../model/fact.js';
import { compareForms } from './compare-forms.js';
import { Form, isHidden } from './form.js';
import type { Invocation } from './invocations.js';
import type { ModelCall } from './model-calls.js';
import { joinSpanRefs } from './span-ref.js';

/** One atom of a conversation, with everything that was seen of it. Grows while spans are read. */
export interface Entry {
  form: Form;
  origin: 'output' | 'history' | 'tool' | 'event';
  spans: readonly SpanRef[];
  /** `null`: no span says when; the neighbours do. */
  at: bigint | null;
  /** Entries of one model response share the number; calls of one step are parallel. */
  step: number;
  agent: string | undefined;
  readonly invocation: Invocation;
  /** The model call that showed it first. */
  readonly source: ModelCall | null;
  /** The text that replaced older messages. */
  isCompaction: boolean;
  /** Shown by another thread of the trace already. */
  isEcho: boolean;
  inferred: string | undefined;
}

/** One message history: what has been said, in causal order (dialects.md §3.3). */
export interface Transcript {
  readonly key: string;
  /** The live conversation. */
  entries: Entry[];
  /** Branches that were given up, with the entry that they followed. */
  abandoned: { readonly after: Entry | null; readonly entries: readonly Entry[] }[];
  readonly reusedIds: Set<string>;
  readonly seenCallIds: Set<string>;
  /** The latest call with what each atom of its input is in the transcript. */
  latest: { readonly call: ModelCall; readonly entries: readonly Entry[] } | null;
  latestOutput: readonly Entry[];
  /** False when no input of this thread shows any call or result: then history is text only. */
  readonly showsTools: boolean;
  /** No input of this thread repeats an answer although they differ: each carries only what is new. */
  readonly isDelta: boolean;
}

export function createTranscript(
  key: string,
  traits: Pick<Transcript, 'showsTools' | 'isDelta'>,
): Transcript {
  return {
    key,
    ...traits,
    entries: [],
    abandoned: [],
    reusedIds: new Set(),
    seenCallIds: new Set(),
    latest: null,
    latestOutput: [],
  };
}

/** Numbers of steps, unique in a unit. */
export class StepCounter {
  #last = 0;
  next(): number {
    this.#last += 1;
    return this.#last;
  }
}

export function entryOf(
  form: Form,
  call: ModelCall,
  known: Pick<Entry, 'origin' | 'at' | 'step'>,
): Entry {
  return {
    form,
    ...known,
    spans: call.spans,
    agent: call.agent,
    invocation: call.invocation,
    source: call,
    isCompaction: false,
    isEcho: false,
    inferred: call.inferred,
  };
}

/** Notes the ids of a call that is new to the thread: some models use `call_0` again in every step. */
export function noteCallIds(transcript: Transcript, entry: Entry): void {
  if (!entry.form.is('call')) return;
  for (const id of entry.form.ids) {
    if (transcript.seenCallIds.has(id)) transcript.reusedIds.add(id);
    transcript.seenCallIds.add(id);
  }
}

/** Adds to an entry what another sight of the same atom shows: ids, whole values, names. */
export function enrichEntry(entry: Entry, seen: Form): void {
  const ids = seen.ids.filter((id) => !entry.form.ids.includes(id));
  const atom = betterAtom(entry.form.atom, seen.atom);
  if (ids.length === 0 && atom === entry.form.atom) return;
  entry.form = new Form(atom, [...entry.form.ids, ...ids]);
}

/** An entry known from history turns out to be the output of this call. */
export function recognizeOutput(entry: Entry, form: Form, call: ModelCall, step: number): void {
  enrichEntry(entry, form);
  entry.spans = joinSpanRefs(call.spans, entry.spans);
  entry.at = call.end;
  entry.agent = call.agent ?? entry.agent;
  if (entry.origin === 'output') return;
  entry.origin = 'output';
  entry.step = step;
}

export function isSameAtom(transcript: Transcript, entry: Entry, form: Form): boolean {
  return compareForms(entry.form, form, transcript.reusedIds) > 0;
}

/** Of two sights of one atom the one that shows more; names and ids of the other are kept. */
function betterAtom(known: Atom, seen: Atom): Atom {
  if (known.kind === 'text' && seen.kind === 'text') {
    if (rank(seen.state) === rank(known.state)) {
      const isLonger = known.state === 'truncated' && seen.text.length > known.text.length;
      return isLonger ? seen : known;
    }
    return rank(seen.state) > rank(known.state) ? { ...seen, role: known.role } : known;
  }
  if (known.kind === 'call' && seen.kind === 'call') return betterToolAtom(known, seen);
  if (known.kind === 'result' && seen.kind === 'result') return betterToolAtom(known, seen);
  return known;
}

function betterToolAtom<A extends CallAtom | ResultAtom>(known: A, seen: A): A {
  const better = rank(seen.state) > rank(known.state) ? seen : known;
  const name = known.name || seen.name;
  const callId = known.callId ?? seen.callId;
  if (name === better.name && callId === better.callId) return better;
  return { ...better, name, ...(callId === undefined ? {} : { callId }) };
}

function rank(state: Completeness): number {
  return isHidden(state) ? 0 : state === 'truncated' ? 1 : 2;
}
