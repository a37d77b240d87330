/** What a judge said of a case that people have labelled. */
export interface LabelledScore {
  /** What is right, by the label. */
  readonly isGood: boolean;
  readonly score: number;
  /** The judge's own yes or no, where it gave one. */
  readonly passed?: boolean;
}

export interface Confusion {
  readonly truePass: number;
  readonly falsePass: number;
  readonly trueFail: number;
  readonly falseFail: number;
}

export interface Agreement {
  readonly count: number;
  /** Share of cases on which judge and label agree; null without cases. */
  readonly agreement: number | null;
  /**
   * Cohen's kappa: agreement beyond what chance would give with these frequencies, 1 is perfect and 0 is
   * chance. Null where chance already explains everything, as when all labels are alike.
   */
  readonly kappa: number | null;
  readonly confusion: Confusion;
}

/** How well a judge agrees with the labels at a threshold. */
export function measureAgreement(cases: readonly LabelledScore[], threshold: number): Agreement {
  const count = { truePass: 0, falsePass: 0, trueFail: 0, falseFail: 0 };
  for (const { isGood, score, passed } of cases) {
    const saysPass = passed ?? score >= threshold;
    if (saysPass) count[isGood ? 'truePass' : 'falsePass'] += 1;
    else count[isGood ? 'falseFail' : 'trueFail'] += 1;
  }
  const total = cases.length;
  if (total === 0) return { count: 0, agreement: null, kappa: null, confusion: count };
  const agreement = (count.truePass + count.trueFail) / total;
  const good = (count.truePass + count.falseFail) / total;
  const passes = (count.truePass + count.falsePass) / total;
  const byChance = good * passes + (1 - good) * (1 - passes);
  const kappa = byChance === 1 ? null : (agreement - byChance) / (1 - byChance);
  return { count: total, agreement, kappa, confusion: count };
}

export interface Suggestion extends Agreement {
  readonly threshold: number;
}

/**
 * The threshold with the highest kappa; of equals the one with the higher agreement, then the one nearest
 * to `current`. Null where none agrees better than chance: the labels are all alike, or the judge is no use.
 */
export function suggestThreshold(
  cases: readonly LabelledScore[],
  current: number,
): Suggestion | null {
  if (new Set(cases.map(({ isGood }) => isGood)).size < 2) return null;
  const byScore = cases.map(({ isGood, score }) => ({ isGood, score }));
  const candidates = candidateThresholds(
    byScore.map(({ score }) => score),
    current,
  );
  const rated = candidates.map((threshold) => ({
    threshold,
    ...measureAgreement(byScore, threshold),
  }));
  const worth = ({ kappa, agreement, threshold }: Suggestion): readonly number[] => [
    kappa ?? -1,
    agreement ?? 0,
    -Math.abs(threshold - current),
  ];
  const best = rated.toSorted((a, b) => compareWorth(worth(b), worth(a)))[0];
  return best === undefined || (best.kappa ?? 0) <= 0 ? null : best;
}

/** The current one, and one between every two neighbouring scores: no other could tell more. */
function candidateThresholds(scores: readonly number[], current: number): readonly number[] {
  const distinct = [...new Set(scores)].sort((a, b) => a - b);
  const between = distinct.slice(1).map((score, index) => ((distinct[index] ?? score) + score) / 2);
  return [current, ...between];
}

function compareWorth(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
