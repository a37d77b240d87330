import type { Evaluation, Selector, Session, Step } from '../../model/document.js';
import type { JsonValue } from '../../util/json.js';
import { isJsonArray, isJsonObject } from '../../util/json-text.js';
import { shorten } from '../../util/text.js';
import { placesOfStep } from './places.js';
import { joinPointer } from './pointer.js';
import type { ProblemSink } from './problems.js';
import type { TreeNode } from './tree.js';
import { baseActOfStep } from './vocabulary.js';
import { allEvaluations, findTemplates } from './walk.js';

/** A session with the way back to its text. */
export interface LocatedSession {
  readonly session: Session;
  /** The node of a pointer as in `rule`, or the nearest above it. */
  readonly locate: (pointer: string) => TreeNode;
}

/** Checks what holds between the parts of a session once fragments are in place: errors and A28. */
export function checkSession(sink: ProblemSink, located: LocatedSession): void {
  const { session } = located;
  const steps = checkIds(sink, located);
  for (const step of session.steps) checkRequires(sink, located, step, steps);
  const variables = variablesOf(session);
  for (const evaluation of allEvaluations(session)) {
    switch (evaluation.type) {
      case 'expected':
        checkExpected(sink, located, evaluation, steps);
        break;
      case 'variable_consistency':
        checkVariable(sink, located, evaluation, variables);
        break;
      case 'sequence':
        checkSequence(sink, located, evaluation);
        break;
    }
  }
}

type StepsById = ReadonlyMap<string, Step>;

/** Ids are unique after expansion (semantics A48). */
function checkIds(sink: ProblemSink, located: LocatedSession): StepsById {
  const byId = new Map<string, Step>();
  for (const step of located.session.steps) {
    if (step.id === null) continue;
    const first = byId.get(step.id);
    if (first === undefined) {
      byId.set(step.id, step);
      continue;
    }
    const id = shorten(step.id, 40);
    const isSameText = first.rule === step.rule;
    sink.add(
      'duplicate-id',
      located.locate(joinPointer(step.rule, 'id')).offset,
      isSameText
        ? `the id "${id}" stands in a fragment that is included more than once`
        : `the id "${id}" is taken by the behavior in line ${first.position.line}`,
      isSameText ? 'include the fragment once, or write the behavior out' : 'ids are unique',
    );
  }
  return byId;
}

function checkRequires(
  sink: ProblemSink,
  located: LocatedSession,
  step: Step,
  steps: StepsById,
): void {
  if (step.requires === null) return;
  const { offset } = located.locate(joinPointer(step.rule, 'requires'));
  const required = steps.get(step.requires);
  const id = shorten(step.requires, 40);
  if (required === undefined) {
    sink.add(
      'unknown-id',
      offset,
      `requires: no behavior has the id "${id}"`,
      suggestId(sink, id, steps),
    );
  } else if (required.index >= step.index) {
    const message =
      required.index === step.index
        ? `the behavior requires itself ("${id}")`
        : `requires: "${id}" is declared later, in line ${required.position.line}`;
    sink.add('forward-requires', offset, message, 'a behavior can require only an earlier one');
  }
}

function suggestId(sink: ProblemSink, id: string, steps: StepsById): string {
  const close = sink.suggest(id, steps.keys());
  if (close !== null) return `did you mean "${close}"?`;
  return steps.size === 0 ? 'give the behavior an id: …' : 'it must be the id: of a behavior';
}

function checkExpected(
  sink: ProblemSink,
  located: LocatedSession,
  evaluation: Evaluation,
  steps: StepsById,
): void {
  const { behavior } = evaluation.fields;
  if (typeof behavior !== 'string' || steps.has(behavior)) return;
  const id = shorten(behavior, 40);
  sink.add(
    'unknown-id',
    located.locate(joinPointer(evaluation.rule, 'behavior')).offset,
    `expected: no behavior has the id "${id}"`,
    suggestId(sink, id, steps),
  );
}

interface Variables {
  readonly captured: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
}

function variablesOf(session: Session): Variables {
  return {
    captured: new Set(session.steps.flatMap((step) => step.capture.map(({ name }) => name))),
    used: new Set(session.steps.flatMap(usedNames)),
  };
}

/** A variable must be captured or used somewhere (semantics A20). */
function checkVariable(
  sink: ProblemSink,
  located: LocatedSession,
  evaluation: Evaluation,
  { captured, used }: Variables,
): void {
  const { variable } = evaluation.fields;
  if (typeof variable !== 'string' || (captured.has(variable) && used.has(variable))) return;
  const { offset } = located.locate(joinPointer(evaluation.rule, 'variable'));
  const name = shorten(variable, 40);
  if (captured.has(variable)) {
    const hint = `use {{${name}}} in a later behavior, or leave the rule out`;
    sink.add('capture-unused', offset, `"${name}" is captured and never used`, hint);
  } else if (!used.has(variable)) {
    const isBraced = variable.startsWith('{{') && variable.endsWith('}}');
    const close = sink.suggest(variable, [...captured, ...used]);
    const message = `no behavior captures or uses a variable "${name}"`;
    let hint = `capture it, or use {{${name}}} in a behavior`;
    if (close !== null) hint = `did you mean "${close}"?`;
    if (isBraced) {
      const bare = shorten(variable.slice(2, -2).trim(), 40);
      hint = `write the name without braces: variable: ${bare}`;
    }
    sink.add('unknown-variable', offset, message, hint);
  }
}

/** Names of the references in a step, its evaluations aside. */
function usedNames(step: Step): string[] {
  return placesOfStep(step)
    .flatMap((place) => findTemplates(place.value))
    .flatMap(({ template }) => template.references.map(({ name }) => name));
}

/** A selector of `order` must be able to match a behavior that is not optional (semantics A28). */
function checkSequence(sink: ProblemSink, located: LocatedSession, evaluation: Evaluation): void {
  const { order } = evaluation.fields;
  if (!isJsonArray(order)) return;
  for (const [index, value] of order.entries()) {
    const selector = selectorOf(value);
    if (selector === null) continue;
    const fitting = located.session.steps.filter((step) => canSelect(selector, step));
    const optional = fitting.filter((step) => step.optional);
    if (optional.length === 0) continue;
    const pointer = joinPointer(joinPointer(evaluation.rule, 'order'), index);
    const { offset } = located.locate(pointer);
    const lines = [...new Set(optional.map((step) => step.position.line))].join(', ');
    if (optional.length === fitting.length) {
      sink.add(
        'optional-in-sequence',
        offset,
        `the sequence waits for an optional behavior (line ${lines})`,
        'make the behavior required, or use expected with after for what may be left out',
      );
    } else {
      sink.add(
        'perhaps-optional',
        offset,
        `the sequence may wait for an optional behavior (line ${lines})`,
        'narrow the selector to the required one',
      );
    }
  }
}

/** A map as a selector; null for every other value. */
export function selectorOf(value: JsonValue | undefined): Selector | null {
  if (!isJsonObject(value)) return null;
  const keys = ['actor', 'action', 'target', 'id'] as const;
  return Object.fromEntries(
    keys.flatMap((key) => {
      const part = value[key];
      return typeof part === 'string' ? [[key, part] as const] : [];
    }),
  );
}

/** Whether a Behavior that aligned with the step could be what the selector names. */
export function canSelect(selector: Selector, step: Step): boolean {
  const { actor, action, target, id } = selector;
  if (actor !== undefined && actor !== step.actor) return false;
  if (id !== undefined && id !== step.id) return false;
  if (action !== undefined && action !== step.action && action !== baseActOfStep(step))
    return false;
  if (target === undefined || target === step.target) return true;
  return target.includes('{{') || step.target?.includes('{{') === true;
}
