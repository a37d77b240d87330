import type { BoundStep } from '../documents/abs/bound-session.js';
import type { Behavior } from '../model/behavior.js';
import { type ActCategory, categoryOf } from '../model/vocabulary.js';
import { categoryOfAct } from './fit.js';

/** The Behaviors of a unit by who acted, how and on what, so that a step looks only at those it may mean. */
export class BehaviorIndex {
  private readonly byActor = new Map<string, ActorBehaviors>();

  constructor(readonly behaviors: readonly Behavior[]) {
    for (const behavior of behaviors) {
      const { actor, acts, target, tool } = behavior;
      let own = this.byActor.get(actor);
      if (own === undefined) {
        own = { all: [], byCategory: new Map(), byTarget: new Map() };
        this.byActor.set(actor, own);
      }
      own.all.push(behavior);
      for (const act of acts) file(own.byCategory, categoryOfAct(act, behavior), behavior);
      if (target !== undefined) file(own.byTarget, target, behavior);
      if (tool !== undefined && tool !== target) file(own.byTarget, tool, behavior);
    }
  }

  /** The Behaviors that a step may mean as far as actor, category and target go, in order. */
  ofStep(step: BoundStep): readonly Behavior[] {
    const own = this.byActor.get(step.actor);
    const category = categoryOf(step.action);
    // What stands for the act, or makes a custom act, is looked for everywhere; so is a user's interaction.
    if (step.matchesWhen !== null || category === null || category === 'interaction') {
      return own?.all ?? [];
    }
    const isOpen = step.uses.some((use) => use.place === 'target' && use.value === undefined);
    return category === 'execution' && step.target !== null && !isOpen
      ? (own?.byTarget.get(step.target) ?? [])
      : (own?.byCategory.get(category) ?? []);
  }

  ofActor(actor: string): readonly Behavior[] {
    return this.byActor.get(actor)?.all ?? [];
  }
}

interface ActorBehaviors {
  readonly all: Behavior[];
  /** By the category of any of their acts, once for each. */
  readonly byCategory: Map<ActCategory | null, Behavior[]>;
  readonly byTarget: Map<string, Behavior[]>;
}

function file<Key>(index: Map<Key, Behavior[]>, key: Key, behavior: Behavior): void {
  const filed = index.get(key);
  if (filed === undefined) index.set(key, [behavior]);
  else if (filed.at(-1) !== behavior) filed.push(behavior);
}
