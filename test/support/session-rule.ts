import type { GradeUnitOptions } from '../../src/grading/grade-unit.js';
import type { Unit } from '../../src/model/behavior.js';
import type { EvaluationReport } from '../../src/model/report.js';
import type { JsonObject } from '../../src/util/json.js';
import { type Bindings, entryOf, gradeDocument } from './grade-document.js';
import { createUnit } from './stated-unit.js';

type Observed = readonly JsonObject[] | Unit;

/** The entry of one rule at session level; the document has one optional step that never happens. */
export function gradeRule(
  rule: JsonObject,
  observed: Observed,
  options: GradeUnitOptions & Bindings = {},
): EvaluationReport {
  const document = {
    session: 'rule',
    abs_version: '0.2',
    behaviors: [{ actor: 'nobody', action: 'says', optional: true }],
    evaluations: [rule],
  };
  const report = gradeDocument(JSON.stringify(document), toUnit(observed), options);
  return entryOf(report, '/evaluations/0');
}

/** The entry of one rule on a step, the last of the steps. */
export function gradeStepRule(
  rule: JsonObject,
  steps: readonly JsonObject[],
  observed: Observed,
  options: GradeUnitOptions & Bindings = {},
): EvaluationReport {
  const last = steps.length - 1;
  const document = {
    session: 'rule',
    abs_version: '0.2',
    behaviors: steps.map((step, at) => (at === last ? { ...step, evaluations: [rule] } : step)),
  };
  const report = gradeDocument(JSON.stringify(document), toUnit(observed), options);
  return entryOf(report, `/behaviors/${last}/evaluations/0`);
}

function toUnit(observed: Observed): Unit {
  return 'behaviors' in observed ? observed : createUnit(observed);
}
