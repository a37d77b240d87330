import { z } from 'zod';
import { createProblem } from '../errors.js';
import type { Problem, Result } from '../model/problem.js';
import { findClosest, joinWords } from '../util/text.js';
import { findPrice } from './prices.js';
import type { OpenJudge, Surroundings } from './provider.js';
import { findProvider, providers } from './providers/index.js';
import { judgedTypes } from './rubrics.js';
import { type AdapterCommon, adapterCommon, type Price } from './settings.js';

/** A judge under the name it has in the configuration. */
export interface Adapter {
  readonly name: string;
  readonly provider: string;
  readonly judge: OpenJudge;
  readonly common: AdapterCommon;
  /** Null where it is not known: then a call costs an unknown amount. */
  readonly price: Price | null;
}

export type Chosen =
  | { readonly kind: 'chosen'; readonly adapter: Adapter }
  | {
      readonly kind: 'none';
      readonly code: 'adapter.not_configured' | 'adapter.unsupported_type';
      readonly message: string;
    };

export interface AdapterTable {
  readonly names: readonly string[];
  /** The judge of a type: the named one, else the default for the type (statements 120, 121). */
  choose(type: string, name: string | null): Chosen;
}

/** Types that an adapter may claim: those of documents and those of suites. */
const claimableTypes = [...judgedTypes, 'judge.boolean', 'judge.score', 'judge.choice'];

/** Something wrong with an entry. With `key`, the key is, of the mapping at `path`; its value is not told. */
export interface AdapterFault {
  readonly path: readonly PropertyKey[];
  readonly key?: string;
  readonly message: string;
}

/**
 * What is wrong with one entry under `adapters:`, with the path inside it; empty when nothing is.
 */
export function checkAdapter(entry: unknown): readonly AdapterFault[] {
  const kind = kindOf(entry);
  const provider = kind === null ? null : findProvider(kind);
  if (provider === null) {
    const kinds = providers.map((known) => known.kind);
    const near = kind === null ? null : findClosest(kind, kinds);
    const hint = near === null ? '' : `; did you mean ${near}?`;
    return [{ path: ['provider'], message: `expected one of: ${kinds.join(', ')}${hint}` }];
  }
  const read = provider.schema.safeParse(entry);
  if (!read.success)
    return read.error.issues.flatMap((issue) => describeIssue(issue, provider.schema));
  const { types } = adapterCommon.parse(entry);
  return (types ?? []).flatMap((type, index) => {
    if (claimableTypes.includes(type)) return [];
    const near = findClosest(type, claimableTypes);
    const hint = near === null ? `known: ${claimableTypes.join(', ')}` : `did you mean ${near}?`;
    return [{ path: ['types', index], message: `no type "${type}"; ${hint}` }];
  });
}

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodObject): readonly AdapterFault[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }];
  return issue.keys.map((key) => {
    const near = findClosest(key, Object.keys(schema.shape));
    const secret = /key|token|secret/i.test(key)
      ? '; secrets stand in an environment variable or a file'
      : '';
    const hint = near === null ? '' : `; did you mean ${near}?`;
    return { path: issue.path, key, message: `unknown key${hint}${secret}` };
  });
}

/**
 * Opens every adapter of the configuration. `choices` are the values of `--adapter`: `NAME`, or
 * `type=NAME` for one type. Unknown names, wrong settings and types that two adapters claim are errors.
 */
export function openAdapters(
  entries: Readonly<Record<string, unknown>>,
  choices: readonly string[],
  around: Surroundings,
): Result<AdapterTable> {
  const problems: Problem[] = [];
  const adapters = new Map<string, Adapter>();
  for (const [name, entry] of Object.entries(entries)) {
    const faults = checkAdapter(entry);
    for (const { path, key, message } of faults) {
      const at = ['adapters', name, ...path, ...(key === undefined ? [] : [key])].join('.');
      problems.push(createProblem('adapter-invalid', { at, detail: message }));
    }
    const provider = findProvider(kindOf(entry) ?? '');
    if (faults.length > 0 || provider === null) continue;
    const common = adapterCommon.parse(entry);
    const judge = provider.open(entry, around);
    const price = common.price ?? findPrice(judge.model);
    adapters.set(name, { name, provider: provider.kind, judge, common, price });
  }
  const claims = readClaims(adapters, problems);
  const wishes = readChoices(choices, adapters, problems);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, value: createTable(adapters, claims, wishes), problems: [] };
}

function readClaims(
  adapters: ReadonlyMap<string, Adapter>,
  problems: Problem[],
): ReadonlyMap<string, Adapter> {
  const claims = new Map<string, Adapter>();
  for (const adapter of adapters.values()) {
    for (const type of adapter.common.types ?? []) {
      const other = claims.get(type);
      if (other !== undefined) {
        problems.push(
          createProblem('adapter-conflict', { type, first: other.name, second: adapter.name }),
        );
      }
      if (!adapter.judge.isAbleTo(type)) {
        const detail = `${adapter.provider} cannot judge ${type}`;
        problems.push(
          createProblem('adapter-invalid', { at: `adapters.${adapter.name}.types`, detail }),
        );
      }
      claims.set(type, adapter);
    }
  }
  return claims;
}

interface Wishes {
  readonly all: Adapter | null;
  readonly byType: ReadonlyMap<string, Adapter>;
}

function readChoices(
  choices: readonly string[],
  adapters: ReadonlyMap<string, Adapter>,
  problems: Problem[],
): Wishes {
  let all: Adapter | null = null;
  const byType = new Map<string, Adapter>();
  for (const choice of choices) {
    const equals = choice.indexOf('=');
    const type = equals < 0 ? null : choice.slice(0, equals);
    const name = choice.slice(equals + 1);
    const adapter = adapters.get(name);
    if (adapter === undefined) {
      const known = [...adapters.keys()];
      const near = findClosest(name, known);
      problems.push(
        createProblem('adapter-unknown', {
          name,
          hint: near === null ? describeNames(known) : `did you mean ${near}?`,
        }),
      );
    } else if (type === null) {
      all = adapter;
    } else if (!claimableTypes.includes(type)) {
      const near = findClosest(type, claimableTypes) ?? joinWords(claimableTypes);
      problems.push(createProblem('adapter-type-unknown', { type, near }));
    } else {
      byType.set(type, adapter);
    }
  }
  return { all, byType };
}

function describeNames(names: readonly string[]): string {
  return names.length === 0 ? 'none is configured' : `configured: ${names.join(', ')}`;
}

function createTable(
  adapters: ReadonlyMap<string, Adapter>,
  claims: ReadonlyMap<string, Adapter>,
  wishes: Wishes,
): AdapterTable {
  const names = [...adapters.keys()];

  function take(adapter: Adapter, type: string): Chosen {
    if (adapter.judge.isAbleTo(type)) return { kind: 'chosen', adapter };
    const message = `"${adapter.name}" (${adapter.provider}) cannot judge ${type}`;
    return { kind: 'none', code: 'adapter.unsupported_type', message };
  }

  function takeDefault(type: string): Chosen {
    const wished = wishes.byType.get(type) ?? wishes.all ?? claims.get(type);
    if (wished !== undefined) return take(wished, type);
    const able = [...adapters.values()].filter(
      ({ common, judge }) => common.types === null && judge.isAbleTo(type),
    );
    const [only] = able;
    if (only !== undefined && able.length === 1) return { kind: 'chosen', adapter: only };
    const message =
      able.length > 1
        ? `${joinWords(
            able.map(({ name }) => name),
            'and',
          )} could all judge ${type}: say which one with \`types:\` or --adapter`
        : `no judge is configured for ${type}: add one under \`adapters:\` in retrial.yaml`;
    return { kind: 'none', code: 'adapter.not_configured', message };
  }

  return {
    names,
    choose(type, name) {
      if (name === null) return takeDefault(type);
      const adapter = adapters.get(name);
      if (adapter !== undefined) return take(adapter, type);
      const near = findClosest(name, names);
      const hint = near === null ? describeNames(names) : `did you mean "${near}"?`;
      const message = `no adapter is named "${name}"; ${hint}`;
      return { kind: 'none', code: 'adapter.not_configured', message };
    },
  };
}

function kindOf(entry: unknown): string | null {
  const read = z.looseObject({ provider: z.string() }).safeParse(entry);
  return read.success ? read.data.provider : null;
}
