import { compareCallIds } from './call-ids.js';
import type { Execution } from './executions.js';
import { Form } from './form.js';
import type { Entry, Transcript } from './transcript.js';

/** What became of one call. */
export interface CallState {
  readonly entry: Entry;
  readonly transcript: Transcript;
  /** When it was made, as far as known; else when its neighbour before was. */
  readonly at: bigint;
  execution: Execution | null;
  /** The result that history shows. */
  historyResult: Entry | null;
  /** The result that only the execution shows. */
  ownResult: Entry | null;
  /** Approvals recorded by spans of their own. */
  readonly approvals: Entry[];
  isRejected: boolean;
  hasDecision: boolean;
  handoffTarget: string | null;
}

/** All calls of a unit in transcript order, each result and decision with its call. */
export class CallStates {
  readonly #states = new Map<Entry, CallState>();
  readonly #resultOwners = new Map<Entry, CallState>();
  readonly #byId = new Map<string, CallState[]>();

  add(entry: Entry, transcript: Transcript, at: bigint): CallState {
    const state: CallState = {
      entry,
      transcript,
      at,
      execution: null,
      historyResult: null,
      ownResult: null,
      approvals: [],
      isRejected: false,
      hasDecision: false,
      handoffTarget: null,
    };
    this.#states.set(entry, state);
    for (const id of entry.form.ids) this.#noteId(id, state);
    return state;
  }

  /** The result belongs to the call; its ids are ids of the call. */
  link(state: CallState, result: Entry): void {
    this.#resultOwners.set(result, state);
    state.historyResult ??= result;
    const added = result.form.ids.filter((id) => !state.entry.form.ids.includes(id));
    if (added.length === 0) return;
    state.entry.form = new Form(state.entry.form.atom, [...state.entry.form.ids, ...added]);
    for (const id of added) this.#noteId(id, state);
  }

  of(entry: Entry): CallState | undefined {
    return this.#states.get(entry);
  }

  ownerOfResult(entry: Entry): CallState | undefined {
    return this.#resultOwners.get(entry);
  }

  /** Results of history whose call no model call shows, in transcript order. */
  orphanResults(transcript: Transcript): readonly Entry[] {
    return transcript.entries.filter(
      (entry) => entry.form.is('result') && !this.#resultOwners.has(entry),
    );
  }

  noteResult(state: CallState, result: Entry): void {
    this.#resultOwners.set(result, state);
  }

  withId(id: string): readonly CallState[] {
    return this.#byId.get(id) ?? [];
  }

  all(): readonly CallState[] {
    return [...this.#states.values()];
  }

  #noteId(id: string, state: CallState): void {
    const known = this.#byId.get(id);
    if (known === undefined) this.#byId.set(id, [state]);
    else known.push(state);
  }
}

/**
 * Finds every call of the transcripts and the result that history shows for it: by any of its ids, the
 * latest call first where an id was used again; else the earliest open call of that name.
 */
export function collectCallStates(transcripts: readonly Transcript[]): CallStates {
  const states = new CallStates();
  for (const transcript of transcripts) linkResults(transcript, states);
  return states;
}

function linkResults(transcript: Transcript, states: CallStates): void {
  const open = new Set<CallState>();
  const latestById = new Map<string, CallState>();
  let now = transcript.entries.find((entry) => entry.at !== null)?.at ?? 0n;
  for (const entry of transcript.entries) {
    if (entry.at !== null && entry.at > now) now = entry.at;
    if (entry.form.is('call')) {
      const state = states.add(entry, transcript, now);
      open.add(state);
      for (const id of entry.form.ids) latestById.set(id, state);
    } else if (entry.form.is('result')) {
      const state = byId(entry.form, latestById) ?? firstFitting(open, entry.form);
      if (state === undefined) continue;
      states.link(state, entry);
      open.delete(state);
      for (const id of entry.form.ids) latestById.set(id, state);
    }
  }
}

function byId(form: Form, latestById: ReadonlyMap<string, CallState>): CallState | undefined {
  for (const id of form.ids) {
    const state = latestById.get(id);
    if (state !== undefined) return state;
  }
  return undefined;
}

function firstFitting(open: ReadonlySet<CallState>, form: Form): CallState | undefined {
  if (!form.is('result')) return undefined;
  const { name } = form.atom;
  for (const state of open) {
    const call = state.entry.form;
    const fitsName =
      name === undefined || name === '' || (call.is('call') && call.atom.name === name);
    if (fitsName && compareCallIds(call.ids, form.ids) !== 'different') return state;
  }
  return undefined;
}
