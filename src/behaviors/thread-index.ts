import { alignForms } from './align-forms.js';
import { type Form, isTextOf } from './form.js';
import type { ModelCall } from './model-calls.js';
import type { Entry, Transcript } from './transcript.js';

const maxCandidates = 8;
const keyLength = 24;
const noReusedIds: ReadonlySet<string> = new Set();

/**
 * Finds the thread that a new one continues, and user messages that another thread of the trace has
 * shown. Looks threads up by their first and last atoms, so that many threads stay cheap.
 */
export class ThreadIndex {
  readonly #threads = new Map<string, Set<Transcript>>();
  readonly #userTexts = new Map<string, Set<Transcript>>();

  /** Makes the thread findable as it is after this call. */
  note(transcript: Transcript, call: ModelCall): void {
    for (const entry of [transcript.entries[0], transcript.entries.at(-1)]) {
      if (entry !== undefined) add(this.#threads, keyOf(entry.form), transcript);
    }
    if (call.invocation.anchor !== null) return;
    for (const { form } of transcript.latest?.entries.slice(-1) ?? []) {
      if (isTextOf(form, 'user')) add(this.#userTexts, userKey(call, form), transcript);
    }
  }

  /**
   * The thread whose messages this call's input repeats: at least two of them and at least half of the
   * input, with an answer of that thread or all that it has. Examples in a prompt are no history.
   */
  findContinued(call: ModelCall): Transcript | null {
    if (call.fact.stateful) return null;
    const candidates = new Set<Transcript>();
    for (const form of call.input) {
      for (const transcript of this.#threads.get(keyOf(form)) ?? []) {
        if (candidates.size < maxCandidates) candidates.add(transcript);
      }
    }
    let best: Transcript | null = null;
    let most = Math.max(1, call.input.length / 2 - 0.5);
    for (const transcript of candidates) {
      const { entries } = transcript;
      const forms = entries.map((entry) => entry.form);
      const pairs = alignForms(forms, call.input, noReusedIds);
      const isHistory =
        pairs.length === entries.length ||
        pairs.some(([index]) => entries[index]?.origin === 'output');
      if (pairs.length <= most || !isHistory) continue;
      best = transcript;
      most = pairs.length;
    }
    return best;
  }

  isSaidInTrace(entry: Entry, transcript: Transcript): boolean {
    const { source, form } = entry;
    if (source === null) return false;
    const said = this.#userTexts.get(userKey(source, form)) ?? [];
    return [...said].some((other) => other !== transcript);
  }
}

function add(index: Map<string, Set<Transcript>>, key: string, transcript: Transcript): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, new Set([transcript]));
  else if (known.size < maxCandidates) known.add(transcript);
}

function keyOf({ atom, plain }: Form): string {
  const who = atom.kind === 'text' ? atom.role : atom.kind === 'call' ? atom.name : '';
  return `${atom.kind} ${who} ${plain.text.slice(0, keyLength)}`;
}

function userKey(call: ModelCall, form: Form): string {
  return `${call.invocation.traceId} ${form.plain.text}`;
}
