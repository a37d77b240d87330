import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AnswerStore, keptAnswerText, parseKeptAnswer } from './answer-store.js';

/**
 * Keeps each answer in a file named by its key. A file is written beside its place and moved there, so
 * that whoever reads, in this or another process, sees a whole answer or none. A file that is not a kept
 * answer of its own key counts as none and is replaced.
 */
export function createDiskCache(folder: string, random: () => number): AnswerStore {
  const pathOf = (key: string): string => join(folder, key.slice(0, 2), `${key}.json`);
  return {
    isSealed: false,
    find(key) {
      try {
        const kept = parseKeptAnswer(readFileSync(pathOf(key), 'utf8'));
        return kept?.key === key ? kept : null;
      } catch {
        return null;
      }
    },
    keep(kept) {
      const path = pathOf(kept.key);
      const draft = `${path}.${process.pid}-${Math.floor(random() * 2 ** 40).toString(36)}`;
      try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(draft, `${keptAnswerText(kept)}\n`, { mode: 0o600 });
        renameSync(draft, path);
      } catch {
        discard(draft);
      }
    },
  };
}

function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // There is no such place; nothing was written.
  }
}

/** Keeps nothing. */
export const noStore: AnswerStore = { isSealed: false, find: () => null, keep: () => undefined };
