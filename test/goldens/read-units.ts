import { fileURLToPath } from 'node:url';
import type { Unit } from '../../src/model/behavior.js';
import { explain } from '../../src/pipeline/library.js';

/** The units of recordings, by the same way that `retrial explain` goes. */
export async function readUnits(files: readonly URL[]): Promise<readonly Unit[]> {
  const recordings = files.map((file) => fileURLToPath(file));
  const { units, diagnostics } = await explain({ recordings, unit: 'auto' });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return units.map(({ unit }) => unit);
}
