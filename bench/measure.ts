/** One thing to measure. `prepare` runs once per payload and is not measured. */
export interface Variant<Payload> {
  readonly name: string;
  prepare(payload: Payload): () => unknown;
}

export interface Ratio {
  readonly id: string;
  readonly title: string;
  readonly numerator: string;
  readonly denominator: string;
}

export interface MeasureOptions {
  readonly rounds: number;
  readonly millisecondsPerRound: number;
}

/**
 * Runs all variants interleaved, round by round, in this process, and returns the CPU microseconds
 * (user and system, garbage collection included) per call of every round.
 */
export function measure<Payload>(
  variants: readonly Variant<Payload>[],
  payloads: readonly Payload[],
  { rounds, millisecondsPerRound }: MeasureOptions,
): Map<string, number[]> {
  const figures = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
  const calls = variants.map((variant) => payloads.map((payload) => variant.prepare(payload)));
  // The first round warms the compiler up and is thrown away.
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, variant] of variants.entries()) {
      const microseconds = measureOnce(calls[index] ?? [], millisecondsPerRound);
      if (round >= 0) figures.get(variant.name)?.push(microseconds);
    }
  }
  return figures;
}

let kept: unknown;

function measureOnce(calls: readonly (() => unknown)[], milliseconds: number): number {
  const before = process.cpuUsage();
  let used = 0;
  let count = 0;
  while (used < milliseconds * 1000) {
    for (const call of calls) {
      kept = call();
      count += 1;
    }
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
  return kept === null ? Number.NaN : used / count;
}

/** The median over the rounds of numerator ÷ denominator of the same round. */
export function medianRatio(figures: ReadonlyMap<string, readonly number[]>, ratio: Ratio): number {
  const above = figures.get(ratio.numerator) ?? [];
  const below = figures.get(ratio.denominator) ?? [];
  const ratios = above.map((value, round) => value / (below[round] ?? Number.NaN));
  return ratios.toSorted((a, b) => a - b)[ratios.length >> 1] ?? Number.NaN;
}
