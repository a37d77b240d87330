import type { Step } from '../../model/document.js';
import { shorten } from '../../util/text.js';
import type { LocatedSession } from './check-session.js';
import { joinPointer } from './pointer.js';
import type { ProblemSink } from './problems.js';
import { categoryOfAction, categoryOfStep, standardActions, standardActors } from './vocabulary.js';

/** Words of steps that are close to the vocabulary, actions outside it, and steps that need a judge. */
export function lintSteps(sink: ProblemSink, located: LocatedSession): void {
  const { steps, evaluations } = located.session;
  for (const step of steps) {
    lintActor(sink, located, step);
    lintAction(sink, located, step);
    if (step.matchesWhen?.kind !== 'llm_judge') continue;
    sink.add(
      'no-judge',
      located.locate(joinPointer(step.rule, 'matches_when')).offset,
      'this behavior is recognized by a judge; without one it stays unmatched',
      'configure an adapter, or use matches_when with contains or regex',
    );
  }
  const hasRules = evaluations.length > 0 || steps.some((step) => step.evaluations.length > 0);
  if (hasRules || steps.some((step) => !step.optional && step.requires === null)) return;
  const message = 'nothing in this session can fail: no rule, and no behavior is required';
  sink.add(
    'nothing-to-fail',
    located.locate('').offset,
    message,
    'add a rule or a required behavior',
  );
}

function lintActor(sink: ProblemSink, located: LocatedSession, { actor, rule }: Step): void {
  if (standardActors.includes(actor)) return;
  const close = sink.suggest(actor, standardActors);
  if (close === null) return;
  const { offset } = located.locate(joinPointer(rule, 'actor'));
  const message = `"${shorten(actor, 40)}" is not an actor that ABS names`;
  sink.add('misspelt-word', offset, message, `did you mean "${close}"?`);
}

function lintAction(sink: ProblemSink, located: LocatedSession, step: Step): void {
  if (categoryOfAction(step.action) !== null) return;
  const { offset } = located.locate(joinPointer(step.rule, 'action'));
  const action = shorten(step.action, 40);
  const close = sink.suggest(step.action, standardActions);
  if (close !== null) {
    const message = `"${action}" is not an action of the vocabulary`;
    sink.add('misspelt-word', offset, message, `did you mean "${close}"?`);
    return;
  }
  const category = categoryOfStep(step);
  sink.add(
    'custom-action',
    offset,
    `"${action}" is a custom action and declares no category`,
    category === null
      ? 'its target is compared literally; a standard action would say what the target is'
      : `it is read as ${category}; a standard action would say so`,
  );
}
