import type { Evaluation } from '../../model/document.js';
import type { Severity } from '../../model/verdict.js';
import type { JsonValue } from '../../util/json.js';
import { joinPointer } from './pointer.js';
import { positionOf, type Reading, readReferences, refuseIn01 } from './reading.js';
import { childOf, locateText, type TreeNode, textOf } from './tree.js';
import { parseWhen } from './when.js';

/** Reads a list of rules; one that is no rule at all is left out (its fault is told by the structure). */
export function readEvaluations(
  reading: Reading,
  list: TreeNode | undefined,
  pointer: string,
  level: Evaluation['level'],
): Evaluation[] {
  return (list?.items ?? []).flatMap((node, index) => {
    const type = textOf(childOf(node, 'type'));
    if (type === undefined) return [];
    return [readEvaluation(reading, node, joinPointer(pointer, index), level, type)];
  });
}

function readEvaluation(
  reading: Reading,
  node: TreeNode,
  rule: string,
  level: Evaluation['level'],
  type: string,
): Evaluation {
  const spec = reading.evaluators.get(type);
  const isComposition = spec?.family === 'composition';
  const nested = isComposition ? childOf(node, 'evaluations') : undefined;
  const evaluation: Evaluation = {
    rule,
    via: null,
    position: positionOf(reading, node),
    level,
    type,
    ...readCommonKeys(reading, node, rule),
    fields: readFields(reading, node, rule, isComposition),
    children: readEvaluations(reading, nested, joinPointer(rule, 'evaluations'), level),
  };
  checkVersion(reading, node, type);
  checkWhen(reading, node);
  if (!reading.damaged.has(rule)) {
    for (const problem of spec?.lint?.(evaluation) ?? []) reading.sink.adopt(problem);
  }
  return evaluation;
}

function readCommonKeys(reading: Reading, node: TreeNode, rule: string) {
  const valueAt = (key: string): JsonValue | undefined =>
    reading.ignored.has(joinPointer(rule, key)) ? undefined : childOf(node, key)?.value;
  const threshold = valueAt('threshold');
  const title = valueAt('title');
  const severity = valueAt('severity');
  return {
    title: typeof title === 'string' ? title : null,
    threshold: typeof threshold === 'number' ? threshold : null,
    blocking: valueAt('blocking') === true,
    severity: isSeverity(severity) ? severity : null,
    when: textOf(childOf(node, 'when')) ?? null,
    adapter: textOf(childOf(node, 'adapter')) ?? null,
  };
}

function isSeverity(value: JsonValue | undefined): value is Severity {
  return value === 'info' || value === 'warning' || value === 'critical';
}

function readFields(
  reading: Reading,
  node: TreeNode,
  rule: string,
  isComposition: boolean,
): Record<string, JsonValue> {
  const fields: Record<string, JsonValue> = Object.create(null);
  for (const [key, entry] of node.entries ?? []) {
    const pointer = joinPointer(rule, key);
    if ((isComposition && key === 'evaluations') || reading.ignored.has(pointer)) continue;
    fields[key] = entry.node.value;
    if (key !== 'when') readReferences(reading, entry.node, pointer);
  }
  return fields;
}

function checkVersion(reading: Reading, node: TreeNode, type: string): void {
  const spec = reading.evaluators.get(type);
  const typeOffset = childOf(node, 'type')?.offset ?? node.offset;
  if (spec?.since === '0.2') refuseIn01(reading, typeOffset, `the evaluator ${type}`);
  for (const key of ['when', 'adapter']) {
    const entry = node.entries?.get(key);
    if (entry !== undefined) refuseIn01(reading, entry.keyOffset, `"${key}" of an evaluation`);
  }
}

/** A `when` that does not parse is an error: a typo must not switch a rule off (semantics A42). */
function checkWhen(reading: Reading, node: TreeNode): void {
  const condition = childOf(node, 'when');
  const text = textOf(condition);
  if (condition === undefined || text === undefined) return;
  const offsetOf = locateText(reading.sink.source.text, condition);
  const parsed = parseWhen(text);
  const say = (
    code: 'bad-when' | 'doubtful-when',
    fault: { offset: number; message: string; hint: string },
  ) =>
    reading.sink.add(
      code,
      offsetOf(fault.offset),
      `when: ${fault.message} (character ${fault.offset + 1})`,
      fault.hint,
    );
  if (!parsed.ok) say('bad-when', parsed.fault);
  else for (const doubt of parsed.expression.doubts) say('doubtful-when', doubt);
}
