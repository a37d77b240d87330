import { agentCalls } from './agent-calls.js';
import { groupBy } from './collections.js';
import { compareForms } from './compare-forms.js';
import { extendTranscript } from './extend-transcript.js';
import { isTextOf } from './form.js';
import type { InvocationMap } from './invocations.js';
import type { LossLedger } from './loss-ledger.js';
import { compareModelCalls, type ModelCall } from './model-calls.js';
import { isAnswer } from './new-entries.js';
import { ThreadIndex } from './thread-index.js';
import { createTranscript, type StepCounter, type Transcript } from './transcript.js';

export interface Threads {
  /** In the order of their first call. */
  readonly transcripts: readonly Transcript[];
  readonly transcriptOf: (threadKey: string) => Transcript;
  readonly calls: readonly ModelCall[];
}

/**
 * Sorts the model calls of a unit into threads and rebuilds each thread's conversation. A thread that
 * begins with the history of another one, as after a hand-off, continues that one.
 */
export function buildTranscripts(
  modelCalls: readonly ModelCall[],
  agents: InvocationMap['agents'],
  steps: StepCounter,
  losses: LossLedger,
): Threads {
  const calls = [...modelCalls, ...agentCalls(modelCalls, agents)].sort(compareModelCalls);
  const traits = threadTraits(calls);
  const byKey = new Map<string, Transcript>();
  const transcripts: Transcript[] = [];
  const index = new ThreadIndex();
  const transcriptOf = (threadKey: string) => {
    const known = byKey.get(threadKey);
    if (known !== undefined) return known;
    const created = createTranscript(threadKey, traits.get(threadKey) ?? noTraits);
    byKey.set(threadKey, created);
    transcripts.push(created);
    return created;
  };
  for (const call of calls) {
    const { threadKey } = call.invocation;
    const continued = byKey.has(threadKey) ? null : index.findContinued(call);
    if (continued !== null) byKey.set(threadKey, continued);
    const transcript = transcriptOf(threadKey);
    const isNew = transcript.latest === null;
    extendTranscript({ transcript, call, steps, losses });
    if (isNew) markEchoes(transcript, call, index);
    index.note(transcript, call);
  }
  noteAbandoned(transcripts, losses);
  return { transcripts, transcriptOf, calls };
}

type Traits = Pick<Transcript, 'showsTools' | 'isDelta'>;

const noTraits: Traits = { showsTools: false, isDelta: false };

function threadTraits(calls: readonly ModelCall[]): ReadonlyMap<string, Traits> {
  const threads = groupBy(calls, (call) => call.invocation.threadKey);
  return new Map([...threads].map(([key, thread]) => [key, traitsOf(thread)]));
}

function traitsOf(thread: readonly ModelCall[]): Traits {
  const inputs = thread.map((call) => call.input).filter((input) => input.length > 0);
  const [first] = inputs[0] ?? [];
  const opensElsewhere = inputs.some(
    ([form]) => first && form && compareForms(first, form, new Set()) === 0,
  );
  return {
    showsTools: inputs.some((input) => input.some((form) => form.is('call') || form.is('result'))),
    isDelta: opensElsewhere && !inputs.some((input) => input.some(isAnswer)),
  };
}

/** A user's message that several agents of a trace are given was said once. */
function markEchoes(transcript: Transcript, call: ModelCall, index: ThreadIndex): void {
  if (call.invocation.anchor !== null) return;
  for (const entry of transcript.entries) {
    if (!isTextOf(entry.form, 'user')) return;
    entry.isEcho = index.isSaidInTrace(entry, transcript);
  }
}

function noteAbandoned(transcripts: readonly Transcript[], losses: LossLedger): void {
  for (const { abandoned } of transcripts) {
    for (const { entries } of abandoned) {
      losses.add('superseded', 'answers or messages that a later call replaced', entries.length);
    }
  }
}
