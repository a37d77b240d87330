/**
 * Overlap of two texts (statements 128 to 133): words are runs of letters, digits and underscores of any
 * script, lower-cased.
 */
export interface Overlap {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export function tokenize(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Shared words, counted as often as they stand in both. */
export function overlapOfWords(observed: readonly string[], truth: readonly string[]): Overlap {
  return overlap(sharedCount(grams(observed, 1), grams(truth, 1)), observed.length, truth.length);
}

/** ROUGE-N: shared runs of n words. */
export function overlapOfGrams(
  observed: readonly string[],
  truth: readonly string[],
  n: number,
): Overlap {
  const [ours, theirs] = [grams(observed, n), grams(truth, n)];
  return overlap(sharedCount(ours, theirs), ours.length, theirs.length);
}

/** ROUGE-L: the longest common subsequence of words. */
export function overlapOfSubsequence(
  observed: readonly string[],
  truth: readonly string[],
): Overlap {
  return overlap(longestCommonSubsequence(observed, truth), observed.length, truth.length);
}

/**
 * BLEU-4 of one sentence: modified precisions `(matches + 1) / (total + 1)` of up to four words, as many
 * as the observed text has, geometric mean, times the brevity penalty `min(1, exp(1 - truth/observed))`.
 */
export function bleuScore(observed: readonly string[], truth: readonly string[]): number {
  if (observed.length === 0 || truth.length === 0) return 0;
  const order = Math.min(4, observed.length);
  let logSum = 0;
  for (let n = 1; n <= order; n++) {
    const ours = grams(observed, n);
    logSum += Math.log((sharedCount(ours, grams(truth, n)) + 1) / (ours.length + 1));
  }
  const brevity = Math.min(1, Math.exp(1 - truth.length / observed.length));
  return brevity * Math.exp(logSum / order);
}

function overlap(shared: number, observedCount: number, truthCount: number): Overlap {
  if (shared === 0) return { precision: 0, recall: 0, f1: 0 };
  return {
    precision: shared / observedCount,
    recall: shared / truthCount,
    f1: (2 * shared) / (observedCount + truthCount),
  };
}

function grams(words: readonly string[], n: number): readonly string[] {
  const result: string[] = [];
  for (let start = 0; start + n <= words.length; start++) {
    result.push(words.slice(start, start + n).join(' '));
  }
  return result;
}

function sharedCount(ours: readonly string[], theirs: readonly string[]): number {
  const left = new Map<string, number>();
  for (const gram of theirs) left.set(gram, (left.get(gram) ?? 0) + 1);
  let shared = 0;
  for (const gram of ours) {
    const rest = left.get(gram) ?? 0;
    if (rest === 0) continue;
    shared++;
    left.set(gram, rest - 1);
  }
  return shared;
}

/** Length of the longest common subsequence, bit-parallel: one machine word of `a` at a time (Hyyrö). */
function longestCommonSubsequence(a: readonly string[], b: readonly string[]): number {
  const places = new Map<string, bigint>();
  a.forEach((word, index) => {
    places.set(word, (places.get(word) ?? 0n) | (1n << BigInt(index)));
  });
  const all = (1n << BigInt(a.length)) - 1n;
  let row = all;
  for (const word of b) {
    const hits = row & (places.get(word) ?? 0n);
    row = ((row + hits) | (row - hits)) & all;
  }
  return a.length - row.toString(2).replaceAll('0', '').length;
}
