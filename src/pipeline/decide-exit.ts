import type { ReasonCode, Totals, Ungraded } from '../model/report.js';

/** Everything that an exit code depends on. */
export interface ExitFacts {
  readonly totals: Totals;
  readonly ungraded: readonly Ungraded[];
  /** What was wrong with the input, worst reason first to be told. */
  readonly inputErrors: { readonly usage: number; readonly document: number };
  readonly isInterrupted: boolean;
  readonly allowEmpty: boolean;
  /** What an inconclusive unit counts as. */
  readonly inconclusiveAs: 'pass' | 'fail' | 'inconclusive';
}

export interface Exit {
  readonly exitCode: 0 | 1 | 2 | 3 | 4 | 130;
  readonly reasonCode: ReasonCode;
}

/**
 * The exit code of a grading (contract.md §4). Several reasons at once: 2, then 1, then 4, then 3. What
 * was interrupted is 130 whatever was found so far.
 */
export function decideExit(facts: ExitFacts): Exit {
  const { totals, inputErrors, inconclusiveAs } = facts;
  if (facts.isInterrupted) return { exitCode: 130, reasonCode: 'interrupted' };
  if (inputErrors.usage > 0) return { exitCode: 2, reasonCode: 'usage' };
  if (inputErrors.document > 0) return { exitCode: 2, reasonCode: 'document' };
  const isFailed = totals.fail > 0 || (inconclusiveAs === 'fail' && totals.inconclusive > 0);
  if (isFailed) return { exitCode: 1, reasonCode: 'violations' };
  if (totals.evaluations.error > 0) return { exitCode: 4, reasonCode: 'grader_failed' };
  if (totals.inconclusive > 0 && inconclusiveAs === 'inconclusive') {
    return { exitCode: 3, reasonCode: 'inconclusive' };
  }
  // Units that should have been graded: also with --allow-empty, which only excuses that there was nothing.
  const isLeftOut = facts.ungraded.some(
    ({ reason }) => reason !== 'no_spec' && reason !== 'not_an_agent_trace',
  );
  const isEmpty = totals.units === 0;
  if (isEmpty && (isLeftOut || !facts.allowEmpty)) {
    return { exitCode: 3, reasonCode: 'nothing_graded' };
  }
  if (isLeftOut) return { exitCode: 3, reasonCode: 'inconclusive' };
  return { exitCode: 0, reasonCode: 'ok' };
}
