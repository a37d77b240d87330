import { commonFields } from '../../evaluators/fields.js';
import type { Evaluation, Selector } from '../../model/document.js';
import type { EvaluatorDefinition } from '../../model/evaluator.js';
import { shorten } from '../../util/text.js';
import { canSelect, type LocatedSession, selectorOf } from './check-session.js';
import { joinPointer } from './pointer.js';
import type { ProblemSink } from './problems.js';
import { standardActions, standardActors } from './vocabulary.js';
import { allEvaluations } from './walk.js';

/** Rules that are valid and probably not what was meant. */
export function lintEvaluations(
  sink: ProblemSink,
  located: LocatedSession,
  evaluators: readonly EvaluatorDefinition[],
): void {
  const kinds = new Map(evaluators.map((definition) => [definition.type, definition]));
  const words = wordsOf(located);
  for (const evaluation of allEvaluations(located.session)) {
    const definition = kinds.get(evaluation.type);
    if (definition === undefined) continue;
    lintKeys(sink, located, evaluation, definition);
    lintThreshold(sink, located, evaluation, definition);
    lintDecision(sink, located, evaluation, definition);
    for (const [pointer, selector] of selectorsOf(evaluation, definition)) {
      lintSelector(sink, located, evaluation, pointer, selector, words);
    }
  }
}

/** Unknown keys are for adapters (statement 11), unless they are a typo; own keys are told once each. */
function lintKeys(
  sink: ProblemSink,
  located: LocatedSession,
  evaluation: Evaluation,
  definition: EvaluatorDefinition,
): void {
  const known = { ...commonFields, ...definition.fields };
  for (const key of Object.keys(evaluation.fields)) {
    const rule = located.locate(evaluation.rule);
    const offset = rule.entries?.get(key)?.keyOffset ?? rule.offset;
    const field = Object.hasOwn(known, key) ? known[key] : undefined;
    if (field?.extension === true) {
      const message = `"${key}" is an extension of Retrial`;
      sink.add('extension', offset, message, 'other tools leave it to adapters');
    }
    if (field !== undefined) continue;
    const unused = Object.keys(known).filter((name) => !Object.hasOwn(evaluation.fields, name));
    const close = sink.suggest(key, unused);
    if (close === null) continue;
    const message = `${evaluation.type} does not read the key "${shorten(key, 40)}"`;
    sink.add('misspelt-key', offset, message, `did you mean "${close}"? Other keys go to adapters`);
  }
}

function lintThreshold(
  sink: ProblemSink,
  located: LocatedSession,
  evaluation: Evaluation,
  definition: EvaluatorDefinition,
): void {
  if (evaluation.threshold === null || definition.scores) return;
  if (definition.family === 'composition') return;
  const { offset } = located.locate(joinPointer(evaluation.rule, 'threshold'));
  const message = `${evaluation.type} passes or fails; its threshold is ignored`;
  sink.add('threshold-ignored', offset, message, 'remove the threshold');
}

/** A severity is for alerts: a rule that only the end of the unit decides alerts only then. */
function lintDecision(
  sink: ProblemSink,
  located: LocatedSession,
  evaluation: Evaluation,
  { run }: EvaluatorDefinition,
): void {
  if (evaluation.severity === null) return;
  const isLowerBound = evaluation.type === 'count' && evaluation.fields.max === undefined;
  if (run.kind === 'monitor' && run.alerts !== 'at_release' && !isLowerBound) return;
  sink.add(
    'decided-late',
    located.locate(joinPointer(evaluation.rule, 'severity')).offset,
    `${evaluation.type} is decided at the end of a trace; its alert comes only then`,
    'never, and count with max, alert while a trace runs',
  );
}

/** The selectors of a rule, with the pointers from the rule to them. */
function selectorsOf(
  evaluation: Evaluation,
  definition: EvaluatorDefinition,
): [string, Selector][] {
  if (definition.family !== 'chain') return [];
  return ['match', 'after', 'order'].flatMap((key) => {
    const value = evaluation.fields[key];
    const entries = Array.isArray(value) ? [...value.entries()] : [];
    const listed = entries.map(([index, item]) => [joinPointer(`/${key}`, index), item] as const);
    return [[`/${key}`, value] as const, ...listed].flatMap(([pointer, item]) => {
      const selector = selectorOf(item);
      return selector === null ? [] : [[pointer, selector] as [string, Selector]];
    });
  });
}

interface Words {
  readonly actors: ReadonlySet<string>;
  readonly actions: ReadonlySet<string>;
  readonly targets: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

function wordsOf({ session }: LocatedSession): Words {
  const { steps } = session;
  return {
    actors: new Set([...standardActors, ...steps.map(({ actor }) => actor)]),
    actions: new Set([...standardActions, ...steps.map(({ action }) => action)]),
    targets: new Set(steps.flatMap(({ target }) => target ?? [])),
    ids: new Set(steps.flatMap(({ id }) => id ?? [])),
  };
}

/**
 * A selector that nothing can fit, as far as the document tells. A rule against something (`never`,
 * `count` with max) names by nature what no behavior declares, so there only a near miss is told.
 */
function lintSelector(
  sink: ProblemSink,
  located: LocatedSession,
  evaluation: Evaluation,
  pointer: string,
  selector: Selector,
  words: Words,
): void {
  const at = (key: string): number =>
    located.locate(joinPointer(evaluation.rule + pointer, key)).offset;
  if (selector.id !== undefined) {
    sink.add(
      'extension',
      at('id'),
      '"id" in a selector is an extension of Retrial',
      'ABS forbids it',
    );
  }
  const isStranger =
    lintWord(sink, 'actor', selector.actor, words.actors, at) ||
    lintWord(sink, 'action', selector.action, words.actions, at) ||
    lintWord(sink, 'id', selector.id, words.ids, at);
  if (isStranger) return;
  const { target } = selector;
  if (target !== undefined && !target.includes('{{') && !words.targets.has(target)) {
    const close = sink.suggest(target, words.targets);
    if (close !== null) {
      const message = `no behavior has the target "${shorten(target, 40)}"`;
      sink.add('misspelt-word', at('target'), message, `did you mean "${close}"?`);
      return;
    }
  }
  const isAgainst =
    evaluation.type === 'never' ||
    (evaluation.type === 'count' && evaluation.fields.min === undefined);
  if (isAgainst || located.session.steps.some((step) => canSelect(selector, step))) return;
  sink.add(
    'never-declared',
    located.locate(evaluation.rule + pointer).offset,
    `${evaluation.type} waits for what no behavior declares`,
    'check actor, action and target against the behaviors',
  );
}

function lintWord(
  sink: ProblemSink,
  key: string,
  word: string | undefined,
  known: ReadonlySet<string>,
  at: (key: string) => number,
): boolean {
  if (word === undefined || word.includes('{{') || known.has(word)) return false;
  const close = sink.suggest(word, known);
  const message = `no behavior has the ${key} "${shorten(word, 40)}", and it is not of the vocabulary`;
  if (close === null) {
    sink.add('never-declared', at(key), message, `check the ${key}`);
  } else {
    sink.add('misspelt-word', at(key), message, `did you mean "${close}"?`);
  }
  return true;
}
