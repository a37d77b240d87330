import type { JsonObject, JsonValue } from '../util/json.js';
import type { Behavior } from './behavior.js';
import type { Evaluation, Selector, Step } from './document.js';
import type { Problem } from './problem.js';
import type { JudgeTrail, NearestMiss, Verdict, VerdictCode } from './verdict.js';

/**
 * What the language knows of one evaluator kind without running it. The document schema, the lint, the
 * reference page and the editor schema are assembled from these (design.md §4).
 */
export interface EvaluatorSpec {
  readonly type: string;
  /** Where the kind is at home; both levels accept every kind (semantics A52). */
  readonly level: 'step' | 'session' | 'both';
  readonly family: 'step' | 'chain' | 'composition' | 'judge' | 'metric' | 'custom';
  /** First ABS version that knows it. */
  readonly since: '0.1' | '0.2';
  /** One sentence for the reference page. */
  readonly summary: string;
  /** Whether `threshold` and `score` mean more than 0 or 1. */
  readonly scores: boolean;
  readonly fields: Readonly<Record<string, FieldSpec>>;
  /** Checks that a schema cannot say: min > max, invalid pattern, vacuous rule. */
  readonly lint?: (evaluation: Evaluation) => readonly Problem[];
}

export interface FieldSpec {
  /** JSON Schema (draft-07) of the value. */
  readonly schema: JsonObject;
  readonly required: boolean;
  readonly summary: string;
  /** True for what Retrial adds to ABS; `check` says so. */
  readonly extension?: boolean;
  /** True where a value that the schema refuses is a warning and the key is ignored (semantics A49). */
  readonly lenient?: boolean;
}

/** One row of the evaluator table: the kind, how it runs, and examples that the tests run. */
export interface EvaluatorDefinition extends EvaluatorSpec {
  readonly run: EvaluatorRun;
  readonly examples: readonly EvaluatorExample[];
}

/**
 * How a kind is run.
 *
 * `content` reads one Behavior: the aligned one of its step, or at session level the last message of the
 * assistant. `calls` reads the tool calls. `monitor` watches the whole unit. `composition` joins the
 * outcomes of its children.
 */
export type EvaluatorRun =
  | {
      readonly kind: 'content';
      readonly evaluate: (rule: Evaluation, subject: Behavior, scope: GradeScope) => Outcome;
    }
  | { readonly kind: 'calls'; readonly evaluate: (rule: Evaluation, scope: GradeScope) => Outcome }
  | MonitorRun
  | {
      readonly kind: 'composition';
      readonly combine: (rule: Evaluation, parts: readonly Outcome[]) => Outcome;
    };

/** What an evaluator found. `score` is null for inconclusive, skipped and error. */
export interface Outcome {
  readonly verdict: Verdict;
  readonly score: number | null;
  readonly reason: string;
  readonly code: VerdictCode | null;
  /** Positions of the Behaviors that decided it, the deciding one first. */
  readonly witness: readonly number[];
  readonly nearest?: NearestMiss;
  /** Set where a judge was asked. */
  readonly judge?: JudgeTrail;
}

/** Whether a selector, or a declared argument, holds of a Behavior. */
export type Certainty = 'yes' | 'no' | 'unknown';

/** A chain evaluator: a state machine that reads each Behavior once, in order. */
export interface MonitorRun {
  readonly kind: 'monitor';
  /**
   * When a violation may be told before the unit is released: `at_once`, as later spans cannot undo it;
   * `when_parents_closed`, once no open parent could still collapse duplicates; `at_release` never.
   */
  readonly alerts: 'at_once' | 'when_parents_closed' | 'at_release';
  /** The selectors it listens to; their positions are the roles of `MonitorEvent`. */
  readonly selectors: (rule: Evaluation) => readonly Selector[];
  readonly start: (rule: Evaluation) => Monitor;
}

export interface Monitor {
  /**
   * Reads the next Behavior that at least one of its selectors may match. Answers with a violation in the
   * moment it is decided, and null before and after.
   */
  observe(event: MonitorEvent): Violation | null;
  /** The verdict, once everything was observed. */
  conclude(facts: UnitFacts): Outcome;
}

export interface MonitorEvent {
  readonly behavior: Behavior;
  /** Certainty of each selector of the monitor, by role. */
  readonly matches: readonly Certainty[];
}

/** A failed `never` or `count max`, told as soon as it is decided. */
export interface Violation {
  readonly reason: string;
  readonly witness: readonly number[];
}

/** What is known of a unit beside its list of Behaviors: how complete it is, and how it was aligned. */
export interface UnitFacts {
  readonly behaviors: readonly Behavior[];
  readonly evidence: UnitEvidence;
  readonly steps: readonly StepFact[];
  /** By the name of the variable. */
  readonly variables: ReadonlyMap<string, VariableFact>;
}

/** How much of the unit was seen (semantics decision 3). */
export interface UnitEvidence {
  /** Why whole Behaviors could be missing, as a sentence; null where none can be. */
  readonly hidden: string | null;
  /** Content was not captured and no message shows: messages could be missing, calls not. */
  readonly messagesHidden: boolean;
  /** False when nothing in the unit shows any call, so a hand-off would not show either (semantics A3). */
  readonly callsVisible: boolean;
}

/**
 * A declared step after alignment. `undecided`: unmatched, but lost evidence could have held it.
 * `inactive`: what it requires did not happen.
 */
export interface StepFact {
  readonly step: Step;
  readonly state: 'matched' | 'unmatched' | 'undecided' | 'inactive';
  readonly behavior: Behavior | null;
  /** Why it is not matched. */
  readonly code: VerdictCode | null;
  readonly reason: string;
  readonly nearest: NearestMiss | null;
}

/** What was seen of a variable (semantics A19, A20). */
export interface VariableFact {
  readonly name: string;
  readonly values: readonly ObservedValue[];
  /** Places where a reference to it is declared. */
  readonly declaredUses: number;
  /** Captures whose literal was not found in what was observed. */
  readonly unconfirmed: readonly { readonly step: number; readonly detail: string }[];
  /** Uses or captures that lost evidence could have shown. */
  readonly hidden: readonly { readonly code: VerdictCode; readonly detail: string }[];
}

export interface ObservedValue {
  readonly value: JsonValue;
  readonly behavior: number;
  /** Where it was read, for people: `with.orderId`, `the content`. */
  readonly place: string;
  readonly kind: 'capture' | 'use';
  /** The reference stands inside text: there a text and a number that read the same are equal. */
  readonly inText: boolean;
}

/** What an evaluation can see apart from its own fields. */
export interface GradeScope extends UnitFacts {
  readonly level: 'step' | 'session';
  /** The step that carries the rule; null at session level. */
  readonly step: StepFact | null;
  readonly judge: Judge | null;
  readonly plugins: Plugins | null;
}

/**
 * Answers questions that need a model. The answer is looked up, never awaited, so that grading stays pure:
 * whoever grades notes the requests it could not answer, has them judged, and grades again.
 */
export interface Judge {
  answer(request: JudgeRequest): JudgeAnswer;
}

export interface JudgeRequest {
  /** Evaluation type, or `matches_when`. */
  readonly type: string;
  readonly adapter: string | null;
  readonly criteria: string | null;
  readonly prompt: string | null;
  readonly dataset: JsonValue | null;
  readonly query: string | null;
  readonly context: string | null;
  readonly response: string;
  /** Texts inside criteria and prompt that were read from the trace: not the author's words. */
  readonly observed?: readonly string[];
  /** Every key of the rule as written, for adapters that know more of them. */
  readonly fields: JsonObject;
}

/** `scored`: 0 to 1, already normalized; `passed` overrules the threshold where the judge decided itself. */
export type JudgeAnswer =
  | {
      readonly kind: 'scored';
      readonly score: number;
      readonly passed?: boolean;
      readonly reason: string;
      readonly judge?: JudgeTrail;
    }
  | {
      readonly kind: 'unanswered';
      readonly code:
        | 'adapter.not_configured'
        | 'adapter.unsupported_type'
        | 'adapter.error'
        | 'budget_exhausted'
        | 'not_judged'
        | 'evaluator.timeout';
      readonly reason: string;
      readonly judge?: JudgeTrail;
    };

/** Runs registered `custom` evaluators, by their id; looked up like a judge's answers. */
export interface Plugins {
  answer(request: PluginRequest): JudgeAnswer;
}

export interface PluginRequest {
  readonly id: string;
  readonly fields: JsonObject;
  readonly subject: Behavior;
  readonly behaviors: readonly Behavior[];
}

/** A rule, what was observed, and the verdict: run by the tests, shown on the reference page. */
export interface EvaluatorExample {
  readonly title: string;
  readonly rule: JsonObject;
  /** Declared behaviors; a step-level rule stands on the last. */
  readonly steps: readonly JsonObject[];
  /** Observed: actor, action (absent = a message of unknown act), target, content, with. */
  readonly behaviors: readonly JsonObject[];
  readonly verdict: Verdict;
}
