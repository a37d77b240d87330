import type { Atom } from '../../model/fact.js';
import type { JsonValue } from '../../util/json.js';
import { isObject } from '../shape.js';

/**
 * The last atom before the cut is itself cut. Where nothing stands behind its name, id or type, the
 * cut may go through these: then it is left out rather than told under half a name.
 */
export function markCut(atoms: readonly Atom[]): readonly Atom[] {
  const last = atoms.at(-1);
  if (last === undefined) return atoms;
  const others = atoms.slice(0, -1);
  switch (last.kind) {
    case 'text':
      return [...others, { ...last, state: 'truncated' }];
    case 'call':
      return isEmpty(last.args) ? others : [...others, { ...last, state: 'truncated' }];
    case 'result':
      return last.result === undefined ? others : [...others, { ...last, state: 'truncated' }];
    default:
      return others;
  }
}

function isEmpty(args: JsonValue | undefined): boolean {
  return args === undefined || args === '' || (isObject(args) && Object.keys(args).length === 0);
}
