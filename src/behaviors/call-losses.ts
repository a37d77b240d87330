import type { LossKind } from '../model/evidence.js';
import { commonPrefix } from './align-forms.js';
import type { ModelCall } from './model-calls.js';
import type { Growth } from './new-entries.js';
import type { Transcript } from './transcript.js';

/** Kinds that are judged by what the whole unit shows, not by what one span lacks. */
const settledElsewhere: ReadonlySet<LossKind> = new Set([
  'dropped_attributes',
  'dropped_events',
  'value_truncated',
  'value_redacted',
  'history_omitted',
  'content_not_captured',
]);

/** They count per Behavior; where the messages are hidden as a whole there is none. */
const valueLosses: ReadonlySet<LossKind> = new Set(['value_truncated', 'value_redacted']);

/** True for a loss of one span that is a loss of its unit as it stands. */
export function isUnitLoss(kind: LossKind): boolean {
  return !settledElsewhere.has(kind);
}

/** Notes what one model call lost: failed and repeated attempts, hidden content, older messages left out. */
export function noteCallLosses({ transcript, call, losses }: Growth): void {
  losses.addAll(call.losses.filter((loss) => isUnitLoss(loss.kind)));
  if (call.output.length === 0 && call.fact.failed) losses.add('model_error', call.fact.span.name);
  if (!call.fact.contentCaptured) {
    losses.add('content_not_captured', 'messages of model calls were not recorded');
    losses.addAll(call.losses.filter((loss) => valueLosses.has(loss.kind)));
    return;
  }
  if (call.hidesInput && !call.fact.stateful) {
    losses.add('content_not_captured', 'inputs of model calls were not recorded');
  }
  if (isAttemptAgain(transcript, call)) losses.add('model_attempts', call.fact.span.name);
  const leavesOut =
    call.fact.compacted === true || call.losses.some((loss) => loss.kind === 'history_omitted');
  if (leavesOut && transcript.entries.length === 0) {
    losses.add('history_omitted', 'the first model call leaves out older messages');
  }
}

/** The previous call was asked the same and answered nothing. */
export function isAttemptAgain({ latest, reusedIds }: Transcript, call: ModelCall): boolean {
  if (latest === null || latest.call.output.length > 0) return false;
  const { input } = latest.call;
  return (
    input.length > 0 &&
    input.length === call.input.length &&
    commonPrefix(input, call.input, reusedIds) === input.length
  );
}
