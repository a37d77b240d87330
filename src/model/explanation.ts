import type { Unit } from './behavior.js';
import type { Diagnostic } from './problem.js';

/** What `retrial explain` tells of one unit. */
export interface UnitExplanation {
  readonly unit: Unit;
  readonly diagnostics: readonly Diagnostic[];
}

/** What `retrial explain` tells of its recordings (contract.md §3). */
export interface Explanation {
  readonly units: readonly UnitExplanation[];
  /** Of the recordings as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: number;
}
