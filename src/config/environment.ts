import { parse } from 'yaml';
import type { Path } from './read-yaml.js';
import { configSchema } from './schema.js';

/** A value from outside the file that takes the place of what the file says. */
export interface Override {
  readonly path: Path;
  readonly value: unknown;
  /** `--http-port` or `RETRIAL_HOLD_DECISION_WAIT`, for messages. */
  readonly origin: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Single values of the configuration from `RETRIAL_…` variables: the path of the key in capitals, joined
 * with `_`. `unknown` are variables with that prefix that name no key.
 */
export function readEnvironment(environment: Environment): {
  readonly overrides: readonly Override[];
  readonly unknown: readonly string[];
} {
  const paths = new Map(
    leafPaths(configSchema, []).map((path) => [`RETRIAL_${path.join('_').toUpperCase()}`, path]),
  );
  const overrides: Override[] = [];
  const unknown: string[] = [];
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith('RETRIAL_') || text === undefined) continue;
    const path = paths.get(name);
    if (path === undefined) unknown.push(name);
    else overrides.push({ path, value: readScalar(text), origin: name });
  }
  return { overrides, unknown };
}

/** Every variable name that is read. */
export function environmentNames(): readonly string[] {
  return leafPaths(configSchema, []).map((path) => `RETRIAL_${path.join('_').toUpperCase()}`);
}

/**
 * A destination from the variables that OpenTelemetry SDKs read, as an entry of `destinations`; `null`
 * when they name none.
 */
export function readOtelDestination(environment: Environment): {
  readonly name: string;
  readonly otlp_http: string;
  readonly headers: Readonly<Record<string, string>>;
} | null {
  const read = (suffix: string): string | undefined =>
    environment[`OTEL_EXPORTER_OTLP_TRACES_${suffix}`] ??
    environment[`OTEL_EXPORTER_OTLP_${suffix}`];
  const endpoint = read('ENDPOINT')?.trim() ?? '';
  if (endpoint === '') return null;
  const pairs = (read('HEADERS') ?? '').split(',').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    return name.trim() === '' ? [] : [[name.trim(), decode(value.join('=').trim())] as const];
  });
  return { name: 'otel_exporter_otlp', otlp_http: endpoint, headers: Object.fromEntries(pairs) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Numbers, true, false and null as in YAML; everything else is text. */
function readScalar(text: string): unknown {
  if (!/^(?:\d+(?:\.\d+)?|true|false|null)$/.test(text.trim())) return text;
  return parse(text.trim());
}

/** Paths of all keys that hold a single value. */
function leafPaths(schema: unknown, path: readonly string[]): readonly (readonly string[])[] {
  const { shape, def } = Object(schema);
  if (shape !== undefined) {
    return Object.entries(Object(shape)).flatMap(([key, inner]) =>
      leafPaths(inner, [...path, key]),
    );
  }
  const { type, innerType } = Object(def);
  if (innerType !== undefined) return leafPaths(innerType, path);
  return type === 'array' || type === 'record' || type === 'unknown' ? [] : [path];
}
