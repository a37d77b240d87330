import type { Behavior } from '../model/behavior.js';
import type { Selector } from '../model/document.js';
import type { Certainty } from '../model/evaluator.js';
import { isUnclassifiedMessage, matchSelector } from './selector.js';

/** A selector that matches a Behavior, or may. `position` is its place in the list that was indexed. */
export interface SelectorHit {
  readonly position: number;
  readonly certainty: Exclude<Certainty, 'no'>;
}

const any = '*';

/**
 * Many selectors, filed by (actor, action, target) and asked at once which of them match a Behavior: the
 * cost follows the hits and not the number of selectors.
 */
export class SelectorIndex {
  private readonly byFields = new Map<string, number[]>();
  /** Selectors that name an action, by actor and target: what a message of unknown act may be. */
  private readonly withAction = new Map<string, number[]>();

  constructor(private readonly selectors: readonly Selector[]) {
    selectors.forEach((selector, position) => {
      const { actor = any, action = any, target = any } = selector;
      file(this.byFields, keyOf(actor, action, target), position);
      if (action !== any) file(this.withAction, keyOf(actor, any, target), position);
    });
  }

  /** The selectors that match or may match, in the order they were given. */
  match(behavior: Behavior): readonly SelectorHit[] {
    const positions = new Set<number>();
    const isOpen = isUnclassifiedMessage(behavior);
    const targets = new Set([any, behavior.target ?? any, behavior.tool ?? any]);
    for (const actor of new Set([any, behavior.actor])) {
      for (const target of targets) {
        for (const action of new Set([any, ...behavior.acts])) {
          collect(positions, this.byFields.get(keyOf(actor, action, target)));
        }
        if (isOpen) collect(positions, this.withAction.get(keyOf(actor, any, target)));
      }
    }
    const hits: SelectorHit[] = [];
    for (const position of [...positions].sort((left, right) => left - right)) {
      const certainty = matchSelector(this.selectors[position] ?? {}, behavior);
      if (certainty !== 'no') hits.push({ position, certainty });
    }
    return hits;
  }
}

/** Everything of a Behavior that a selector may ask for, as one text. */
export function identityOf(behavior: Behavior): string {
  const { acts, stepIds } = behavior;
  // Texts of a trace may hold any character: lengths keep the parts apart.
  let identity = behavior.evidence.act + sized(behavior.actor) + sized(behavior.action);
  identity += sized(behavior.target) + sized(behavior.tool) + sized(behavior.id);
  identity += acts.length;
  for (const act of acts) identity += sized(act);
  if (stepIds !== undefined) for (const id of stepIds) identity += sized(id);
  return identity;
}

function sized(part: string | undefined): string {
  return part === undefined ? '-' : `${part.length}:${part}`;
}

function keyOf(actor: string, action: string, target: string): string {
  return `${actor}\u0000${action}\u0000${target}`;
}

function file(index: Map<string, number[]>, key: string, position: number): void {
  const filed = index.get(key);
  if (filed === undefined) index.set(key, [position]);
  else filed.push(position);
}

function collect(positions: Set<number>, found: readonly number[] | undefined): void {
  for (const position of found ?? []) positions.add(position);
}
