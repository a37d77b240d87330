import { expect } from 'vitest';
import { bindSession } from '../../src/documents/abs/bind.js';
import { type Bindings, noBindings } from '../../src/documents/abs/bindings.js';
import type { BoundSession } from '../../src/documents/abs/bound-session.js';
import { checkDocuments } from '../../src/documents/abs/check.js';
import { parseAbs } from '../../src/documents/abs/parse.js';
import { evaluators } from '../../src/evaluators/index.js';
import type { Session } from '../../src/model/document.js';
import type { Problem } from '../../src/model/problem.js';
import type { JsonObject, JsonValue } from '../../src/util/json.js';

/** Reads a document under the name `test.abs.yaml`. */
export function parse(text: string) {
  return parseAbs(text, 'test.abs.yaml', evaluators);
}

export function check(text: string): readonly Problem[] {
  return checkDocuments([{ file: 'test.abs.yaml', text }], evaluators).problems;
}

/** The only session of a document, which must be free of errors. */
export function parseOne(text: string): Session {
  const { sessions, problems } = parse(text);
  expect(errorsOf(problems)).toEqual([]);
  expect(sessions).toHaveLength(1);
  const [session] = sessions;
  if (session === undefined) throw new Error('no session');
  return session;
}

/** Errors in short: `line:column code`. */
export function errorsOf(problems: readonly Problem[]): string[] {
  return shortOf(problems.filter(({ severity }) => severity === 'error'));
}

/** Warnings in short, without the one on a missing version. */
export function warningsOf(problems: readonly Problem[]): string[] {
  return shortOf(
    problems.filter(({ severity, code }) => severity === 'warning' && code !== 'version-missing'),
  );
}

function shortOf(problems: readonly Problem[]): string[] {
  return problems.map(({ code, position }) => `${position?.line}:${position?.column} ${code}`);
}

/** A session of version 0.2 with the given lines after its head. */
export function document(body: string): string {
  return `session: s\nabs_version: "0.2"\n${body}`;
}

/** A session with one user message and the given step below it, written as a flow map. */
export function withStep(step: string): string {
  return document(`behaviors:\n  - {actor: user, action: says, content: hi}\n  - ${step}\n`);
}

/** A session with one user message and the given session-level rule, written as a flow map. */
export function withRule(rule: string): string {
  return document(
    `behaviors:\n  - {actor: user, action: says, content: hi}\nevaluations:\n  - ${rule}\n`,
  );
}

export function bind(text: string, bindings: Partial<Bindings> = {}) {
  return bindSession(parseOne(text), { ...noBindings, ...bindings });
}

export function bindOne(text: string, bindings: Partial<Bindings> = {}): BoundSession {
  const result = bind(text, bindings);
  expect(errorsOf(result.problems)).toEqual([]);
  if (!result.ok) throw new Error('not bound');
  return result.value;
}

/** JSON text of a value, for comparison with plain values regardless of prototypes. */
export function plain(value: JsonValue | undefined): unknown {
  if (value === undefined) return undefined;
  return JSON.parse(
    JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item)),
  );
}

export function row(
  values: JsonObject,
  dataset: string | null = null,
  index = 0,
): Partial<Bindings> {
  return { row: { index, dataset, values } };
}

/** The minimal list of behaviors. */
export const oneStep = 'behaviors:\n  - {actor: user, action: says, content: hi}\n';
