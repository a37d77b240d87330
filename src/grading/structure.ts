import { joinPointer } from '../documents/abs/pointer.js';
import type { JsonArray, JsonObject, JsonValue } from '../util/json.js';
import { isJsonArray, isJsonObject } from '../util/json-text.js';

/** Where an observed value has another structure than the declared one. */
export interface StructureFault {
  /** JSON Pointer into the value. */
  readonly path: string;
  readonly detail: string;
}

/**
 * Structural compatibility of a declared value with an observed one (statement 73, semantics A24): every
 * declared key is there with a compatible value, scalars have the same JSON type, texts need not be equal,
 * more keys are fine. Null when compatible. `isOpen` says which pointers fit everything.
 */
export function findStructureFault(
  declared: JsonValue,
  observed: JsonValue,
  isOpen: (path: string) => boolean = () => false,
  path = '',
): StructureFault | null {
  if (isOpen(path)) return null;
  if (isJsonObject(declared)) return findInObject(declared, observed, isOpen, path);
  if (isJsonArray(declared)) return findInArray(declared, observed, isOpen, path);
  const [wanted, found] = [typeName(declared), typeName(observed)];
  return wanted === found ? null : fault(path, `expected ${wanted}, was ${found}`);
}

function findInObject(
  declared: JsonObject,
  observed: JsonValue,
  isOpen: (path: string) => boolean,
  path: string,
): StructureFault | null {
  if (!isJsonObject(observed)) return fault(path, `expected an object, was ${typeName(observed)}`);
  for (const [key, value] of Object.entries(declared)) {
    const at = joinPointer(path, key);
    const other = Object.hasOwn(observed, key) ? observed[key] : undefined;
    if (other === undefined) return fault(at, 'was missing');
    const found = findStructureFault(value, other, isOpen, at);
    if (found !== null) return found;
  }
  return null;
}

/** Of equal length: element by element; else each observed element fits some declared one. */
function findInArray(
  declared: JsonArray,
  observed: JsonValue,
  isOpen: (path: string) => boolean,
  path: string,
): StructureFault | null {
  if (!isJsonArray(observed)) return fault(path, `expected a list, was ${typeName(observed)}`);
  const isSameLength = declared.length === observed.length;
  for (const [index, element] of observed.entries()) {
    const at = joinPointer(path, index);
    const faults = isSameLength
      ? [findStructureFault(declared[index] ?? null, element, isOpen, at)]
      : declared.map((model, place) =>
          findStructureFault(model, element, isOpen, joinPointer(path, place)),
        );
    if (faults.includes(null)) continue;
    return faults[0] ?? fault(at, 'is more than was declared');
  }
  return null;
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'a list';
  switch (typeof value) {
    case 'object':
      return 'an object';
    case 'string':
      return 'a text';
    case 'boolean':
      return 'a boolean';
    default:
      return 'a number';
  }
}

function fault(path: string, problem: string): StructureFault {
  return { path, detail: `${path === '' ? 'the content' : `content at ${path}`}: ${problem}` };
}
