/** A place in a text file; lines and columns count from 1. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Something wrong with a document, config, recording or command line, told as a value.
 * `code` is a kebab-case name from the table of the part that found it.
 */
export interface Problem {
  readonly severity: 'error' | 'warning' | 'info';
  readonly code: string;
  /** What was seen, what was expected, what to do next: one line for a person. */
  readonly message: string;
  readonly hint?: string;
  readonly position?: SourcePosition;
  /** The source line of `position`, for a code frame. */
  readonly frame?: string;
}

/** A problem in the flat form of the report (contract.md §3). */
export interface Diagnostic {
  readonly severity: 'error' | 'warning' | 'info';
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A value, or the problems that kept it from being made. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };
