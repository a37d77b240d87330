import { createReadStream } from 'node:fs';
import { createProblem } from '../errors.js';
import type { Problem } from '../model/problem.js';
import { isGlob } from '../util/glob.js';
import { type ListedFile, listGlob, listPath } from '../util/list-files.js';
import type { ByteSource } from './recording.js';

export interface ListOptions {
  readonly cwd: string;
  readonly stdin: AsyncIterable<Uint8Array>;
}

/**
 * The byte sources that paths of the command line name, in the order given: files, folders with
 * everything inside them, patterns, `-` for standard input. A path that leads nowhere is a problem.
 */
export function listRecordings(
  paths: readonly string[],
  { cwd, stdin }: ListOptions,
): { sources: readonly ByteSource[]; problems: readonly Problem[] } {
  const sources: ByteSource[] = [];
  const problems: Problem[] = [];
  for (const path of new Set(paths)) {
    if (path === '-') {
      sources.push({ name: '-', isNamed: true, sizeBytes: null, open: () => stdin });
      continue;
    }
    const listed = listPath(path, cwd);
    if (listed.kind === 'file') sources.push(fromFile(listed.file, true));
    else if (listed.kind === 'folder') {
      sources.push(...listed.files.map((file) => fromFile(file, false)));
      if (listed.files.length === 0) problems.push(createProblem('folder-empty', { file: path }));
    } else if (listed.kind === 'unreadable') {
      problems.push(createProblem('file-unreadable', { file: path, detail: listed.detail }));
    } else {
      const found = isGlob(path) ? listGlob(path, cwd) : [];
      sources.push(...found.map((file) => fromFile(file, true)));
      if (found.length === 0) problems.push(missing(path));
    }
  }
  return { sources, problems };
}

function fromFile({ name, path, sizeBytes }: ListedFile, isNamed: boolean): ByteSource {
  return { name, isNamed, sizeBytes, open: () => createReadStream(path) };
}

function missing(path: string): Problem {
  if (isGlob(path)) return createProblem('glob-empty', { pattern: path });
  const looksLikeBinding = /^[\w.-]+[=:]/.test(path);
  const hint = looksLikeBinding
    ? 'flags that take several values are repeated: --var a=1 --var b=2'
    : '';
  return createProblem('file-not-found', { file: path, hint });
}
