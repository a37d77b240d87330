const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const namespacePrefix = /^([a-z]{2,16})[_-]/i;
const longestId = 512;

/**
 * The id when it can identify a call, else `undefined`: not a placeholder and not the positional
 * fallback `<tool name>_<number>` (dialects.md §3.4).
 */
export function realCallId(id: string | undefined, toolName: string | undefined) {
  if (id === undefined || id === '' || id.startsWith('<') || id.length > longestId)
    return undefined;
  if (toolName !== undefined && id.startsWith(`${toolName}_`)) {
    return /^\d+$/.test(id.slice(toolName.length + 1)) ? undefined : id;
  }
  return id;
}

/**
 * What two sets of ids of a call say about each other. Ids of one namespace (`call_…`, `fc_…`,
 * `toolu_…`) that differ are different calls; ids of different namespaces say nothing.
 */
export function compareCallIds(
  a: readonly string[],
  b: readonly string[],
): 'equal' | 'different' | 'unknown' {
  let result: 'different' | 'unknown' = 'unknown';
  for (const left of a) {
    for (const right of b) {
      if (left === right) return 'equal';
      if (namespaceOf(left) === namespaceOf(right)) result = 'different';
    }
  }
  return result;
}

function namespaceOf(id: string): string {
  if (uuid.test(id)) return 'uuid';
  return namespacePrefix.exec(id)?.[1]?.toLowerCase() ?? '';
}
