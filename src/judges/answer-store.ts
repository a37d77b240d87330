import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../util/json-text.js';
import type { OpenJudge, Question } from './provider.js';
import type { Answer } from './reply.js';

/** An answer as it is kept. */
export interface KeptAnswer {
  readonly version: 1;
  /** Hex digest of everything that decided the answer. */
  readonly key: string;
  readonly provider: string;
  readonly model: string;
  readonly promptDigest: string;
  readonly answer: Answer;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly nanoUsd: number | null;
  readonly latencyMs: number;
}

/** Where answers are kept and looked up. Neither call ever throws: a store that fails only costs money. */
export interface AnswerStore {
  find(key: string): KeptAnswer | null;
  keep(answer: KeptAnswer): void;
  /** A sealed store has all the answers there will be: what it lacks is not asked for. */
  readonly isSealed: boolean;
}

const count = z.number().int().nonnegative().nullable();
const plainJson = z.json();

const keptSchema = z.strictObject({
  version: z.literal(1),
  key: z.string(),
  provider: z.string(),
  model: z.string(),
  promptDigest: z.string(),
  answer: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('text'), text: z.string() }),
    z.strictObject({ kind: z.literal('value'), value: plainJson }),
    z.strictObject({
      kind: z.literal('score'),
      score: z.number().min(0).max(1),
      passed: z.boolean().exactOptional(),
      reason: z.string(),
    }),
    z.strictObject({
      kind: z.literal('unusable'),
      why: z.enum(['refused', 'cut', 'malformed']),
      detail: z.string(),
    }),
  ]),
  inputTokens: count,
  outputTokens: count,
  nanoUsd: count,
  latencyMs: z.number().nonnegative(),
});

/** Reads a kept answer; null for anything else, such as a file that a crash cut off. */
export function parseKeptAnswer(text: string): KeptAnswer | null {
  try {
    const read = keptSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** A kept answer as one line of JSON. */
export function keptAnswerText(kept: KeptAnswer): string {
  return canonicalJson({ ...kept, answer: { ...kept.answer } });
}

/** The key under which an answer is kept: change anything that was asked, and it is another question. */
export function answerKey(
  provider: string,
  judge: OpenJudge,
  question: Question,
  sample: number,
): string {
  const parts = {
    version: 1,
    provider,
    model: judge.model,
    parameters: judge.parameters,
    question: question.digest,
    sample,
  };
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}
