import { isMessage } from '../evaluators/selector.js';
import type { Behavior, Unit } from '../model/behavior.js';
import type { UnitEvidence } from '../model/evaluator.js';
import { lossTable } from '../model/evidence.js';

/** What a unit can and cannot show (semantics decision 3, A3). */
export function readEvidence(unit: Unit): UnitEvidence {
  const { behaviors, losses } = unit;
  const showsMessages = behaviors.some(
    (behavior) => behavior.actor === 'assistant' && isMessage(behavior),
  );
  return {
    hidden: explainHidden(unit),
    messagesHidden: !showsMessages && losses.some((loss) => loss.kind === 'content_not_captured'),
    callsVisible: behaviors.some(showsCall) || behaviors.every(isStated),
  };
}

function explainHidden({ losses, complete }: Unit): string | null {
  const hiding = losses.find((loss) => lossTable[loss.kind].hides === 'behaviors');
  if (hiding !== undefined) {
    const detail = hiding.detail === '' ? '' : ` (${hiding.detail})`;
    return `the unit is not complete: ${lossTable[hiding.kind].text}${detail}`;
  }
  // Lost values are marked on the Behaviors they belong to.
  const hidesValues = losses.some((loss) => lossTable[loss.kind].hides === 'values');
  return complete || hidesValues ? null : 'the unit is not complete';
}

function showsCall({ acts, actor, tool }: Behavior): boolean {
  return (
    acts.includes('calls') || acts.includes('hands_off') || actor === 'tool' || tool !== undefined
  );
}

function isStated({ evidence }: Behavior): boolean {
  return evidence.act === 'stated';
}
