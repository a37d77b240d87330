import type { AttributeSource } from '../../model/span.js';
import type { JsonValue } from '../../util/json.js';

/** An attribute tree under one prefix: `a.0.b = x` under `a` is `{0: {b: x}}`. */
export interface FlatNode {
  value?: JsonValue;
  readonly children: Map<string, FlatNode>;
}

/**
 * Collects the attributes below `prefix` into a tree. Flattened dialects write a list as
 * `prefix.0.…`, `prefix.1.…`, in any order and with holes.
 */
export function readTree(source: AttributeSource, prefix: string): FlatNode {
  const root: FlatNode = { children: new Map() };
  const start = `${prefix}.`;
  for (const key of source.attributeKeys()) {
    if (!key.startsWith(start)) continue;
    let node = root;
    for (const step of key.slice(start.length).split('.')) node = childOf(node, step);
    const value = source.attribute(key);
    if (value !== undefined) node.value = value;
  }
  return root;
}

/** The numbered children in numeric order, whatever their order among the attributes. */
export function itemsOf(node: FlatNode | undefined): readonly FlatNode[] {
  if (node === undefined) return [];
  return [...node.children]
    .filter(([key]) => /^\d+$/.test(key))
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, child]) => child);
}

/** The node at a path below `node`. */
export function at(node: FlatNode | undefined, ...path: string[]): FlatNode | undefined {
  return path.reduce<FlatNode | undefined>((found, step) => found?.children.get(step), node);
}

function childOf(node: FlatNode, key: string): FlatNode {
  const known = node.children.get(key);
  if (known !== undefined) return known;
  const child: FlatNode = { children: new Map() };
  node.children.set(key, child);
  return child;
}
