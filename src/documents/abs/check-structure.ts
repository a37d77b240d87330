import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { commonFields } from '../../evaluators/fields.js';
import type { EvaluatorSpec } from '../../model/evaluator.js';
import { describeError } from './describe-structure.js';
import { pointersUpward } from './pointer.js';
import type { ProblemSink } from './problems.js';
import { assembleAbsSchema } from './schema.js';
import { childOf, findNode, type TreeNode, textOf } from './tree.js';

/** What the shape of a document is worth. */
export interface Structure {
  /** Pointers of everything with a fault in or below it. */
  readonly damaged: ReadonlySet<string>;
  /** Pointers of Retrial's own keys whose value is ignored. */
  readonly ignored: ReadonlySet<string>;
}

const validators = new WeakMap<readonly EvaluatorSpec[], ValidateFunction>();

/**
 * Validates a document against the schema of the evaluator table. One problem per fault, at the value or
 * key that is wrong; what a validator says beside that (branches of a choice) is left out.
 */
export function checkStructure(
  sink: ProblemSink,
  root: TreeNode,
  evaluators: readonly EvaluatorSpec[],
): Structure {
  const damaged = new Set<string>();
  const ignored = new Set<string>();
  const validate = validatorOf(evaluators);
  if (validate(root.value)) return { damaged, ignored };
  const errors = validate.errors ?? [];
  const choices = new Set(errors.filter(isChoice).map((error) => error.instancePath));
  for (const error of errors) {
    if (isNoise(error, choices)) continue;
    if (isLenient(root, error, evaluators)) {
      ignored.add(error.instancePath);
      const key = error.instancePath.slice(error.instancePath.lastIndexOf('/') + 1);
      const said = describeError(sink, root, error, evaluators);
      sink.add('own-key-ignored', said.offset, `${key} is ignored: ${said.message}`, said.hint);
      continue;
    }
    for (const pointer of pointersUpward(error.instancePath)) damaged.add(pointer);
    const said = describeError(sink, root, error, evaluators);
    sink.add(said.code, said.offset, said.message, said.hint);
  }
  return { damaged, ignored };
}

function validatorOf(evaluators: readonly EvaluatorSpec[]): ValidateFunction {
  const known = validators.get(evaluators);
  if (known !== undefined) return known;
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    ownProperties: true,
    validateFormats: false,
  });
  const validate = ajv.compile(assembleAbsSchema(evaluators));
  validators.set(evaluators, validate);
  return validate;
}

function isChoice(error: ErrorObject): boolean {
  return error.keyword === 'anyOf' || error.keyword === 'oneOf';
}

function isNoise(error: ErrorObject, choices: ReadonlySet<string>): boolean {
  if (error.keyword === 'if') return true;
  if (isChoice(error)) return false;
  return pointersUpward(error.instancePath).some((pointer) => choices.has(pointer));
}

/** Whether the error is about a key that is ignored when its value is wrong (semantics A49). */
function isLenient(
  root: TreeNode,
  error: ErrorObject,
  evaluators: readonly EvaluatorSpec[],
): boolean {
  const match = /^(.*\/evaluations\/\d+)\/([^/]+)/.exec(error.instancePath);
  const [owner, key] = [match?.[1], match?.[2]];
  if (owner === undefined || key === undefined) return false;
  const type = textOf(childOf(findNode(root, owner), 'type'));
  const fields = evaluators.find((row) => row.type === type)?.fields;
  return (fields?.[key] ?? commonFields[key])?.lenient === true;
}
