import { createHash } from 'node:crypto';
import type { Session, TextPlace } from '../../model/document.js';
import type { EvaluatorSpec } from '../../model/evaluator.js';
import type { Problem } from '../../model/problem.js';
import { createSourceText, positionAt, shorten } from '../../util/text.js';
import { checkSession, type LocatedSession } from './check-session.js';
import { checkStructure, type Structure } from './check-structure.js';
import { type ExpansionBudget, expandSteps, type Fragment, readUnusedFragment } from './expand.js';
import { maxExpandedSteps } from './limits.js';
import { joinPointer, splitPointer } from './pointer.js';
import { createProblemSink, hasErrors, type ProblemSink, sortProblems } from './problems.js';
import { readEvaluations } from './read-evaluation.js';
import { readYamlStream, type YamlDocument } from './read-yaml.js';
import type { Reading } from './reading.js';
import { isReferenceName } from './template.js';
import { childOf, findNode, type TreeNode, textOf } from './tree.js';

export interface ParsedAbs {
  /** The sessions without errors, in the order of the file. */
  readonly sessions: readonly Session[];
  readonly problems: readonly Problem[];
}

/**
 * Reads an ABS file: a stream of YAML documents, each a session (statements 1 to 49, semantics A45 to
 * A52). `file` is the name to show, never read. A document with errors gives no session; the others of
 * the file do. Never throws. A byte order mark is skipped.
 */
export function parseAbs(
  text: string,
  file: string,
  evaluators: readonly EvaluatorSpec[],
): ParsedAbs {
  const { sessions, sink } = readAbs(text, file, evaluators);
  return {
    sessions: sessions.map(({ session }) => session),
    problems: sortProblems(sink.problems),
  };
}

/** As `parseAbs`, with the way back from a session to its text. */
export function readAbs(
  text: string,
  file: string,
  evaluators: readonly EvaluatorSpec[],
): { readonly sessions: readonly LocatedSession[]; readonly sink: ProblemSink } {
  const source = createSourceText(file.replaceAll('\\', '/'), text.replace(/^\uFEFF/, ''));
  const sink = createProblemSink(source);
  const { documents, broken } = readYamlStream(sink);
  const shared: Shared = {
    sink,
    evaluators,
    kinds: new Map(evaluators.map((evaluator) => [evaluator.type, evaluator])),
    prelude: readPrelude(sink, documents, evaluators),
    budget: { left: maxExpandedSteps },
    usedOfPrelude: new Set(),
  };
  const own = shared.prelude === null ? documents : documents.slice(1);
  const sessions = own.flatMap((document) => readSession(shared, document) ?? []);
  checkPrelude(shared);
  checkNames(sink, sessions);
  if (own.length === 0 && broken === 0) {
    const message = 'the file holds no session';
    sink.add('no-session', 0, message, 'a session has the keys session and behaviors');
  }
  return { sessions, sink };
}

interface Shared {
  readonly sink: ProblemSink;
  readonly evaluators: readonly EvaluatorSpec[];
  readonly kinds: ReadonlyMap<string, EvaluatorSpec>;
  /** A first document that holds only fragments, for every session of the file (semantics A46). */
  readonly prelude: Prelude | null;
  readonly budget: ExpansionBudget;
  readonly usedOfPrelude: Set<string>;
}

interface Prelude {
  readonly root: TreeNode;
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly structure: Structure;
}

const preludeKeys: ReadonlySet<string> = new Set(['fragments', 'abs_version', 'description']);

function readPrelude(
  sink: ProblemSink,
  documents: readonly YamlDocument[],
  evaluators: readonly EvaluatorSpec[],
): Prelude | null {
  const root = documents[0]?.root;
  const entry = root?.entries?.get('fragments');
  if (root?.entries === undefined || entry === undefined || documents.length < 2) return null;
  if ([...root.entries.keys()].some((key) => !preludeKeys.has(key))) return null;
  sink.add(
    'fragment-prelude',
    entry.keyOffset,
    'fragments stand in a document of their own, before the sessions',
    'they serve every session of this file; other tools want them in the session that includes them',
  );
  // It lacks only what makes it a session, so it is validated with that added.
  const value = { ...childValues(root), session: '', behaviors: [{ include: '' }] };
  const structure = checkStructure(sink, { ...root, value }, evaluators);
  return { root, fragments: fragmentsOf(root), structure };
}

function childValues(node: TreeNode): Record<string, TreeNode['value']> {
  return Object.fromEntries(
    [...(node.entries ?? [])].map(([key, entry]) => [key, entry.node.value]),
  );
}

/** Tells what nothing in the file includes. */
function checkPrelude(shared: Shared): void {
  if (shared.prelude === null) return;
  const { root, fragments, structure } = shared.prelude;
  const reading: Reading = {
    sink: shared.sink,
    version: childOf(root, 'abs_version')?.value === '0.1' ? '0.1' : '0.2',
    evaluators: shared.kinds,
    ...structure,
    references: new Map(),
  };
  warnOfUnused(reading, fragments, shared.usedOfPrelude);
}

function fragmentsOf(root: TreeNode): Map<string, Fragment> {
  const entries = [...(childOf(root, 'fragments')?.entries ?? [])];
  return new Map(
    entries.map(([name, { node, keyOffset }]) => {
      const pointer = joinPointer('/fragments', name);
      return [name, { list: node, pointer, keyOffset }];
    }),
  );
}

function warnOfUnused(
  reading: Reading,
  fragments: ReadonlyMap<string, Fragment>,
  used: ReadonlySet<string>,
): void {
  for (const [name, fragment] of fragments) {
    if (used.has(name)) continue;
    readUnusedFragment(reading, fragment);
    const message = `the fragment "${shorten(name, 40)}" is never included`;
    reading.sink.add('unused-fragment', fragment.keyOffset, message, 'include it or remove it');
  }
}

/** The session of a document; null, with the problems told, when it has errors. */
function readSession(shared: Shared, document: YamlDocument): LocatedSession | null {
  const { root } = document;
  // Problems are collected apart: they decide whether this session, and not another, can be graded.
  const sink = createProblemSink(shared.sink.source);
  const { damaged, ignored } = checkStructure(sink, root, shared.evaluators);
  const ofPrelude = shared.prelude?.structure;
  const reading: Reading = {
    sink,
    version: readVersion(sink, root),
    evaluators: shared.kinds,
    damaged: new Set([...damaged, ...(ofPrelude?.damaged ?? [])]),
    ignored: new Set([...ignored, ...(ofPrelude?.ignored ?? [])]),
    references: new Map<string, TextPlace>(),
  };
  const located = root.entries === undefined ? null : locateSession(shared, reading, document);
  if (located !== null) checkSession(sink, located);
  for (const problem of sink.problems) shared.sink.adopt(problem);
  if (located === null || hasErrors(sink.problems)) return null;
  const isWhole = located.session.steps.every(({ rule }) => !reading.damaged.has(rule));
  return isWhole ? located : null;
}

function locateSession(shared: Shared, reading: Reading, document: YamlDocument): LocatedSession {
  const { root, text } = document;
  const { source } = reading.sink;
  const own = fragmentsOf(root);
  const ofPrelude = shared.prelude?.fragments ?? new Map<string, Fragment>();
  const fragments = new Map([...ofPrelude, ...own]);
  const expanded = expandSteps(reading, childOf(root, 'behaviors'), fragments, shared.budget);
  const included = new Set(expanded.entries.keys());
  for (const name of included) {
    if (!own.has(name)) shared.usedOfPrelude.add(name);
  }
  warnOfUnused(reading, own, included);
  const evaluations = childOf(root, 'evaluations');
  const session: Session = {
    name: textOf(childOf(root, 'session')) ?? '',
    description: textOf(childOf(root, 'description')) ?? null,
    absVersion: reading.version,
    document: source.file,
    digest: `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`,
    position: positionAt(source, root.offset),
    steps: expanded.steps,
    evaluations: readEvaluations(reading, evaluations, '/evaluations', 'session'),
    dataset: readDataset(reading, childOf(root, 'dataset')),
    references: reading.references,
  };
  const locate = (pointer: string): TreeNode => {
    const name = splitPointer(pointer)?.[1];
    const isOwn = !pointer.startsWith('/fragments/') || name === undefined || own.has(name);
    return findNode(isOwn ? root : (shared.prelude?.root ?? root), pointer);
  };
  return { session, locate };
}

/** The declared version; a missing one is the latest, with a warning (statement 35). */
function readVersion(sink: ProblemSink, root: TreeNode): '0.1' | '0.2' {
  const declared = childOf(root, 'abs_version');
  if (declared === undefined && root.entries !== undefined) {
    const hint = 'add abs_version: "0.2"';
    sink.add('version-missing', root.offset, 'no abs_version is declared; 0.2 is assumed', hint);
  }
  return declared?.value === '0.1' ? '0.1' : '0.2';
}

function readDataset(reading: Reading, node: TreeNode | undefined): Session['dataset'] {
  const id = childOf(node, 'id');
  const path = textOf(childOf(node, 'path'));
  const name = textOf(id);
  if (id === undefined || name === undefined || path === undefined) return null;
  if (!isReferenceName(name)) {
    const hint = 'use letters, digits, "_" and "-", beginning with a letter';
    const message = `columns of "${shorten(name, 40)}" cannot be referred to`;
    reading.sink.add('bad-reference', id.offset, message, hint);
  }
  return { id: name, path };
}

function checkNames(sink: ProblemSink, sessions: readonly LocatedSession[]): void {
  const lines = new Map<string, number>();
  for (const { session, locate } of sessions) {
    const line = lines.get(session.name);
    if (line === undefined) {
      lines.set(session.name, session.position.line);
      continue;
    }
    const message = `a session called "${shorten(session.name, 40)}" stands in line ${line} already`;
    const { offset } = locate('/session');
    sink.add('duplicate-session', offset, message, 'give each session a name of its own');
  }
}
