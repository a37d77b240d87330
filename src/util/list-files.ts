import { readdirSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileGlob, globRoot } from './glob.js';

/** A file to read. `path` is for the file system, `name` for people: as given, with `/` separators. */
export interface ListedFile {
  readonly name: string;
  readonly path: string;
  /** `null` for what has no size beforehand: a pipe, a device. */
  readonly sizeBytes: number | null;
}

/** What a path turned out to be. */
export type ListedPath =
  | { readonly kind: 'file'; readonly file: ListedFile }
  | { readonly kind: 'folder'; readonly files: readonly ListedFile[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly detail: string };

/**
 * Looks a path up, relative to `cwd`. A folder is listed with everything inside it, sorted by name and
 * without hidden entries; a link back to a folder that encloses it is not followed. Never throws.
 */
export function listPath(given: string, cwd: string): ListedPath {
  const path = resolve(cwd, given);
  const name = given.replaceAll('\\', process.platform === 'win32' ? '/' : '\\');
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) {
      const base = name.replace(/\/+$/, '') || '/';
      return { kind: 'folder', files: listFolder(path, base === '.' ? '' : `${base}/`) };
    }
    return { kind: 'file', file: { name, path, sizeBytes: stat.isFile() ? stat.size : null } };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    return { kind: 'unreadable', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** The files that a pattern matches, sorted by name. */
export function listGlob(given: string, cwd: string): readonly ListedFile[] {
  const pattern = given.replace(/^(\.\/)+/, '');
  const listed = listPath(globRoot(pattern) || '.', cwd);
  if (listed.kind !== 'folder') return [];
  const matches = compileGlob(pattern);
  return listed.files.filter(({ name }) => matches(name));
}

interface Folder {
  readonly path: string;
  readonly prefix: string;
  /** Real paths of the folders above it and of itself. */
  readonly line: readonly string[];
}

function listFolder(root: string, prefix: string): readonly ListedFile[] {
  const files: ListedFile[] = [];
  const open: Folder[] = [{ path: root, prefix, line: [realpathSync(root)] }];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(folder.path)) {
      if (entry.startsWith('.')) continue;
      const path = resolve(folder.path, entry);
      const name = `${folder.prefix}${entry}`;
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isFile()) files.push({ name, path, sizeBytes: stat.size });
      if (!stat?.isDirectory()) continue;
      const real = realpathSync(path);
      if (folder.line.includes(real)) continue;
      open.push({ path, prefix: `${name}/`, line: [...folder.line, real] });
    }
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}
