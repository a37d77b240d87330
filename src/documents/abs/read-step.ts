import type { Capture, MatchesWhen, Step } from '../../model/document.js';
import type { JsonObject } from '../../util/json.js';
import { isJsonObject } from '../../util/json-text.js';
import { compilePattern } from '../../util/pattern.js';
import { joinPointer, splitPointer } from './pointer.js';
import { readEvaluations } from './read-evaluation.js';
import { positionOf, type Reading, readReferences, refuseIn01 } from './reading.js';
import { isReferenceName } from './template.js';
import { childOf, locateText, type TreeNode, textOf } from './tree.js';

/** A behavior as written, before fragments give it its place. */
export type WrittenStep = Omit<Step, 'index' | 'via'>;

/** Reads one behavior. Faults of its shape were told before; what it means is checked here. */
export function readStep(reading: Reading, node: TreeNode, rule: string): WrittenStep {
  for (const key of ['optional', 'requires', 'matches_when']) {
    const entry = node.entries?.get(key);
    if (entry !== undefined) refuseIn01(reading, entry.keyOffset, `"${key}" of a behavior`);
  }
  for (const key of ['target', 'content', 'with', 'with_only', 'capture', 'matches_when']) {
    readReferences(reading, childOf(node, key), joinPointer(rule, key));
  }
  for (const key of ['id', 'actor', 'action', 'requires']) {
    warnOfReference(reading, key, childOf(node, key));
  }
  const content = childOf(node, 'content');
  return {
    rule,
    position: positionOf(reading, node),
    id: textOf(childOf(node, 'id')) ?? null,
    actor: textOf(childOf(node, 'actor')) ?? '',
    action: textOf(childOf(node, 'action')) ?? '',
    target: textOf(childOf(node, 'target')) ?? null,
    ...(content === undefined ? {} : { content: content.value }),
    with: objectOf(childOf(node, 'with')),
    withOnly: objectOf(childOf(node, 'with_only')),
    capture: readCaptures(reading, childOf(node, 'capture')),
    optional: childOf(node, 'optional')?.value === true,
    requires: textOf(childOf(node, 'requires')) ?? null,
    matchesWhen: readMatchesWhen(reading, childOf(node, 'matches_when')),
    evaluations: readEvaluations(
      reading,
      childOf(node, 'evaluations'),
      joinPointer(rule, 'evaluations'),
      'step',
    ),
  };
}

function objectOf(node: TreeNode | undefined): JsonObject | null {
  return isJsonObject(node?.value) ? node.value : null;
}

function warnOfReference(reading: Reading, key: string, node: TreeNode | undefined): void {
  if (node === undefined || !textOf(node)?.includes('{{')) return;
  reading.sink.add(
    'reference-ignored',
    node.offset,
    `references do not resolve in ${key}`,
    'they resolve in target, content, with, with_only, capture, matches_when and evaluations',
  );
}

function readCaptures(reading: Reading, node: TreeNode | undefined): Capture[] {
  return [...(node?.entries ?? [])].map(([name, entry]) => {
    if (!isReferenceName(name)) {
      reading.sink.add(
        'bad-capture',
        entry.keyOffset,
        `"${name}" cannot be referred to as {{${name}}}`,
        'name a variable with letters, digits, "_" and "-", parts joined by "."',
      );
    }
    return readCapture(reading, name, entry.node);
  });
}

/** A map with the one key `pattern` or `path` reads what was observed; everything else is a value. */
function readCapture(reading: Reading, name: string, node: TreeNode): Capture {
  const isExtension = node.entries?.size === 1;
  const pattern = isExtension ? childOf(node, 'pattern') : undefined;
  const path = isExtension ? childOf(node, 'path') : undefined;
  const patternText = textOf(pattern);
  const pathText = textOf(path);
  if (pattern !== undefined && patternText !== undefined) {
    sayExtension(reading, node, 'capture with a pattern');
    checkCapturePattern(reading, pattern, patternText);
    return { kind: 'pattern', name, pattern: patternText };
  }
  if (path !== undefined && pathText !== undefined) {
    sayExtension(reading, node, 'capture with a path');
    if (splitPointer(pathText) === null) {
      const message = `"${pathText}" is not a JSON pointer`;
      reading.sink.add(
        'bad-capture',
        path.offset,
        message,
        'write /key, /list/0, or "" for all of it',
      );
    }
    return { kind: 'path', name, path: pathText };
  }
  return { kind: 'literal', name, value: node.value };
}

function sayExtension(reading: Reading, node: TreeNode, what: string): void {
  reading.sink.add(
    'extension',
    node.offset,
    `${what} is an extension of Retrial`,
    'other tools read the map as the captured value',
  );
}

function checkCapturePattern(reading: Reading, node: TreeNode, pattern: string): void {
  // A reference in it is known only when a row is bound; it is compiled then.
  if (pattern.includes('{{')) return;
  const compiled = checkPattern(reading, node, pattern);
  if (compiled === null || compiled.groupCount === 1) return;
  reading.sink.add(
    'bad-capture',
    node.offset,
    `the pattern has ${compiled.groupCount} groups, one is captured`,
    'put the part to capture into ( … ), other groups into (?: … )',
  );
}

function checkPattern(reading: Reading, node: TreeNode, pattern: string) {
  const compiled = compilePattern(pattern);
  if (compiled.ok) return compiled.pattern;
  const offset = locateText(reading.sink.source.text, node)(compiled.offset ?? 0);
  reading.sink.add('bad-pattern', offset, compiled.message, compiled.hint);
  return null;
}

function readMatchesWhen(reading: Reading, node: TreeNode | undefined): MatchesWhen | null {
  switch (textOf(childOf(node, 'type'))) {
    case 'contains': {
      const value = childOf(node, 'value');
      return value === undefined ? null : { kind: 'contains', value: value.value };
    }
    case 'regex': {
      const pattern = childOf(node, 'pattern');
      const text = textOf(pattern);
      if (pattern === undefined || text === undefined) return null;
      if (!text.includes('{{')) checkPattern(reading, pattern, text);
      return { kind: 'regex', pattern: text };
    }
    case 'llm_judge': {
      const criteria = textOf(childOf(node, 'criteria'));
      return criteria === undefined ? null : { kind: 'llm_judge', criteria };
    }
    default:
      return null;
  }
}
