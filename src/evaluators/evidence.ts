import type { Behavior } from '../model/behavior.js';
import type { Selector } from '../model/document.js';
import type { UnitFacts } from '../model/evaluator.js';
import type { VerdictCode } from '../model/verdict.js';
import { categoryOf } from '../model/vocabulary.js';
import { describeBehavior, describeSelector } from './describe.js';

/** Something that keeps a rule from being decided. */
export interface Doubt {
  readonly code: VerdictCode;
  readonly reason: string;
}

/**
 * Why a Behavior that the selector names could have happened without being seen; null when "not seen"
 * means "did not happen" (semantics decision 3, A3).
 */
export function findDoubt(selector: Selector, facts: UnitFacts): Doubt | null {
  const { evidence } = facts;
  if (evidence.hidden !== null) return { code: 'trace_incomplete', reason: evidence.hidden };
  if (evidence.messagesHidden && mayNameMessage(selector)) {
    return { code: 'evidence_missing', reason: 'content was not captured, so no message shows' };
  }
  if (!evidence.callsVisible && selector.action === 'hands_off') {
    return {
      code: 'evidence_missing',
      reason: 'nothing in the recording shows calls, so a hand-off would not show either',
    };
  }
  if (selector.id === undefined) return null;
  const step = facts.steps.find((fact) => fact.step.id === selector.id);
  if (step === undefined || step.state !== 'undecided') return null;
  return { code: step.code ?? 'evidence_missing', reason: step.reason };
}

/** The doubt that a message of unknown act raises, and the ways to settle it (semantics A1). */
export function unclassifiedDoubt(message: Behavior, selector: Selector, count: number): Doubt {
  const others = count > 1 ? ` (and ${count - 1} more)` : '';
  return {
    code: 'unclassified_message',
    reason:
      `nothing says whether ${describeBehavior(message)}${others} is ${describeSelector(selector)}; ` +
      'settle it with a step that it aligns with, with matches_when, or with a behaviors.classify rule',
  };
}

function mayNameMessage(selector: Selector): boolean {
  if (selector.actor !== undefined && selector.actor !== 'user' && selector.actor !== 'assistant') {
    return false;
  }
  if (selector.target !== undefined) return false;
  if (selector.action === undefined) return true;
  const category = categoryOf(selector.action);
  return category === null || category === 'communication' || category === 'interaction';
}
