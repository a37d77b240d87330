/**
 * The largest matching between left and right nodes (augmenting paths): for each left node its right
 * node, or null. A left node that comes first is matched first where not all can be.
 */
export function matchBipartite(edges: readonly (readonly number[])[]): readonly (number | null)[] {
  const leftOf = new Map<number, number>();
  const rightOf: (number | null)[] = edges.map(() => null);
  const augment = (left: number, visited: Set<number>): boolean => {
    for (const right of edges[left] ?? []) {
      if (visited.has(right)) continue;
      visited.add(right);
      const holder = leftOf.get(right);
      if (holder !== undefined && !augment(holder, visited)) continue;
      leftOf.set(right, left);
      rightOf[left] = right;
      return true;
    }
    return false;
  };
  for (let left = 0; left < edges.length; left++) augment(left, new Set());
  return rightOf;
}
