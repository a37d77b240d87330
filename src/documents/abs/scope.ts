import type { JsonObject, JsonValue } from '../../util/json.js';
import { isJsonArray, isJsonObject } from '../../util/json-text.js';
import type { Bindings } from './bindings.js';
import type { UseSource } from './bound-session.js';

/** What captures say of a name: a value, or that it is read from the trace. */
export interface CapturedName {
  readonly step: number;
  readonly value: JsonValue | undefined;
}

/** What references can see at one place of a session: the captures before it, and the bindings. */
export interface Scope {
  readonly captured: ReadonlyMap<string, CapturedName>;
  readonly bindings: Bindings;
}

/** A reference that was answered. `value` is undefined at a hole. */
export interface Answer {
  readonly variable: string;
  readonly source: UseSource;
  readonly value: JsonValue | undefined;
}

/**
 * Answers a reference (statements 58 to 60): the nearest prior capture, then the dataset row, `--var`,
 * `ABS_VAR_<name>`. The whole name is asked for first; then, for `order.id`, a variable `order` that holds
 * a key `id`. Only own keys count (semantics A18). Null when nothing answers.
 */
export function answerReference(scope: Scope, name: string): Answer | null {
  const keys: string[] = [];
  let variable = name;
  while (true) {
    const found = answerName(scope, variable);
    if (found !== null) {
      if (keys.length === 0 || found.value === undefined) return { variable, ...found };
      const inner = readPath(found.value, keys);
      if (inner !== undefined) return { variable, source: found.source, value: inner };
    }
    const dot = variable.lastIndexOf('.');
    if (dot < 0) return null;
    keys.unshift(variable.slice(dot + 1));
    variable = variable.slice(0, dot);
  }
}

function answerName(scope: Scope, name: string): Omit<Answer, 'variable'> | null {
  const { captured, bindings } = scope;
  const capture = captured.get(name);
  if (capture !== undefined) {
    return { source: { kind: 'capture', step: capture.step }, value: capture.value };
  }
  const column = readColumn(bindings, name);
  if (column !== undefined) return { source: { kind: 'dataset' }, value: column };
  const variable = bindings.variables.get(name);
  if (variable !== undefined) return { source: { kind: 'variable' }, value: variable };
  const key = `ABS_VAR_${name}`;
  const environment = Object.hasOwn(bindings.environment, key)
    ? bindings.environment[key]
    : undefined;
  return environment === undefined ? null : { source: { kind: 'environment' }, value: environment };
}

function readColumn(bindings: Bindings, name: string): JsonValue | undefined {
  const { row } = bindings;
  if (row === null) return undefined;
  if (row.dataset === null) return ownValue(row.values, name);
  const prefix = `${row.dataset}.`;
  return name.startsWith(prefix) ? ownValue(row.values, name.slice(prefix.length)) : undefined;
}

/** The value under a list of own keys; list entries by number. Undefined when there is none. */
export function readPath(value: JsonValue, keys: readonly string[]): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const key of keys) {
    if (isJsonArray(current)) current = /^\d+$/.test(key) ? current[Number(key)] : undefined;
    else current = isJsonObject(current) ? ownValue(current, key) : undefined;
    if (current === undefined) return undefined;
  }
  return current;
}

function ownValue(values: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** Names that a person may have meant: what was captured, the columns, the variables. */
export function namesInScope(scope: Scope): string[] {
  const { row, variables } = scope.bindings;
  const prefix = row === null || row.dataset === null ? '' : `${row.dataset}.`;
  const columns = Object.keys(row?.values ?? {}).map((column) => prefix + column);
  return [...scope.captured.keys(), ...columns, ...variables.keys()];
}
