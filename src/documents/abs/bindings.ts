import type { Problem, Result } from '../../model/problem.js';
import type { JsonObject } from '../../util/json.js';
import { createDocumentProblem } from './problems.js';
import { isReferenceName } from './template.js';

/** What a session is bound with: one dataset row and the variables of the run. */
export interface Bindings {
  /** Null when the session runs without a dataset. */
  readonly row: BoundRow | null;
  /** `--var` by name; values are texts (semantics A17). */
  readonly variables: ReadonlyMap<string, string>;
  /** The environment; `ABS_VAR_<name>` is the last source of a value. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface BoundRow {
  /** 0-based. */
  readonly index: number;
  /** Id of the document's dataset block; null for `--dataset`, whose columns are bare names. */
  readonly dataset: string | null;
  readonly values: JsonObject;
}

/** No row, no variables. */
export const noBindings: Bindings = { row: null, variables: new Map(), environment: {} };

/**
 * Reads `--var name=value` arguments: split at the first `=`, the value may hold more of them. A name
 * that no reference can have, or stands twice, is an error.
 */
export function parseVariables(written: readonly string[]): Result<ReadonlyMap<string, string>> {
  const variables = new Map<string, string>();
  const problems: Problem[] = [];
  for (const argument of written) {
    const at = argument.indexOf('=');
    const name = argument.slice(0, at < 0 ? undefined : at);
    if (at < 0 || !isReferenceName(name)) {
      const hint = 'write --var name=value, e.g. --var orderId=R-5512';
      problems.push(
        createDocumentProblem('bad-variable', `--var ${argument} is not name=value`, { hint }),
      );
    } else if (variables.has(name)) {
      const hint = 'give it once';
      problems.push(
        createDocumentProblem('bad-variable', `--var ${name} is given twice`, { hint }),
      );
    } else {
      variables.set(name, argument.slice(at + 1));
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: variables, problems };
}
