import type { JsonObject, JsonValue } from '../util/json.js';
import type { SourcePosition } from './problem.js';
import type { Severity } from './verdict.js';

/**
 * One session of an ABS document after parsing, validation and fragment expansion. Values still hold
 * their `{{references}}`; binding (documents/abs/variables) resolves them per dataset row.
 */
export interface Session {
  readonly name: string;
  readonly description: string | null;
  readonly absVersion: '0.1' | '0.2';
  /** As named on the command line or in the config, with `/` separators. */
  readonly document: string;
  /** `sha256:` and hex of this YAML document's own text. */
  readonly digest: string;
  readonly position: SourcePosition;
  readonly steps: readonly Step[];
  readonly evaluations: readonly Evaluation[];
  readonly dataset: { readonly id: string; readonly path: string } | null;
  /** Where each text with references stands, by JSON pointer: for messages about values they lack. */
  readonly references: ReadonlyMap<string, TextPlace>;
}

/** A text of a document and its source line, which is left out when it is very long. */
export interface TextPlace {
  readonly position: SourcePosition;
  readonly frame?: string;
}

/** A declared behavior. */
export interface Step {
  /** Position in the expanded list. */
  readonly index: number;
  /** JSON pointer into the YAML document as written, e.g. `/behaviors/3` or `/fragments/pay/0`. */
  readonly rule: string;
  /** Pointer of the `include` entry for a step of a fragment. */
  readonly via: string | null;
  readonly position: SourcePosition;
  readonly id: string | null;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  /** Absent when not declared; JSON null is a value. */
  readonly content?: JsonValue;
  readonly with: JsonObject | null;
  readonly withOnly: JsonObject | null;
  readonly capture: readonly Capture[];
  readonly optional: boolean;
  readonly requires: string | null;
  readonly matchesWhen: MatchesWhen | null;
  /** Values in its texts that were read from the trace: not the author's words. */
  readonly observed?: readonly JsonValue[];
  readonly evaluations: readonly Evaluation[];
}

/** `capture: {name: literal}`, or Retrial's own `{pattern}` / `{path}` which read what was observed. */
export type Capture =
  | { readonly kind: 'literal'; readonly name: string; readonly value: JsonValue }
  | { readonly kind: 'pattern'; readonly name: string; readonly pattern: string }
  | { readonly kind: 'path'; readonly name: string; readonly path: string };

export type MatchesWhen =
  | { readonly kind: 'contains'; readonly value: JsonValue }
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'llm_judge'; readonly criteria: string };

/** A rule of a document. */
export interface Evaluation {
  readonly rule: string;
  readonly via: string | null;
  readonly position: SourcePosition;
  readonly level: 'step' | 'session';
  readonly type: string;
  readonly title: string | null;
  readonly threshold: number | null;
  readonly blocking: boolean;
  readonly severity: Severity | null;
  readonly when: string | null;
  readonly adapter: string | null;
  /** Every key as written, `type` included, `evaluations` left out. */
  readonly fields: JsonObject;
  /** Values in its fields that were read from the trace: not the author's words. */
  readonly observed?: readonly JsonValue[];
  /** Rules inside a composition, in order. */
  readonly children: readonly Evaluation[];
}

/** What names Behaviors in chain evaluators: an absent field is a wildcard. */
export interface Selector {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  /** Retrial's extension: the id of a declared step. */
  readonly id?: string;
}
