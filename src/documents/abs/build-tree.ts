import { type Document, isAlias, isMap, isScalar, isSeq, type Pair, Scalar } from 'yaml';
import type { JsonArray, JsonObject, JsonValue } from '../../util/json.js';
import { shorten } from '../../util/text.js';
import { maxExpandedValues, maxYamlDepth } from './limits.js';
import type { ProblemSink } from './problems.js';

import type { TreeEntry, TreeNode } from './tree.js';

interface Builder {
  readonly sink: ProblemSink;
  /** The latest node of each anchor; anchors are read in the order of the text. */
  readonly anchors: Map<string, TreeNode>;
  isBroken: boolean;
}

/**
 * Turns a composed YAML document into JSON values with places: null-prototype maps, exact numbers,
 * aliases shared and counted, merge keys applied. Null, with the problems told, when something in it has
 * no such form. Recursion is bounded by `maxYamlDepth`, which was checked on the tokens.
 */
export function buildTree(sink: ProblemSink, document: Document.Parsed): TreeNode | null {
  const builder: Builder = { sink, anchors: new Map(), isBroken: false };
  const root = buildNode(builder, document.contents, document.range[0]);
  if (!builder.isBroken && root.depth > maxYamlDepth) {
    fail(builder, 'yaml-depth', root.offset, 'aliases nest lists and maps too deeply');
  }
  if (!builder.isBroken && root.size > maxExpandedValues) {
    fail(
      builder,
      'yaml-alias',
      root.offset,
      `aliases expand to more than ${maxExpandedValues} values`,
      'write the repeated part as a fragment, or repeat less',
    );
  }
  return builder.isBroken ? null : root;
}

function buildNode(builder: Builder, node: unknown, fallbackOffset: number): TreeNode {
  if (isAlias(node)) return buildAlias(builder, node.source, node.range?.[0] ?? fallbackOffset);
  const range = isMap(node) || isSeq(node) || isScalar(node) ? node.range : null;
  const offset = range?.[0] ?? fallbackOffset;
  const end = range?.[1] ?? offset;
  let built: TreeNode;
  if (isMap(node)) built = buildMap(builder, node.items, offset, end);
  else if (isSeq(node)) built = buildList(builder, node.items, offset, end);
  else built = leaf(isScalar(node) ? scalarValue(builder, node, offset) : null, offset, end);
  const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
  if (anchor !== undefined) builder.anchors.set(anchor, built);
  return built;
}

function leaf(value: JsonValue, offset: number, end: number): TreeNode {
  return { value, offset, end, size: 1, depth: 0 };
}

function buildAlias(builder: Builder, anchor: string, offset: number): TreeNode {
  const target = builder.anchors.get(anchor);
  if (target === undefined) {
    const message = `*${shorten(anchor, 40)} has no anchor before it`;
    fail(builder, 'yaml-alias', offset, message, `mark a value with &${shorten(anchor, 40)}`);
    return leaf(null, offset, offset);
  }
  return { ...target, offset };
}

function buildList(
  builder: Builder,
  items: readonly unknown[],
  offset: number,
  end: number,
): TreeNode {
  const nodes = items.map((item) => buildNode(builder, item, offset));
  const value: JsonArray = nodes.map((node) => node.value);
  return { value, offset, end, ...measure(nodes), items: nodes };
}

function buildMap(
  builder: Builder,
  pairs: readonly Pair<unknown, unknown>[],
  offset: number,
  end: number,
): TreeNode {
  const entries = new Map<string, TreeEntry>();
  const merged: TreeEntry[] = [];
  for (const pair of pairs) {
    const keyOffset = offsetOf(pair.key) ?? offset;
    if (isMergeKey(pair.key)) {
      merged.push({ keyOffset, node: buildNode(builder, pair.value, keyOffset) });
      continue;
    }
    const key = keyText(builder, pair.key, keyOffset);
    const node = buildNode(builder, pair.value, offsetOf(pair.value) ?? keyOffset);
    if (key === null) continue;
    if (entries.has(key)) {
      const message = `the key "${shorten(key, 40)}" stands twice in this map`;
      fail(builder, 'duplicate-key', keyOffset, message, 'remove or rename one of them');
    }
    entries.set(key, { keyOffset, node });
  }
  for (const entry of merged) mergeInto(builder, entries, entry);
  const value: Record<string, JsonValue> = Object.create(null);
  for (const [key, entry] of entries) value[key] = entry.node.value;
  const nodes = [...entries.values()].map((entry) => entry.node);
  const result: JsonObject = value;
  return { value: result, offset, end, ...measure(nodes), entries };
}

/** Keys of the map itself win over merged ones, earlier maps of a list over later ones. */
function mergeInto(builder: Builder, entries: Map<string, TreeEntry>, merged: TreeEntry): void {
  for (const source of merged.node.items ?? [merged.node]) {
    if (source.entries === undefined) {
      const hint = 'merge with <<: *anchor, or <<: [*one, *two]';
      fail(builder, 'yaml-merge', merged.keyOffset, '<< needs a map or a list of maps', hint);
      return;
    }
    for (const [key, entry] of source.entries) {
      if (!entries.has(key)) entries.set(key, entry);
    }
  }
}

function measure(nodes: readonly TreeNode[]): { readonly size: number; readonly depth: number } {
  let size = 1;
  let depth = 0;
  for (const node of nodes) {
    size += node.size;
    depth = Math.max(depth, node.depth);
  }
  return { size, depth: depth + 1 };
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN;
}

function offsetOf(node: unknown): number | undefined {
  const isNode = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node);
  return isNode ? node.range?.[0] : undefined;
}

/** Keys are texts as written: `1: x` has the key "1". */
function keyText(builder: Builder, key: unknown, offset: number): string | null {
  if (isScalar(key)) {
    buildNode(builder, key, offset);
    return typeof key.value === 'string' ? key.value : (key.source ?? '');
  }
  if (isAlias(key)) {
    const { value } = buildAlias(builder, key.source, offset);
    if (typeof value === 'string') return value;
  }
  fail(builder, 'yaml-key', offset, 'a key must be a text', 'lists and maps cannot be keys');
  return null;
}

function scalarValue(builder: Builder, node: Scalar, offset: number): JsonValue {
  const { value } = node;
  if (typeof value === 'bigint') {
    const asNumber = Number(value);
    return Number.isSafeInteger(asNumber) ? asNumber : value;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const message = `${shorten(node.source ?? String(value), 40)} has no JSON form`;
    fail(builder, 'yaml-number', offset, message, 'quote it if it is a text');
    return null;
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Object.is(value, -0) ? 0 : value;
  fail(builder, 'yaml-key', offset, 'a value of this YAML type has no JSON form', 'quote it');
  return null;
}

function fail(
  builder: Builder,
  code: Parameters<ProblemSink['add']>[0],
  offset: number,
  message: string,
  hint?: string,
): void {
  builder.isBroken = true;
  builder.sink.add(code, offset, message, hint);
}
