import type { Atom, ToolExecution } from '../../../src/model/fact.js';
import { assistant, call, execution, result, user } from '../facts.js';
import type { Conversation, Round, ToolCall } from './conversation.js';
import type { Faults } from './faults.js';
import type { Random } from './random.js';

/**
 * A recording before it is written in any vocabulary: spans with what they say. A renderer turns it into
 * facts, or into the attributes of one dialect.
 */
export type PlannedSpan = {
  readonly trace: number;
  readonly id: number;
  readonly parent: number | null;
  /** Milliseconds. */
  start: number;
  end: number;
  readonly scope: string;
} & (
  | { readonly kind: 'parent' }
  | { readonly kind: 'agent' }
  | {
      readonly kind: 'llm';
      readonly input: readonly Atom[];
      readonly output: readonly Atom[];
      readonly failed: boolean;
      readonly stateful: boolean;
    }
  | { readonly kind: 'tool'; readonly tool: ToolExecution }
);

type SpanContent = WithoutPlace<PlannedSpan>;
type WithoutPlace<T> = T extends unknown ? Omit<T, 'trace' | 'id' | 'parent'> : never;

/** Plays the conversation through an agent loop that is recorded with these faults. */
export function planRecording(
  conversation: Conversation,
  faults: Faults,
  random: Random,
): readonly PlannedSpan[] {
  const recorder = new Recorder(faults, random);
  const inOneTrace = random.chance(0.5);
  if (inOneTrace) recorder.openTrace();
  for (const [index, turn] of conversation.turns.entries()) {
    const trace = inOneTrace ? 0 : index;
    const history = recorder.history;
    recorder.openAgent(trace);
    history.push([user(turn.user)]);
    for (const round of turn.rounds) recorder.round(round);
    recorder.modelCall([assistant(turn.answer)]);
    recorder.closeAgent();
    recorder.wait(random.integer(50, 500));
  }
  return recorder.finish();
}

class Recorder {
  /** Messages; each has one or more atoms. */
  readonly history: Atom[][] = [];
  readonly #spans: PlannedSpan[] = [];
  readonly #faults: Faults;
  readonly #random: Random;
  #now = 1000;
  #trace = 0;
  #root: PlannedSpan | null = null;
  #agent: PlannedSpan | null = null;
  /** Messages that an earlier input or output has carried. */
  #sent = 0;

  constructor(faults: Faults, random: Random) {
    this.#faults = faults;
    this.#random = random;
  }

  wait(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** A span of the program around all turns. */
  openTrace(): void {
    this.#root = this.#addSpan(
      { kind: 'parent', start: this.#now, end: this.#now, scope: 'app' },
      null,
    );
    this.wait(1);
  }

  openAgent(trace: number): void {
    this.#trace = trace;
    const span = { kind: 'agent' as const, start: this.#now, end: this.#now, scope: 'sdk' };
    this.#agent = this.#addSpan(span, this.#root?.id ?? null);
    this.wait(1);
  }

  closeAgent(): void {
    for (const span of [this.#agent, this.#root]) if (span !== null) span.end = this.#now;
  }

  round(round: Round): void {
    this.modelCall([
      ...(round.text === null ? [] : [assistant(round.text)]),
      ...round.calls.map((each) => call(each.name, each.args, each.id)),
    ]);
    const start = this.#now;
    for (const each of round.calls) {
      this.wait(this.#random.integer(1, 30));
      this.#toolSpan(each, start);
    }
    this.history.push(
      ...round.calls.map((each) => [result(each.name, each.result, each.id, each.isError)]),
    );
    this.wait(1);
  }

  modelCall(output: readonly Atom[]): void {
    if (this.#random.chance(this.#faults.retries ?? 0)) {
      this.#modelSpan([], this.#random.chance(0.5));
      this.wait(this.#random.integer(1, 5));
    }
    const lacksCalls = this.#faults.outputsLackCalls === true;
    this.#modelSpan(lacksCalls ? output.filter((atom) => atom.kind !== 'call') : output, false);
    this.history.push([...output]);
    this.#sent = this.history.length;
  }

  finish(): readonly PlannedSpan[] {
    const kept = this.#drop(this.#spans);
    const skew = this.#faults.skewMs ?? 0;
    for (const span of kept) {
      const shift = skew === 0 ? 0 : this.#random.integer(-skew, skew);
      span.start += shift;
      span.end += shift;
    }
    const isShuffled = this.#faults.shuffled === true;
    return isShuffled ? this.#random.shuffle(kept) : kept;
  }

  #modelSpan(output: readonly Atom[], failed: boolean): void {
    const start = this.#now;
    this.wait(this.#random.integer(5, 60));
    const said = {
      kind: 'llm' as const,
      input: this.#input(),
      output: output.map((atom) => this.#withoutId(atom)),
      failed,
      stateful: this.#faults.delta === 'flagged',
    };
    const inner = this.#addSpan({ ...said, start, end: this.#now, scope: 'sdk' });
    if (this.#faults.doubleInstrumentation !== true) return;
    // A second instrumentation, around the first or beside it.
    const isBeside = this.#random.chance(0.5);
    const twin = { ...said, start: start - 0.5, end: this.#now + 0.25, scope: 'framework' };
    const outer = this.#addSpan(twin);
    if (!isBeside) this.#replaceParent(inner, outer.id);
    this.wait(1);
  }

  #input(): readonly Atom[] {
    const { delta, window, textOnlyHistory, truncatedHistory } = this.#faults;
    let messages = this.history.map((atoms, index) => ({ atoms, isNew: index >= this.#sent }));
    if (delta !== undefined) messages = messages.filter(({ isNew }) => isNew);
    if (window !== undefined) messages = messages.slice(-window);
    return messages.flatMap(({ atoms, isNew }) =>
      atoms
        .filter((atom) => textOnlyHistory !== true || atom.kind === 'text')
        .map((atom) => this.#withoutId(atom))
        .map((atom) => (truncatedHistory === true && !isNew ? cut(atom) : atom)),
    );
  }

  #withoutId(atom: Atom): Atom {
    if (this.#faults.noIds !== true) return atom;
    if (atom.kind === 'call') return call(atom.name, atom.args ?? null);
    if (atom.kind === 'result')
      return result(atom.name ?? '', atom.result ?? null, undefined, atom.isError);
    return atom;
  }

  #toolSpan(made: ToolCall, start: number): void {
    if (this.#faults.noToolSpans === true) return;
    const outcome = made.isError ? ('error' as const) : ('ok' as const);
    const more = this.#faults.noIds === true ? { outcome } : { outcome, callId: made.id };
    const tool = execution(made.name, made.args, made.result, more);
    this.#addSpan({ kind: 'tool', tool, start, end: this.#now, scope: 'sdk' });
  }

  #addSpan(span: SpanContent, parent = this.#agent?.id ?? null): PlannedSpan {
    const added = { ...span, trace: this.#trace, id: this.#spans.length + 1, parent };
    this.#spans.push(added);
    return added;
  }

  #replaceParent(span: PlannedSpan, parent: number): void {
    this.#spans[this.#spans.indexOf(span)] = { ...span, parent };
  }

  /** The last model call is never lost. */
  #drop(spans: readonly PlannedSpan[]): PlannedSpan[] {
    const probability = this.#faults.dropModelSpans ?? 0;
    const last = spans.findLast((span) => span.kind === 'llm');
    return spans.filter(
      (span) => span.kind !== 'llm' || span === last || !this.#random.chance(probability),
    );
  }
}

const cutLength = 12;

function cut(atom: Atom): Atom {
  if (atom.kind === 'text' && atom.text.length > cutLength) {
    return { ...atom, text: `${atom.text.slice(0, cutLength)}…`, state: 'truncated' };
  }
  if (atom.kind === 'result' && typeof atom.result === 'string' && atom.result.length > cutLength) {
    return { ...atom, result: `${atom.result.slice(0, cutLength)}…`, state: 'truncated' };
  }
  return atom;
}
