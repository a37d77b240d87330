import type { TextPlace } from '../../model/document.js';
import type { EvaluatorSpec } from '../../model/evaluator.js';
import type { SourcePosition } from '../../model/problem.js';
import { frameAt, positionAt } from '../../util/text.js';
import { joinPointer } from './pointer.js';
import type { ProblemSink } from './problems.js';
import { parseTemplate } from './template.js';
import { locateText, type TreeNode } from './tree.js';

/** What the readers of one session share. */
export interface Reading {
  readonly sink: ProblemSink;
  readonly version: '0.1' | '0.2';
  readonly evaluators: ReadonlyMap<string, EvaluatorSpec>;
  /** Pointers with a fault in or below them: what hangs on their shape is not checked again. */
  readonly damaged: ReadonlySet<string>;
  /** Pointers of keys whose value is ignored. */
  readonly ignored: ReadonlySet<string>;
  /** Filled while reading: where each text with references stands. */
  readonly references: Map<string, TextPlace>;
}

export function positionOf(reading: Reading, node: TreeNode): SourcePosition {
  return positionAt(reading.sink.source, node.offset);
}

/** Tells that a key or type came with version 0.2 and the document declares 0.1 (semantics A47). */
export function refuseIn01(reading: Reading, offset: number, what: string): void {
  if (reading.version !== '0.1') return;
  reading.sink.add(
    'version-feature',
    offset,
    `${what} is not part of version 0.1`,
    'declare abs_version: "0.2", or leave it out',
  );
}

/**
 * Reads the references of every text in a value, notes where they stand, and tells those that are
 * malformed (semantics A18). Recursion is bounded by the depth of documents.
 */
export function readReferences(
  reading: Reading,
  node: TreeNode | undefined,
  pointer: string,
): void {
  if (node === undefined) return;
  for (const [key, entry] of node.entries ?? []) {
    readReferences(reading, entry.node, joinPointer(pointer, key));
  }
  for (const [index, item] of (node.items ?? []).entries()) {
    readReferences(reading, item, joinPointer(pointer, index));
  }
  if (typeof node.value !== 'string' || !node.value.includes('{{')) return;
  const { source } = reading.sink;
  const parsed = parseTemplate(node.value);
  const offsetOf = locateText(source.text, node);
  if (parsed.ok) {
    const first = parsed.template.references[0];
    if (first === undefined) return;
    const position = positionAt(source, offsetOf(first.offset));
    reading.references.set(pointer, { position, ...frameAt(source, position.line) });
    return;
  }
  for (const fault of parsed.faults) {
    reading.sink.add('bad-reference', offsetOf(fault.offset), fault.message, fault.hint);
  }
}
