import type { BehaviorOptions } from '../behaviors/behavior-options.js';
import { type GroupedUnits, groupUnits } from '../behaviors/group-units.js';
import { reconstructUnit } from '../behaviors/reconstruct-unit.js';
import type { TraceInput, UnitInput } from '../behaviors/trace-input.js';
import { dialects } from '../dialects/index.js';
import { createProblem } from '../errors.js';
import type { Unit } from '../model/behavior.js';
import type { Problem } from '../model/problem.js';

/** The units that were asked for, still to be reconstructed, and what has to be said about the choice. */
export interface ChosenUnits extends GroupedUnits {
  readonly problems: readonly Problem[];
}

/**
 * Groups traces into units and keeps those that hold one of the wanted traces; a wanted id may be the
 * beginning of a trace id. No wish keeps all.
 */
export function chooseUnits(
  traces: readonly TraceInput[],
  mode: 'trace' | 'conversation' | 'auto',
  wanted: readonly string[],
): ChosenUnits {
  const grouped = groupUnits(traces, mode);
  if (wanted.length === 0) return { ...grouped, problems: [] };
  const prefixes = wanted.map((id) => id.toLowerCase());
  const units = grouped.units.filter((unit) => prefixes.some((prefix) => hasTrace(unit, prefix)));
  const problems = prefixes
    .filter((prefix) => !units.some((unit) => hasTrace(unit, prefix)))
    .map((id) => createProblem('trace-not-found', { id }));
  return { ...grouped, units, problems };
}

function hasTrace({ traces }: UnitInput, prefix: string): boolean {
  return traces.some(({ traceId }) => traceId.startsWith(prefix));
}

export function buildUnit(input: UnitInput, options?: BehaviorOptions): Unit {
  return reconstructUnit(input, dialects, options);
}

/** Different spans of these traces: a span received twice is one span. */
export function countSpans(traces: readonly TraceInput[]): number {
  const count = ({ spans }: TraceInput): number => new Set(spans.map(({ spanId }) => spanId)).size;
  return traces.reduce((sum, trace) => sum + count(trace), 0);
}
