import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const sourceRoot = fileURLToPath(new URL('../src/', import.meta.url));

/** The house of design: a file imports from its own room and from rooms above it. One entry, one floor. */
const floors: readonly (readonly string[])[] = [
  ['errors.ts'],
  ['util'],
  ['model'],
  ['otlp'],
  ['journal'],
  ['evaluators'],
  ['documents/abs'],
  ['recordings'],
  ['dialects'],
  ['behaviors'],
  ['judges'],
  ['grading'],
  ['suites/amodal'],
  ['suites/eve'],
  ['hold'],
  // Neighbours on one floor never import each other.
  ['receivers', 'exporters', 'alerts', 'history', 'reports'],
  ['config'],
  ['pipeline'],
  ['web'],
  ['cli'],
  ['index.ts'],
];

const sourceFiles = readdirSync(sourceRoot, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.ts'));

function roomOf(path: string): { room: string; floor: number } {
  for (const [floor, rooms] of floors.entries()) {
    const room = rooms.find((name) => path === name || path.startsWith(`${name}/`));
    if (room !== undefined) return { room, floor };
  }
  return { room: '', floor: -1 };
}

function importsOf(path: string): string[] {
  const text = readFileSync(join(sourceRoot, path), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(
    (m) => m[1] ?? '',
  );
  return specifiers.map((specifier) =>
    relative(sourceRoot, join(sourceRoot, dirname(path), specifier))
      .split(sep)
      .join('/')
      .replace(/\.js$/, '.ts'),
  );
}

describe('the house keeps its order', () => {
  it('every source file stands in a room of the list', () => {
    expect(sourceFiles.filter((path) => roomOf(path).floor < 0)).toEqual([]);
  });

  it('a file imports only from its own room and from rooms above it', () => {
    const wrong = sourceFiles.flatMap((path) => {
      const own = roomOf(path);
      return importsOf(path)
        .filter((target) => {
          const other = roomOf(target);
          return other.room !== own.room && other.floor >= own.floor;
        })
        .map((target) => `${path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('sees the imports it is meant to judge', () => {
    expect(sourceFiles.flatMap(importsOf).length).toBeGreaterThan(0);
  });
});
