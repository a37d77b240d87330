import type { BoundStep, Use, UsePlace } from '../documents/abs/bound-session.js';
import {
  filledText,
  hasHoles,
  type ObservedCapture,
  readHole,
  replaceAt,
} from '../documents/abs/holes.js';
import { splitPointer } from '../documents/abs/pointer.js';
import type { MatchesWhen } from '../model/document.js';
import type { JsonValue } from '../util/json.js';
import { isJsonObject } from '../util/json-text.js';
import { valueText } from '../util/text.js';

/**
 * Puts what was captured from the trace into the steps that refer to it, so that they can be aligned by
 * it. A hole whose capture read nothing stays open.
 */
export function fillSteps(
  steps: readonly BoundStep[],
  observed: ObservedCapture,
): readonly BoundStep[] {
  return steps.map((step) => (hasHoles(step.uses) ? fillStep(step, observed) : step));
}

function fillStep(step: BoundStep, observed: ObservedCapture): BoundStep {
  const read: JsonValue[] = [];
  const uses = step.uses.map((use): Use => {
    const value = use.value ?? readHole(use, observed);
    if (use.value === undefined && value !== undefined) read.push(value);
    return value === undefined ? use : { ...use, value };
  });
  const fill = (place: UsePlace, value: JsonValue): JsonValue => fillPlace(uses, place, value);
  const fillMap = (place: UsePlace, value: BoundStep['with']) => {
    const filled = value === null ? undefined : fill(place, value);
    return isJsonObject(filled) ? filled : null;
  };
  return {
    ...step,
    uses,
    observed: read,
    target: step.target === null ? null : valueText(fill('target', step.target)),
    ...(step.content === undefined ? {} : { content: fill('content', step.content) }),
    with: fillMap('with', step.with),
    withOnly: fillMap('with_only', step.withOnly),
    matchesWhen: step.matchesWhen === null ? null : fillCondition(step.matchesWhen, fill),
  };
}

function fillCondition(
  condition: MatchesWhen,
  fill: (place: UsePlace, value: JsonValue) => JsonValue,
): MatchesWhen {
  const operand = (key: string, value: JsonValue): JsonValue => {
    const filled = fill('matches_when', { [key]: value });
    return isJsonObject(filled) ? (filled[key] ?? null) : null;
  };
  switch (condition.kind) {
    case 'contains':
      return { kind: 'contains', value: operand('value', condition.value) };
    case 'regex':
      return { kind: 'regex', pattern: valueText(operand('pattern', condition.pattern)) };
    case 'llm_judge':
      return { kind: 'llm_judge', criteria: valueText(operand('criteria', condition.criteria)) };
  }
}

/** Each text of the place whose references all have values. */
function fillPlace(uses: readonly Use[], place: UsePlace, value: JsonValue): JsonValue {
  const byPath = new Map<string, Use[]>();
  for (const use of uses) {
    if (use.place === place) byPath.set(use.path, [...(byPath.get(use.path) ?? []), use]);
  }
  let filled = value;
  for (const [path, inText] of byPath) {
    if (inText.every((use) => use.value !== undefined)) {
      filled = replaceAt(filled, splitPointer(path) ?? [], filledText(inText));
    }
  }
  return filled;
}
