import type { JsonValue } from '../../util/json.js';
import { splitPointer } from './pointer.js';

/** A value of a document and where it stands in the text. A shared (aliased) part is shared here too. */
export interface TreeNode {
  readonly value: JsonValue;
  /** Where the value starts: for an alias, where the alias stands. */
  readonly offset: number;
  readonly end: number;
  /** Number of values below and including this one, aliases counted as often as they are used. */
  readonly size: number;
  readonly depth: number;
  /** For a map. */
  readonly entries?: ReadonlyMap<string, TreeEntry>;
  /** For a list. */
  readonly items?: readonly TreeNode[];
}

export interface TreeEntry {
  readonly keyOffset: number;
  readonly node: TreeNode;
}

/** The node a JSON pointer names, or the nearest one above it. */
export function findNode(root: TreeNode, pointer: string): TreeNode {
  let node = root;
  for (const key of splitPointer(pointer) ?? []) {
    const child = node.entries?.get(key)?.node ?? node.items?.[Number(key)];
    if (child === undefined) break;
    node = child;
  }
  return node;
}

export function childOf(node: TreeNode | undefined, key: string): TreeNode | undefined {
  return node?.entries?.get(key)?.node;
}

/** The text a node holds, undefined for every other kind of value. */
export function textOf(node: TreeNode | undefined): string | undefined {
  return typeof node?.value === 'string' ? node.value : undefined;
}

/**
 * Where the characters of a text value stand in the source: exact where the source holds the value as it
 * is, the start of the value where escapes or folding stand between. Looked for once, then O(1).
 */
export function locateText(source: string, node: TreeNode): (index: number) => number {
  const { value, offset, end } = node;
  const at = typeof value === 'string' ? source.slice(offset, end).indexOf(value) : -1;
  return (index) => (at < 0 ? offset : offset + at + index);
}
