import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Problem, Result, SourcePosition } from '../model/problem.js';
import { findClosest } from '../util/text.js';
import type { Config } from './config.js';
import {
  environmentNames,
  type Override,
  readEnvironment,
  readOtelDestination,
} from './environment.js';
import { findConfigFile } from './find-config.js';
import { type ConfigSource, type Path, readConfigYaml } from './read-yaml.js';
import { type ConfigIssue, validateConfig } from './validate.js';

export interface ConfigRequest {
  /** Folder that the command runs in. */
  readonly folder: string;
  /** `--config`; `null` searches upward. */
  readonly file: string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Command-line flags that stand for keys. */
  readonly flags: readonly Override[];
}

/**
 * The configuration of a command: flag before environment before file before default (design.md §8). Every
 * problem of the file comes with its line and column, all of them at once. Without a file the defaults count.
 */
export function loadConfig(request: ConfigRequest): Result<Config> {
  const { folder } = request;
  const file = request.file === null ? findConfigFile(folder) : resolve(folder, request.file);
  const shown = file === null ? '' : relative(folder, file) || file;
  const read = readSource(file, shown);
  if (read.source === null && read.problems.length > 0)
    return { ok: false, problems: read.problems };

  const { overrides, unknown } = readEnvironment(request.environment);
  const warnings = unknown.map(unknownVariable);
  const raw = withDestination(
    [...overrides, ...request.flags].reduce<unknown>(applyOverride, read.source?.value ?? {}),
    request.environment,
  );
  const { config, issues } = validateConfig(raw);
  if (config === null) {
    const all = [...overrides, ...request.flags].reverse();
    const problems = issues.map((issue) => toProblem(issue, read.source, all));
    return { ok: false, problems: [...warnings, ...problems] };
  }
  const value = { file, folder: file === null ? folder : dirname(file), ...config };
  return { ok: true, value, problems: warnings };
}

function readSource(
  file: string | null,
  shown: string,
): { readonly source: ConfigSource | null; readonly problems: readonly Problem[] } {
  if (file === null) return { source: null, problems: [] };
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const message = `cannot read the configuration ${shown}: ${detail}`;
    return { source: null, problems: [{ severity: 'error', code: 'config-unreadable', message }] };
  }
  return readConfigYaml(text, shown);
}

function applyOverride(raw: unknown, { path, value }: Override): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  const base = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {};
  const inner = Object.getOwnPropertyDescriptor(base, head)?.value;
  return { ...base, [head]: applyOverride(inner, { path: rest, value, origin: '' }) };
}

/** The variables of OpenTelemetry SDKs name a destination only where nothing else does. */
function withDestination(raw: unknown, environment: ConfigRequest['environment']): unknown {
  const destination = readOtelDestination(environment);
  const named = Object(raw).destinations;
  if (destination === null || (named !== undefined && named !== null)) return raw;
  return { ...Object(raw), destinations: [destination] };
}

function toProblem(
  { code, path, key, message, hint }: ConfigIssue,
  source: ConfigSource | null,
  overrides: readonly Override[],
): Problem {
  const origin = overrides.find((one) => startsWith(path, one.path) || startsWith(one.path, path));
  const problem = {
    severity: 'error',
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
  } as const;
  if (origin !== undefined) return { ...problem, message: `${message} (from ${origin.origin})` };
  if (source === null) return problem;
  return { ...problem, position: locate(source, path, key) };
}

function locate(source: ConfigSource, path: Path, key: string | undefined): SourcePosition {
  return key === undefined ? source.locateValue(path) : source.locateKey(path, key);
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((part, index) => path[index] === part);
}

function unknownVariable(name: string): Problem {
  const closest = findClosest(name, environmentNames());
  return {
    severity: 'warning',
    code: 'config-unknown-variable',
    message: `the environment variable ${name} stands for no key and was ignored`,
    ...(closest === null ? {} : { hint: `did you mean ${closest}?` }),
  };
}
