import { bindSession } from '../../src/documents/abs/bind.js';
import type { BoundSession } from '../../src/documents/abs/bound-session.js';
import { parseAbs } from '../../src/documents/abs/parse.js';
import { evaluators } from '../../src/evaluators/index.js';
import { type GradeUnitOptions, gradeUnit } from '../../src/grading/grade-unit.js';
import type { Unit } from '../../src/model/behavior.js';
import type { EvaluationReport, UnitReport } from '../../src/model/report.js';
import type { JsonObject } from '../../src/util/json.js';

export interface Bindings {
  readonly row?: JsonObject;
  readonly variables?: Readonly<Record<string, string>>;
}

/** The only session of a document, bound; throws with the problems when it is wrong. */
export function bindDocument(text: string, bindings: Bindings = {}): BoundSession {
  const parsed = parseAbs(text, 'case.abs.yaml', evaluators);
  const [session] = parsed.sessions;
  if (session === undefined) throw new Error(describe(parsed.problems));
  const row =
    bindings.row === undefined
      ? null
      : { index: 0, dataset: session.dataset?.id ?? null, values: bindings.row };
  const bound = bindSession(session, {
    row,
    variables: new Map(Object.entries(bindings.variables ?? {})),
    environment: {},
  });
  if (!bound.ok) throw new Error(describe(bound.problems));
  return bound.value;
}

/** Grades a unit by the only session of a document. */
export function gradeDocument(
  text: string,
  unit: Unit,
  options: GradeUnitOptions & Bindings = {},
): UnitReport {
  return gradeUnit(unit, bindDocument(text, options), options);
}

/** The entry of a rule, by its pointer. */
export function entryOf(report: UnitReport, rule: string): EvaluationReport {
  const entry = report.evaluations.find((evaluation) => evaluation.rule === rule);
  if (entry === undefined) throw new Error(`the report has no rule ${rule}`);
  return entry;
}

function describe(problems: readonly { readonly message: string }[]): string {
  return problems.map((problem) => problem.message).join('\n');
}
