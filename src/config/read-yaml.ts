import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Problem, SourcePosition } from '../model/problem.js';

export type Path = readonly (string | number)[];

/** A parsed configuration file: its plain value, and where each part of it stands. */
export interface ConfigSource {
  readonly value: unknown;
  /** Position of the value at `path`, or of the nearest part around it that was written. */
  locateValue(path: Path): SourcePosition;
  /** Position of the key `name` in the mapping at `path`. */
  locateKey(path: Path, name: string): SourcePosition;
}

/** An alias may not blow a small file up (otlp.md S16). */
const maxAliases = 100;
/** Far beyond any configuration; keeps recursive readers shallow. */
const maxNesting = 100;

/** Reads YAML 1.2. Duplicate keys, broken aliases and syntax errors are problems with their place. */
export function readConfigYaml(
  text: string,
  file: string,
): { readonly source: ConfigSource | null; readonly problems: readonly Problem[] } {
  const lines = new LineCounter();
  const problem = (code: string, message: string, offset: number): Problem => ({
    severity: 'error',
    code,
    message,
    position: positionOf(offset),
  });
  const positionOf = (offset: number): SourcePosition => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (nestingOf(text) > maxNesting) {
    const message = `nested more than ${maxNesting} levels deep`;
    return { source: null, problems: [problem('config-syntax', message, 0)] };
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems = document.errors.map((error) =>
    problem('config-syntax', error.message, error.pos[0]),
  );
  if (problems.length > 0) return { source: null, problems };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: maxAliases });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { source: null, problems: [problem('config-syntax', message, 0)] };
  }

  const offsetOf = (path: Path): number => {
    for (let length = path.length; length > 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true);
      const range = isScalar(node) || isMap(node) ? node.range : Object(node).range;
      if (Array.isArray(range)) return Number(range[0]);
    }
    return document.contents?.range?.[0] ?? 0;
  };
  const source: ConfigSource = {
    value,
    locateValue: (path) => positionOf(offsetOf(path)),
    locateKey(path, name) {
      const map = path.length === 0 ? document.contents : document.getIn(path, true);
      const pair = isMap(map)
        ? map.items.find(({ key }) => isScalar(key) && String(key.value) === name)
        : undefined;
      const key = pair?.key;
      return positionOf(isScalar(key) && key.range ? key.range[0] : offsetOf(path));
    },
  };
  return { source, problems: [] };
}

/** An upper bound of the nesting: brackets that are open at once, plus the deepest indentation. */
function nestingOf(text: string): number {
  let open = 0;
  let deepest = 0;
  for (const bracket of text.replace(/[^[\]{}]/g, '')) {
    open += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, open);
  }
  const indents = text.split('\n').map((line) => /^[\s-]*/.exec(line)?.[0].length ?? 0);
  return indents.reduce((most, indent) => Math.max(most, indent), 0) + deepest;
}
