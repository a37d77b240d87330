import { compareCallIds } from './call-ids.js';
import type { CallState, CallStates } from './call-states.js';
import { groupBy } from './collections.js';
import { compareValuesOf } from './compare-forms.js';
import { resultFormOf } from './executions.js';
import type { Entry } from './transcript.js';

type Fits = (state: CallState, result: Entry) => boolean;

/**
 * Gives calls that only tool spans show the results that history shows: by id, by equal value, else in
 * order. Some instrumentations record results with the messages, and calls not at all.
 */
export function adoptResults(created: readonly CallState[], states: CallStates): void {
  for (const [transcript, calls] of groupBy(created, (state) => state.transcript)) {
    let results = states.orphanResults(transcript);
    for (const fits of [hasSameId, hasSameValue, mayBe]) {
      results = results.filter((result) => {
        const state = calls.find((call) => call.historyResult === null && fits(call, result));
        if (state !== undefined) states.link(state, result);
        return state === undefined;
      });
      if (results.length === 0) break;
    }
  }
}

const hasSameId: Fits = ({ entry }, result) =>
  compareCallIds(entry.form.ids, result.form.ids) === 'equal';

const hasSameValue: Fits = (state, { form }) =>
  mayBe(state, { form }) &&
  state.execution !== null &&
  form.is('result') &&
  compareValuesOf(resultFormOf(state.execution), form) > 1;

/** Names and ids do not say otherwise, and the tool had run when the model saw the result. */
function mayBe(
  { entry, execution }: CallState,
  { form, at }: Pick<Entry, 'form'> & { at?: bigint | null },
): boolean {
  if (!form.is('result') || !entry.form.is('call')) return false;
  const { name } = form.atom;
  const fitsName = name === undefined || name === '' || name === entry.form.atom.name;
  const isSeenLater = at == null || execution === null || execution.start <= at;
  return fitsName && isSeenLater && compareCallIds(entry.form.ids, form.ids) !== 'different';
}
