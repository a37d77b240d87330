import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type AnswerStore,
  type KeptAnswer,
  keptAnswerText,
  parseKeptAnswer,
} from './answer-store.js';

/**
 * How a cassette is used. `record` asks every question anew and keeps what was asked; `replay` asks
 * nothing; `auto` asks what is missing.
 */
export type CassetteMode = 'record' | 'replay' | 'auto';

export interface Cassette extends AnswerStore {
  /** Writes the answers to the file, sorted by key. Throws when the file cannot be written. */
  save(): void;
}

export type CassetteResult =
  | { readonly ok: true; readonly cassette: Cassette }
  | { readonly ok: false; readonly message: string };

/**
 * Answers in one file of JSON lines, made to be committed: with `replay` a check in CI needs no key, no
 * network and no money, and says so when a question is new. Unlike a cache, a line that cannot be read is
 * an error: someone edited it.
 */
export function openCassette(path: string, mode: CassetteMode): CassetteResult {
  const kept = new Map<string, KeptAnswer>();
  if (mode !== 'record') {
    let text = '';
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (mode === 'replay' || !isMissing) return { ok: false, message: `cannot read ${path}` };
    }
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue;
      const answer = parseKeptAnswer(line);
      if (answer === null) return { ok: false, message: `${path}:${index + 1} is no kept answer` };
      kept.set(answer.key, answer);
    }
  }
  let isChanged = mode === 'record';
  return {
    ok: true,
    cassette: {
      isSealed: mode === 'replay',
      find: (key) => kept.get(key) ?? null,
      keep(answer) {
        kept.set(answer.key, answer);
        isChanged = true;
      },
      save() {
        if (!isChanged) return;
        const lines = [...kept.values()]
          .sort((a, b) => (a.key < b.key ? -1 : 1))
          .map(keptAnswerText);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(`${path}.new`, lines.map((line) => `${line}\n`).join(''));
        renameSync(`${path}.new`, path);
      },
    },
  };
}
