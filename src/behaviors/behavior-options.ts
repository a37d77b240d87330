import { defaultHandoffTools } from './handoff-rules.js';

/** What configuration adds to the reconstruction (contract.md §6, `behaviors`). */
export interface BehaviorOptions {
  /** Names of tools that are hand-offs; `*` stands for at least one character. */
  readonly handoffTools: readonly string[];
  /** Target as documents name it, with the names under which it is observed. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
}

export const defaultBehaviorOptions: BehaviorOptions = {
  handoffTools: defaultHandoffTools,
  aliases: new Map(),
};

/** Turns an observed name into the document's; names without an alias stay. First alias wins. */
export function createAliasLookup(
  aliases: BehaviorOptions['aliases'],
): (observed: string) => string {
  const targets = new Map<string, string>();
  for (const [target, names] of aliases) {
    for (const name of names) if (!targets.has(name)) targets.set(name, target);
  }
  return (observed) => targets.get(observed) ?? observed;
}
