import type { Totals, UnitReport } from '../model/report.js';
import type { UnitVerdict, Verdict } from '../model/verdict.js';

/** Totals of a report (contract.md §3): unit entries by verdict, rules that are not nested by theirs. */
export function countTotals(
  units: readonly UnitReport[],
  spans: Totals['spans'],
  ungraded: number,
): Totals {
  const evaluations: Record<Verdict, number> = {
    pass: 0,
    fail: 0,
    inconclusive: 0,
    skipped: 0,
    error: 0,
  };
  const verdicts: Record<UnitVerdict, number> = { pass: 0, fail: 0, inconclusive: 0 };
  for (const unit of units) {
    verdicts[unit.verdict]++;
    for (const { nested, verdict } of unit.evaluations) if (nested !== true) evaluations[verdict]++;
  }
  return { units: units.length, ...verdicts, evaluations, spans, ungraded };
}
