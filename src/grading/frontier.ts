/**
 * The best value that the remaining steps can still add, asked by where the alignment stands: the last
 * position used, and whether a required step used it. Positions are small numbers; values only rise.
 *
 * A Fenwick tree answers "the best from any later position" in O(log n); a step that may share its
 * position with the one before it is answered by the two arrays.
 */
export class Frontier {
  private readonly tree: Float64Array;
  private readonly free: Float64Array;
  private readonly taken: Float64Array;

  constructor(size: number);
  constructor(size: number, copied: Frontier);
  constructor(
    private readonly size: number,
    copied?: Frontier,
  ) {
    this.tree = copied === undefined ? new Float64Array(size + 1) : copied.tree.slice();
    this.free = copied === undefined ? new Float64Array(size) : copied.free.slice();
    this.taken = copied === undefined ? new Float64Array(size) : copied.taken.slice();
  }

  clone(): Frontier {
    return new Frontier(this.size, this);
  }

  /** The most that can be added after `position`; -1 is the start. */
  best(position: number, isTaken: boolean): number {
    const same = position < 0 ? 0 : at(isTaken ? this.taken : this.free, position);
    return Math.max(same, this.bestAfter(position));
  }

  /** A step may be put at `position`, with these values where it is still free or already taken. */
  offer(position: number, ifFree: number, ifTaken: number): void {
    if (ifTaken > at(this.taken, position)) this.taken[position] = ifTaken;
    if (ifFree <= at(this.free, position)) return;
    this.free[position] = ifFree;
    for (let node = this.size - position; node <= this.size; node += node & -node) {
      if (ifFree > at(this.tree, node)) this.tree[node] = ifFree;
    }
  }

  private bestAfter(position: number): number {
    let best = 0;
    for (let node = this.size - position - 1; node > 0; node -= node & -node) {
      best = Math.max(best, at(this.tree, node));
    }
    return best;
  }
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}
