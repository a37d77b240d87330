import type { JsonValue } from '../../util/json.js';
import { isJsonArray, isJsonObject } from '../../util/json-text.js';
import { maxBoundDepth, maxBoundSize } from './limits.js';

interface Extent {
  readonly size: number;
  readonly depth: number;
}

/** Extents of lists and maps that were measured; parts are shared between the values of a session. */
const measured = new WeakMap<object, Extent>();

/**
 * Whether a value stays within what may be built out of references: values and characters together, and
 * levels. A variable that holds itself twice doubles with every capture; this is where it ends.
 */
export function isWithinBounds(value: JsonValue): boolean {
  const { size, depth } = measure(value, 0);
  return size <= maxBoundSize && depth <= maxBoundDepth;
}

function measure(value: JsonValue, level: number): Extent {
  if (typeof value === 'string') return { size: 1 + value.length, depth: 0 };
  if (!isJsonArray(value) && !isJsonObject(value)) return { size: 1, depth: 0 };
  const known = measured.get(value);
  if (known !== undefined) return known;
  if (level > maxBoundDepth) return { size: 1, depth: 1 };
  let size = 1;
  let depth = 0;
  for (const item of isJsonArray(value) ? value : Object.values(value)) {
    const inner = measure(item, level + 1);
    size += inner.size;
    depth = Math.max(depth, inner.depth);
  }
  const extent = { size, depth: depth + 1 };
  if (level === 0 || extent.depth + level <= maxBoundDepth) measured.set(value, extent);
  return extent;
}
