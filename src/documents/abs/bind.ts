import type { Capture, MatchesWhen, Session, Step } from '../../model/document.js';
import type { Result } from '../../model/problem.js';
import type { JsonObject, JsonValue } from '../../util/json.js';
import { isJsonObject } from '../../util/json-text.js';
import { compilePattern } from '../../util/pattern.js';
import { valueText } from '../../util/text.js';
import { bindEvaluation } from './bind-evaluation.js';
import { type Binder, bindValue, createBinder, say } from './binder.js';
import type { Bindings } from './bindings.js';
import type { BoundSession, BoundStep, Use, UsePlace } from './bound-session.js';
import { joinPointer } from './pointer.js';
import { hasErrors } from './problems.js';
import { type Answer, answerReference, type CapturedName } from './scope.js';

/**
 * Resolves every reference of a session for one row and one set of variables (semantics A15 to A18). A
 * reference that nothing answers is an error before anything is graded, with its line and pointer; a
 * reference in a `when` is not, it makes the rule `when_unknown_column`. Never throws.
 */
export function bindSession(session: Session, bindings: Bindings): Result<BoundSession> {
  const binder = createBinder(session, bindings);
  const steps = session.steps.map((step) => bindStep(binder, step));
  const evaluations = session.evaluations.map((rule) => bindEvaluation(binder, rule));
  const { problems } = binder;
  if (hasErrors(problems)) return { ok: false, problems };
  const row = bindings.row?.index ?? null;
  return { ok: true, value: { session, row, steps, evaluations }, problems };
}

function bindStep(binder: Binder, step: Step): BoundStep {
  const uses: Use[] = [];
  const before = (name: string): Answer | null => answerReference(binder, name);
  const captures = step.capture.map((capture) => bindCapture(binder, step, capture, uses, before));
  const own = new Map(
    captures.map((capture): [string, CapturedName] => [
      capture.name,
      { step: step.index, value: capture.kind === 'literal' ? capture.value : undefined },
    ]),
  );
  // A capture counts for later behaviors. Where its own behavior names it and nothing else answers, the
  // place is where it is captured from (semantics A19).
  const withOwn = (name: string): Answer | null =>
    before(name) ?? answerReference({ ...binder, captured: own }, name);
  const bindPlace = (place: UsePlace, value: JsonValue): JsonValue =>
    bindValue(binder, {
      place,
      value,
      pointer: joinPointer(step.rule, place),
      uses,
      answer: withOwn,
    });
  const bound = {
    target: step.target === null ? null : valueText(bindPlace('target', step.target)),
    ...(step.content === undefined ? {} : { content: bindPlace('content', step.content) }),
    with: bindObject(step.with, (value) => bindPlace('with', value)),
    withOnly: bindObject(step.withOnly, (value) => bindPlace('with_only', value)),
    matchesWhen: bindMatchesWhen(binder, step, (value) => bindPlace('matches_when', value)),
  };
  for (const [name, capture] of own) binder.captured.set(name, capture);
  const evaluations = step.evaluations.map((rule) => bindEvaluation(binder, rule));
  return { ...step, ...bound, capture: captures, evaluations, uses };
}

function bindObject(
  value: JsonObject | null,
  bind: (value: JsonObject) => JsonValue,
): JsonObject | null {
  const bound = value === null ? undefined : bind(value);
  return isJsonObject(bound) ? bound : null;
}

function bindCapture(
  binder: Binder,
  step: Step,
  capture: Capture,
  uses: Use[],
  answer: (name: string) => Answer | null,
): Capture {
  const bindOperand = (value: JsonValue, key: string): JsonValue => {
    const place: Record<string, JsonValue> = Object.create(null);
    place[capture.name] = key === '' ? value : { [key]: value };
    const pointer = joinPointer(step.rule, 'capture');
    const bound = bindValue(binder, { place: 'capture', value: place, pointer, uses, answer });
    const inner = isJsonObject(bound) ? (bound[capture.name] ?? null) : null;
    return key !== '' && isJsonObject(inner) ? (inner[key] ?? null) : inner;
  };
  switch (capture.kind) {
    case 'literal':
      return { ...capture, value: bindOperand(capture.value, '') };
    case 'pattern': {
      const pattern = valueText(bindOperand(capture.pattern, 'pattern'));
      const pointer = joinPointer(joinPointer(step.rule, 'capture'), capture.name);
      const compiled = compilePattern(pattern);
      if (!compiled.ok) say(binder, 'bad-pattern', pointer, compiled.message, compiled.hint);
      else if (compiled.pattern.groupCount !== 1) {
        const message = `the pattern has ${compiled.pattern.groupCount} groups, one is captured`;
        say(binder, 'bad-capture', pointer, message, 'put other groups into (?: … )');
      }
      return { ...capture, pattern };
    }
    case 'path':
      return { ...capture, path: valueText(bindOperand(capture.path, 'path')) };
  }
}

function bindMatchesWhen(
  binder: Binder,
  step: Step,
  bind: (value: JsonObject) => JsonValue,
): MatchesWhen | null {
  const condition = step.matchesWhen;
  if (condition === null) return null;
  const operand = (key: string, value: JsonValue): JsonValue => {
    const bound = bind({ [key]: value });
    return isJsonObject(bound) ? (bound[key] ?? null) : null;
  };
  switch (condition.kind) {
    case 'contains':
      return { kind: 'contains', value: operand('value', condition.value) };
    case 'llm_judge':
      return { kind: 'llm_judge', criteria: valueText(operand('criteria', condition.criteria)) };
    case 'regex': {
      const pattern = valueText(operand('pattern', condition.pattern));
      const compiled = compilePattern(pattern);
      if (!compiled.ok) {
        const pointer = joinPointer(joinPointer(step.rule, 'matches_when'), 'pattern');
        say(binder, 'bad-pattern', pointer, compiled.message, compiled.hint);
      }
      return { kind: 'regex', pattern };
    }
  }
}
