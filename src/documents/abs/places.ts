import type { Capture, Evaluation, MatchesWhen, Step } from '../../model/document.js';
import type { JsonObject, JsonValue } from '../../util/json.js';
import type { UsePlace } from './bound-session.js';

/** A part of a step or rule in which references resolve (semantics A16). */
export interface Place {
  readonly place: UsePlace;
  readonly value: JsonValue;
  /** Key in the document, the last part of its pointer. */
  readonly key: string;
}

/** The parts of a step in which references resolve; its evaluations have parts of their own. */
export function placesOfStep(step: Step): Place[] {
  const places: Place[] = [];
  if (step.target !== null) places.push({ place: 'target', key: 'target', value: step.target });
  if (step.content !== undefined) {
    places.push({ place: 'content', key: 'content', value: step.content });
  }
  if (step.with !== null) places.push({ place: 'with', key: 'with', value: step.with });
  if (step.withOnly !== null) {
    places.push({ place: 'with_only', key: 'with_only', value: step.withOnly });
  }
  if (step.matchesWhen !== null) {
    const value = matchesWhenOperand(step.matchesWhen);
    places.push({ place: 'matches_when', key: 'matches_when', value });
  }
  for (const capture of step.capture) {
    const value: Record<string, JsonValue> = Object.create(null);
    value[capture.name] = captureOperand(capture);
    places.push({ place: 'capture', key: 'capture', value });
  }
  return places;
}

function matchesWhenOperand(condition: MatchesWhen): JsonObject {
  switch (condition.kind) {
    case 'contains':
      return { value: condition.value };
    case 'regex':
      return { pattern: condition.pattern };
    case 'llm_judge':
      return { criteria: condition.criteria };
  }
}

function captureOperand(capture: Capture): JsonValue {
  switch (capture.kind) {
    case 'literal':
      return capture.value;
    case 'pattern':
      return { pattern: capture.pattern };
    case 'path':
      return { path: capture.path };
  }
}

/** Keys of a rule that are names, not values: references in them are left as they are. */
const nameKeys: ReadonlySet<string> = new Set(['type', 'variable', 'behavior', 'adapter', 'when']);

/** The fields of a rule in which references resolve. */
export function placeOfEvaluation(evaluation: Evaluation): Place {
  const value: Record<string, JsonValue> = Object.create(null);
  for (const [key, field] of Object.entries(evaluation.fields)) {
    if (!nameKeys.has(key)) value[key] = field;
  }
  return { place: 'evaluation', key: '', value };
}

/** Names that a judge's prompt fills itself (statement 123). */
export const promptNames: ReadonlySet<string> = new Set([
  'criteria',
  'context',
  'query',
  'response',
]);
