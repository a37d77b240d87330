import { matchBipartite } from '../util/bipartite.js';
import type { AlignStep, Assignment } from './alignment.js';

/**
 * Matches the members of groups that were too large to be solved exactly: any order, inside the window
 * that the steps around the group leave. A group keeps what it had where that matched as many.
 */
export function matchGroups(
  steps: readonly AlignStep[],
  groups: ReadonlySet<number>,
  assignment: Assignment,
): Assignment {
  if (groups.size === 0) return assignment;
  const result = [...assignment];
  for (const group of groups) {
    const members = steps.flatMap((step, index) => (step.group === group ? [index] : []));
    const [first = 0] = members;
    const last = members.at(-1) ?? 0;
    const low = result.slice(0, first).findLast((position) => position !== null) ?? -1;
    const high = result.slice(last + 1).find((position) => position !== null) ?? Infinity;
    // Required members come first: where not all fit, optional ones go without.
    members.sort((a, b) => Number(steps[b]?.isRequired) - Number(steps[a]?.isRequired) || a - b);
    const matched = matchBipartite(
      members.map((member) =>
        (steps[member]?.candidates.positions ?? []).filter((at) => at > low && at < high),
      ),
    );
    const before = members.filter((member) => result[member] !== null).length;
    if (matched.filter((position) => position !== null).length < before) continue;
    members.forEach((member, index) => {
      result[member] = matched[index] ?? null;
    });
  }
  return result;
}
