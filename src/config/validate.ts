import { isIP } from 'node:net';
import type { z } from 'zod';
import { isPublicAddress } from '../alerts/public-address.js';
import { findClosest, joinWords } from '../util/text.js';
import type { SpecEntry } from './config.js';
import { notYetTable } from './not-yet.js';
import type { Path } from './read-yaml.js';
import { type ConfigValues, configSchema } from './schema.js';
import { compileWhen } from './when.js';

/** Something wrong with the configuration, by the path of the key it is about. */
export interface ConfigIssue {
  readonly code: 'config-unknown-key' | 'config-value' | 'config-not-yet';
  readonly path: Path;
  /** Set when the key itself is wrong, not its value. */
  readonly key?: string;
  readonly message: string;
  readonly hint?: string;
}

export interface ValidatedConfig {
  readonly values: ConfigValues;
  readonly specs: readonly SpecEntry[];
}

/** Checks a raw configuration against the schema and against itself, and compiles its expressions. */
export function validateConfig(raw: unknown): {
  readonly config: ValidatedConfig | null;
  readonly issues: readonly ConfigIssue[];
} {
  const parsed = configSchema.safeParse(withoutNulls(raw) ?? {});
  if (!parsed.success) {
    return { config: null, issues: parsed.error.issues.flatMap((issue) => toIssues(issue, raw)) };
  }
  const values = parsed.data;
  const compiled = values.specs.map(compileSpec);
  const issues = [
    ...notYetTable.filter((row) => row.isSet(values)).map(toNotYetIssue),
    ...compiled.flatMap((result) => (result.kind === 'issue' ? [result.issue] : [])),
    ...findNameClashes(values),
    ...findUnknownSinks(values),
    ...findUnsafeSinks(values),
  ];
  const specs = compiled.flatMap((result) => (result.kind === 'spec' ? [result.spec] : []));
  return { config: issues.length === 0 ? { values, specs } : null, issues };
}

function compileSpec(
  { files, when, mode }: ConfigValues['specs'][number],
  index: number,
):
  | { readonly kind: 'spec'; readonly spec: SpecEntry }
  | { readonly kind: 'issue'; readonly issue: ConfigIssue } {
  if (when === null) return { kind: 'spec', spec: { files, when: null, mode } };
  const compiled = compileWhen(when);
  if (compiled.ok) return { kind: 'spec', spec: { files, when: compiled.when, mode } };
  const path = ['specs', index, 'when'];
  const message = `${compiled.message} (character ${compiled.offset + 1} of the expression)`;
  const hint = 'a CEL expression over resource, attributes, name, scope, agent, conversation';
  return { kind: 'issue', issue: { code: 'config-value', path, message, hint } };
}

function toNotYetIssue({ path, instead }: (typeof notYetTable)[number]): ConfigIssue {
  const message = `${path.join('.')} is not available yet`;
  return { code: 'config-not-yet', path, message, hint: instead };
}

function findNameClashes({ destinations }: ConfigValues): readonly ConfigIssue[] {
  const names = destinations.map(({ name }) => name);
  return names.flatMap((name, index) => {
    if (names.indexOf(name) === index) return [];
    const path = ['destinations', index, 'name'];
    return [
      { code: 'config-value', path, message: `two destinations are named "${name}"` } as const,
    ];
  });
}

function findUnknownSinks({ alerts: { rules, sinks } }: ConfigValues): readonly ConfigIssue[] {
  const known = Object.keys(sinks);
  return rules.flatMap((rule, index) =>
    rule.sinks.flatMap((name, at) => {
      if (known.includes(name)) return [];
      const path = ['alerts', 'rules', index, 'sinks', at];
      return [
        {
          code: 'config-value',
          path,
          message: `no sink is named "${name}"`,
          ...suggest(name, known),
        } as const,
      ];
    }),
  );
}

/** What a delivery would refuse is told at the start where it can be seen from the URL (otlp.md S6). */
function findUnsafeSinks({ alerts: { sinks } }: ConfigValues): readonly ConfigIssue[] {
  return Object.entries(sinks).flatMap(([name, { webhook, allow_private: isAllowed }]) => {
    const url = new URL(webhook);
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const isPrivate = host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host));
    if (isAllowed || (url.protocol === 'https:' && !isPrivate)) return [];
    const path = ['alerts', 'sinks', name, 'webhook'];
    const what = isPrivate ? 'does not go to a public address' : 'is not https';
    const hint = 'set allow_private: true where this is meant';
    return [{ code: 'config-value', path, message: `${webhook} ${what}`, hint } as const];
  });
}

function toIssues(issue: z.core.$ZodIssue, raw: unknown): readonly ConfigIssue[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  if (issue.code !== 'unrecognized_keys') {
    const name = path.length === 0 ? 'the file' : joinPath(path);
    const message = `${name}: ${issue.message}, found ${describeValue(valueAt(raw, path))}`;
    return [{ code: 'config-value', path, message }];
  }
  const known = knownKeys(path);
  return issue.keys.map((key) => ({
    code: 'config-unknown-key',
    path,
    key,
    message: `unknown key "${joinPath([...path, key])}"`,
    // An adapter knows its own keys, and its message says more.
    ...(path[0] === 'adapters' ? { hint: issue.message } : suggest(key, known)),
  }));
}

function suggest(word: string, known: readonly string[]): { hint?: string } {
  const closest = findClosest(word, known);
  if (closest !== null) return { hint: `did you mean "${closest}"?` };
  return known.length === 0 ? {} : { hint: `known here: ${joinWords(known)}` };
}

/** Keys that the mapping at `path` may have. */
function knownKeys(path: Path): readonly string[] {
  let schema: unknown = configSchema;
  for (const part of path) {
    const inner = unwrap(schema);
    schema =
      Object(Object(inner).shape)[part] ??
      Object(Object(inner).def).element ??
      Object(Object(inner).def).valueType;
  }
  return Object.keys(Object(Object(unwrap(schema)).shape));
}

function unwrap(schema: unknown): unknown {
  let inner = schema;
  for (let next = inner; next !== undefined; next = Object(Object(inner).def).innerType)
    inner = next;
  return inner;
}

/** A key without a value, as when everything below it is commented out, is a key that is not there. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}

function valueAt(raw: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => Object(value)[part], raw);
}

function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
}

function joinPath(path: Path): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
    '',
  );
}
