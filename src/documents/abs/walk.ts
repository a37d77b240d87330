import type { Evaluation, Session } from '../../model/document.js';
import type { JsonValue } from '../../util/json.js';
import { isJsonArray, isJsonObject } from '../../util/json-text.js';
import { joinPointer } from './pointer.js';
import { parseTemplate, type Template } from './template.js';

/** A rule and every rule inside it, outermost first. */
export function flattenEvaluation(evaluation: Evaluation): Evaluation[] {
  return [evaluation, ...evaluation.children.flatMap(flattenEvaluation)];
}

/** Every rule of a session: those of its steps in order, then its own. */
export function allEvaluations(session: Session): Evaluation[] {
  return [...session.steps.flatMap((step) => step.evaluations), ...session.evaluations].flatMap(
    flattenEvaluation,
  );
}

/** A text with references inside a value, and the pointer from the value to it. */
export interface FoundTemplate {
  readonly pointer: string;
  readonly template: Template;
}

/** The texts with references in a value, in order. Recursion is bounded by the depth of documents. */
export function findTemplates(value: JsonValue, pointer = ''): FoundTemplate[] {
  if (typeof value === 'string') {
    const parsed = value.includes('{{') ? parseTemplate(value) : null;
    if (!parsed?.ok || parsed.template.references.length === 0) return [];
    return [{ pointer, template: parsed.template }];
  }
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => findTemplates(item, joinPointer(pointer, index)));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    findTemplates(item, joinPointer(pointer, key)),
  );
}
