import { readFileSync } from 'node:fs';
import type { DocumentFile } from '../documents/abs/check.js';
import { createProblem } from '../errors.js';
import type { Problem } from '../model/problem.js';
import { isGlob } from '../util/glob.js';
import { type ListedFile, listGlob, listPath } from '../util/list-files.js';

const documentEnding = /\.abs\.(ya?ml|json)$/;

/**
 * Reads the document files that paths name: files whatever they are called, folders with everything in
 * them that is called like a document, patterns. What cannot be read is a problem.
 */
export function loadDocumentFiles(
  paths: readonly string[],
  cwd: string,
): { files: readonly DocumentFile[]; problems: readonly Problem[] } {
  const files: DocumentFile[] = [];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    const found = findFiles(path, cwd);
    problems.push(...found.problems);
    for (const file of found.files) {
      if (seen.has(file.path)) continue;
      seen.add(file.path);
      try {
        files.push({ file: file.name, text: readFileSync(file.path, 'utf8') });
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        problems.push(createProblem('file-unreadable', { file: file.name, detail }));
      }
    }
  }
  return { files, problems };
}

function findFiles(
  path: string,
  cwd: string,
): { files: readonly ListedFile[]; problems: readonly Problem[] } {
  const listed = listPath(path, cwd);
  if (listed.kind === 'file') return { files: [listed.file], problems: [] };
  if (listed.kind === 'folder') {
    const files = listed.files.filter(({ name }) => documentEnding.test(name));
    const problems = files.length > 0 ? [] : [createProblem('documents-empty', { file: path })];
    return { files, problems };
  }
  if (listed.kind === 'unreadable') {
    const { detail } = listed;
    return { files: [], problems: [createProblem('file-unreadable', { file: path, detail })] };
  }
  const files = isGlob(path) ? listGlob(path, cwd) : [];
  if (files.length > 0) return { files, problems: [] };
  const problem = isGlob(path)
    ? createProblem('glob-empty', { pattern: path })
    : createProblem('file-not-found', { file: path, hint: '' });
  return { files: [], problems: [problem] };
}
