import type { Evaluation, Session, Step } from '../../model/document.js';
import type { JsonValue } from '../../util/json.js';
import type { Template } from './template.js';
import type { WhenExpression } from './when.js';

/**
 * A session whose references are resolved for one dataset row and one set of variables: what grading
 * works on. Every value has the shape it has in `Session`; what came from a reference is told beside it.
 *
 * A *hole* is a reference whose value is not known before the trace is read, because the nearest prior
 * capture is `{pattern}` or `{path}`. Its place still holds the text as written, and its `Use` has no
 * `value`. `fillHoles` (holes.ts) puts observed values in; `equalsExceptHoles` compares around them.
 */
export interface BoundSession {
  /** As declared, references in place. */
  readonly session: Session;
  /** 0-based row of the dataset, null without one. */
  readonly row: number | null;
  readonly steps: readonly BoundStep[];
  readonly evaluations: readonly BoundEvaluation[];
}

export interface BoundStep extends Step {
  readonly evaluations: readonly BoundEvaluation[];
  /** Uses in target, content, with, with_only, capture and matches_when; not those of its evaluations. */
  readonly uses: readonly Use[];
}

export interface BoundEvaluation extends Evaluation {
  readonly children: readonly BoundEvaluation[];
  /** Uses in its own fields and its `when`; not those of its children. */
  readonly uses: readonly Use[];
  /** Null without `when`. Its references are among `uses`, place `when`. */
  readonly condition: BoundCondition | null;
}

/** A `when` with what is known of it before grading. */
export interface BoundCondition {
  readonly expression: WhenExpression;
  readonly outcome: WhenOutcome;
}

/**
 * `true`: run. `false`: skipped, `when_false`. `unknown`: skipped, `when_unknown_column`.
 * `hole`: depends on what is captured from the trace; decide again with `evaluateWhen` when it is known.
 * `note` tells of a comparison that could never hold, such as a number with a text.
 */
export type WhenOutcome =
  | { readonly kind: 'true'; readonly note?: string }
  | { readonly kind: 'false'; readonly note?: string }
  | { readonly kind: 'unknown'; readonly reference: string }
  | { readonly kind: 'hole'; readonly reference: string };

export type UsePlace =
  | 'target'
  | 'content'
  | 'with'
  | 'with_only'
  | 'capture'
  | 'matches_when'
  | 'evaluation'
  | 'when';

/** One reference that was resolved, and where. */
export interface Use {
  /** The reference as written: `orderId`, `orders.id`. */
  readonly reference: string;
  /** The variable that answered it: a captured name, a column with its dataset id, a --var name. */
  readonly variable: string;
  readonly place: UsePlace;
  /**
   * JSON pointer of the text inside the value of the place: '' is the value itself. For `capture` and
   * `matches_when` from the map (`/orderId`, `/value`), for `evaluation` from its fields (`/value/id`).
   */
  readonly path: string;
  /** The text is exactly this reference, so the value keeps its type; else it is set into text (A17). */
  readonly whole: boolean;
  /** The text it stands in, as written. */
  readonly template: Template;
  readonly source: UseSource;
  /** The resolved value; absent at a hole. */
  readonly value?: JsonValue;
}

/** Who answered: the nearest prior capture, then the row, `--var`, `ABS_VAR_*` (statements 58, 59). */
export type UseSource =
  | { readonly kind: 'capture'; readonly step: number }
  | { readonly kind: 'dataset' }
  | { readonly kind: 'variable' }
  | { readonly kind: 'environment' };
