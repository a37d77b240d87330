import { type Loss, type LossKind, lossTable } from '../model/evidence.js';

const shownDetails = 3;

/**
 * Counts what was lost or set aside in one unit. The list does not depend on the order of the calls:
 * kinds stand in the order of `lossTable`, details are sorted.
 */
export class LossLedger {
  readonly #counts = new Map<LossKind, Map<string, number>>();

  add(kind: LossKind, detail: string, count = 1): void {
    const details = this.#counts.get(kind) ?? new Map<string, number>();
    details.set(detail, (details.get(detail) ?? 0) + count);
    this.#counts.set(kind, details);
  }

  addAll(losses: readonly Loss[]): void {
    for (const loss of losses) this.add(loss.kind, loss.detail, loss.count);
  }

  /** One entry per kind. */
  list(): readonly Loss[] {
    return lossKinds.flatMap((kind) => {
      const details = this.#counts.get(kind);
      return details === undefined ? [] : [{ kind, ...summarize(details) }];
    });
  }
}

/** True when nothing in the list hides Behaviors or values (semantics decision 3). */
export function isComplete(losses: readonly Loss[]): boolean {
  return losses.every((loss) => lossTable[loss.kind].hides === 'nothing');
}

const lossKinds = Object.keys(lossTable).filter(isLossKind);

function isLossKind(key: string): key is LossKind {
  return Object.hasOwn(lossTable, key);
}

function summarize(details: ReadonlyMap<string, number>): { count: number; detail: string } {
  let count = 0;
  for (const each of details.values()) count += each;
  const texts = [...details.keys()].sort();
  const rest = texts.length - shownDetails;
  const shown = texts.slice(0, shownDetails).join('; ');
  return { count, detail: rest > 0 ? `${shown}; and ${rest} more` : shown };
}
