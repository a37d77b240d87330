import type { ErrorObject } from 'ajv';
import { commonFields } from '../../evaluators/fields.js';
import type { EvaluatorSpec } from '../../model/evaluator.js';
import { joinWords, shorten } from '../../util/text.js';
import type { ProblemSink } from './problems.js';
import { childOf, findNode, type TreeNode, textOf } from './tree.js';

/** A fault of the shape in words for a person. */
interface Said {
  readonly code: 'unknown-key' | 'missing-key' | 'wrong-type' | 'wrong-value' | Special;
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}
type Special = 'unknown-evaluator' | 'with-exclusive' | 'version-unknown';

/** Says what a validator found: where it stands, what was expected, what to do. */
export function describeError(
  sink: ProblemSink,
  root: TreeNode,
  error: ErrorObject,
  evaluators: readonly EvaluatorSpec[],
): Said {
  const node = findNode(root, error.instancePath);
  const name = nameOf(error.instancePath);
  switch (error.keyword) {
    case 'required':
      return describeMissing(sink, node, name, error, evaluators);
    case 'additionalProperties':
      return describeUnknownKey(sink, node, name, error);
    case 'type':
      return describeType(sink, node, name, error);
    case 'enum':
      return describeChoice(sink, node, name, error, evaluators);
    case 'not':
      return {
        code: 'with-exclusive',
        offset: node.entries?.get('with_only')?.keyOffset ?? node.offset,
        message: 'with and with_only exclude each other',
        hint: 'keep with (other arguments may be there) or with_only (no others)',
      };
    case 'minItems':
    case 'minProperties':
      return {
        code: 'wrong-value',
        offset: node.offset,
        message: `${name} is empty`,
        hint: `${name} needs at least ${String(error.params.limit)} ${error.keyword === 'minItems' ? 'entry' : 'key'}; or leave it out`,
      };
    default:
      return {
        code: 'wrong-value',
        offset: node.offset,
        message: `${name} ${error.message ?? 'is not allowed'}, found ${shownValue(node)}`,
        ...hintOf(error.parentSchema?.description),
      };
  }
}

function describeMissing(
  sink: ProblemSink,
  node: TreeNode,
  name: string,
  error: ErrorObject,
  evaluators: readonly EvaluatorSpec[],
): Said {
  const missing = String(error.params.missingProperty);
  const isRule = /\/evaluations\/\d+$/.test(error.instancePath);
  const type = isRule ? textOf(childOf(node, 'type')) : undefined;
  const fields = evaluators.find((row) => row.type === type)?.fields;
  // A rule accepts unknown keys, so a misspelt one shows only by what is missing.
  const known = { ...error.parentSchema?.properties, ...(isRule ? commonFields : {}), ...fields };
  const strangers = [...(node.entries?.keys() ?? [])].filter((key) => !Object.hasOwn(known, key));
  const written = sink.suggest(missing, strangers);
  const summary = fields?.[missing]?.summary ?? keyHints.get(missing);
  const hint = written === null ? summary : `is "${written}" meant to be "${missing}"?`;
  return {
    code: 'missing-key',
    offset: node.offset,
    message: `${fields === undefined ? name : `${type} in ${name}`} needs the key "${missing}"`,
    ...(hint === undefined ? {} : { hint }),
  };
}

function hintOf(hint: unknown): { readonly hint?: string } {
  return typeof hint === 'string' ? { hint } : {};
}

const keyHints: ReadonlyMap<string, string> = new Map([
  ['session', 'name the session: session: refund'],
  ['behaviors', 'list what is expected: behaviors: [{actor: user, action: says, content: …}]'],
  ['actor', 'say who acts: user, assistant, tool, system, human or external'],
  ['action', 'say what is done: says, asks, responds, informs, calls, hands_off, …'],
  ['type', 'name the kind of the rule, e.g. type: contains'],
  ['value', 'give the text that is looked for: value: …'],
  ['pattern', 'give a pattern in RE2 syntax: pattern: …'],
  ['criteria', 'say what a judge is asked: criteria: …'],
]);

function describeUnknownKey(
  sink: ProblemSink,
  node: TreeNode,
  name: string,
  error: ErrorObject,
): Said {
  const key = String(error.params.additionalProperty);
  const known = Object.keys(error.parentSchema?.properties ?? {});
  const close = sink.suggest(key, known);
  return {
    code: 'unknown-key',
    offset: node.entries?.get(key)?.keyOffset ?? node.offset,
    message: `${name} does not know the key "${shorten(key, 40)}"`,
    hint: close === null ? hintFor(key, known) : `did you mean "${close}"?`,
  };
}

function hintFor(key: string, known: readonly string[]): string {
  if (known.length === 1 && known[0] === 'include') {
    return 'an include stands alone in its entry; put other keys into behaviors of the fragment';
  }
  if (key === 'content' && known.includes('id')) {
    return 'a selector cannot look at content; use a contains or regex rule on a behavior';
  }
  return `known are ${joinWords(known, 'and')}`;
}

function describeType(sink: ProblemSink, node: TreeNode, name: string, error: ErrorObject): Said {
  const wanted: readonly string[] = [error.params.type].flat().map(String);
  const words = joinWords(wanted.map((type) => typeWords.get(type) ?? type));
  const hint = hintForType(sink, node, name, wanted);
  return {
    code: 'wrong-type',
    offset: node.offset,
    message: `${name} must be ${words}, found ${shownValue(node)}`,
    ...(hint === null ? {} : { hint }),
  };
}

const typeWords: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['object', 'a map'],
  ['array', 'a list'],
  ['null', 'null'],
]);

function hintForType(
  sink: ProblemSink,
  node: TreeNode,
  name: string,
  wanted: readonly string[],
): string | null {
  if (name === 'session' && node.items !== undefined) {
    return 'write session: <name> and put the list under behaviors:';
  }
  if (name === 'document') return 'a session is a map with the keys session and behaviors';
  const isScalar = typeof node.value === 'number' || typeof node.value === 'boolean';
  if (wanted.includes('string') && isScalar) {
    return `put it in quotes: "${shorten(sink.source.text.slice(node.offset, node.end), 40)}"`;
  }
  if (typeof node.value === 'string') {
    if (node.value.includes('{{')) return 'a reference cannot stand here';
    if (!wanted.includes('string') && /^[\d.]+$|^(true|false)$/.test(node.value)) {
      return 'remove the quotes';
    }
    if (wanted.includes('array')) return 'write a list: [ … ] or lines that start with "- "';
  }
  return null;
}

function describeChoice(
  sink: ProblemSink,
  node: TreeNode,
  name: string,
  error: ErrorObject,
  evaluators: readonly EvaluatorSpec[],
): Said {
  const allowed: readonly string[] = [error.params.allowedValues].flat().map(String);
  const written = textOf(node);
  const close = written === undefined ? null : sink.suggest(written, allowed);
  const suggestion = close === null ? null : `did you mean ${close}?`;
  if (name === 'abs_version') return describeVersion(node);
  if (allowed.length === evaluators.length && allowed.includes(evaluators[0]?.type ?? '')) {
    return {
      code: 'unknown-evaluator',
      offset: node.offset,
      message: `no evaluator is called ${shownValue(node)}`,
      hint: suggestion ?? `known are ${joinWords(allowed, 'and')}`,
    };
  }
  return {
    code: 'wrong-value',
    offset: node.offset,
    message: `${name} must be ${joinWords(allowed)}, found ${shownValue(node)}`,
    ...(suggestion === null ? {} : { hint: suggestion }),
  };
}

function describeVersion(node: TreeNode): Said {
  const isUnquoted = node.value === 0.1 || node.value === 0.2;
  return {
    code: 'version-unknown',
    offset: node.offset,
    message: isUnquoted
      ? `abs_version must be a text, found the number ${shownValue(node)}`
      : `abs_version must be "0.1" or "0.2", found ${shownValue(node)}`,
    hint: isUnquoted
      ? `put it in quotes: abs_version: "${String(node.value)}"`
      : 'write abs_version: "0.2"',
  };
}

/** What a person calls the value of a pointer: its last named key with a number where it is in a list. */
function nameOf(pointer: string): string {
  if (pointer === '') return 'document';
  const keys = pointer.slice(1).split('/');
  const last = keys.at(-1) ?? '';
  if (!/^\d+$/.test(last)) return last;
  return `${keys.at(-2) ?? ''}/${last}`;
}

function shownValue(node: TreeNode): string {
  const { value } = node;
  if (node.entries !== undefined) return 'a map';
  if (node.items !== undefined) return 'a list';
  if (value === null) return 'nothing';
  if (typeof value === 'string') return `"${shorten(value, 40)}"`;
  return shorten(String(value), 40);
}
