import type { JsonValue } from '../util/json.js';
import { isJsonObject } from '../util/json-text.js';

/** Tool names that are hand-offs where the configuration does not say otherwise (contract.md §6). */
export const defaultHandoffTools: readonly string[] = [
  'transfer_to_*',
  'transfer_to_agent',
  'handoff_*',
  'handoff to *',
  'Delegate work to coworker',
];

const receiverArguments = ['agent', 'agent_name', 'to', 'target', 'destination', 'coworker'];

/** What a tool's name says about a hand-off: the part that `*` stands for, or nothing more. */
export interface HandoffName {
  readonly receiver: string | undefined;
}

/**
 * Whether a tool is a hand-off by its name. A pattern without `*` that fits says more than one with:
 * `transfer_to_agent` names no receiver.
 */
export function matchHandoffTool(name: string, patterns: readonly string[]): HandoffName | null {
  let found: HandoffName | null = null;
  for (const pattern of patterns) {
    if (pattern === name) return { receiver: undefined };
    const receiver = matchStar(pattern, name);
    if (receiver !== null) found ??= { receiver };
  }
  return found;
}

/** Who took over (semantics A3): as recorded, by the tool's name, by an argument, else the tool. */
export function handoffTarget(
  recorded: string | null,
  matched: HandoffName | null,
  args: JsonValue | undefined,
  toolName: string,
): string {
  return recorded ?? matched?.receiver ?? receiverArgument(args) ?? toolName;
}

function receiverArgument(args: JsonValue | undefined): string | undefined {
  if (!isJsonObject(args)) return undefined;
  for (const key of receiverArguments) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/**
 * What the first `*` of the pattern stands for, at least one character; `null` without a match. Takes the
 * shortest fit for every star but the last: linear in the name for each star.
 */
function matchStar(pattern: string, name: string): string | null {
  const parts = pattern.split('*');
  const [head = '', ...middle] = parts;
  const tail = middle.pop();
  if (tail === undefined || !name.startsWith(head)) return null;
  let at = head.length;
  let first: string | undefined;
  for (const part of middle) {
    const next = name.indexOf(part, at + 1);
    if (next === -1) return null;
    first ??= name.slice(at, next);
    at = next + part.length;
  }
  const end = name.length - tail.length;
  if (end <= at || !name.endsWith(tail)) return null;
  return first ?? name.slice(at, end);
}
