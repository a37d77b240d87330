import { createProblem } from '../errors.js';
import type { Unit } from '../model/behavior.js';
import type { Explanation, UnitExplanation } from '../model/explanation.js';
import type { Problem } from '../model/problem.js';
import { buildUnit, chooseUnits } from './build-units.js';
import { toDiagnostic } from './diagnostics.js';
import type { ExplainOptions, PipelineIo } from './grade-options.js';
import { loadSpans, noTraces } from './load-spans.js';
import { createPacer } from './pacer.js';

/**
 * Lists the Behaviors of every unit in the recordings. Exit code 2 when an input cannot be read, 3 when
 * there was no unit, 130 when interrupted. Never throws on what the recordings hold.
 */
export async function explainRecordings(
  options: ExplainOptions,
  io: PipelineIo,
): Promise<Explanation> {
  const loaded = await loadSpans(options.recordings, io);
  const chosen = chooseUnits(loaded.traces, options.unit ?? 'auto', options.traces ?? []);
  const pace = createPacer(io);
  const units: UnitExplanation[] = [];
  for (const input of chosen.units) {
    if (io.signal?.aborted === true) break;
    const unit = buildUnit(input);
    units.push({ unit, diagnostics: diagnosticsOf(unit).map(toDiagnostic) });
    await pace(() => ({ label: 'reading units', done: units.length, total: chosen.units.length }));
  }
  const problems = [...loaded.problems, ...noTraces(loaded), ...chosen.problems];
  const exitCode = exitCodeOf(problems, units.length, io.signal?.aborted === true);
  return { units, diagnostics: problems.map(toDiagnostic), exitCode };
}

function diagnosticsOf(unit: Unit): readonly Problem[] {
  return unit.isAgentTrace ? [] : [createProblem('no-known-dialect', {})];
}

function exitCodeOf(problems: readonly Problem[], units: number, isInterrupted: boolean): number {
  if (isInterrupted) return 130;
  if (problems.some(({ severity }) => severity === 'error')) return 2;
  return units === 0 ? 3 : 0;
}
