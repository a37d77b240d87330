import type { Loss, LossKind } from '../model/evidence.js';

/** Collects what reading one span lost; equal losses are counted together. */
export class LossLog {
  readonly #losses = new Map<string, Loss>();

  add(kind: LossKind, detail: string): void {
    const key = `${kind}\n${detail}`;
    const count = (this.#losses.get(key)?.count ?? 0) + 1;
    this.#losses.set(key, { kind, count, detail });
  }

  list(): readonly Loss[] {
    return [...this.#losses.values()];
  }
}
