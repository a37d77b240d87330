import fc from 'fast-check';
import type { Behavior } from '../../src/model/behavior.js';
import type { Selector } from '../../src/model/document.js';
import type { JsonObject } from '../../src/util/json.js';
import { createUnit } from './stated-unit.js';

const acts = ['asks', 'informs', 'confirms'];

/** Short random units: messages of unknown act, stated messages, calls and responses of two tools. */
export const statedBehaviors: fc.Arbitrary<readonly JsonObject[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<JsonObject>({ actor: 'assistant', content: 'Yes?' }) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...acts)
        .map((action): JsonObject => ({ actor: 'assistant', action, content: 'Yes?' })),
    },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom('A', 'B')
        .map((target): JsonObject => ({ actor: 'assistant', action: 'calls', target, with: {} })),
    },
    { weight: 1, arbitrary: fc.constant<JsonObject>({ actor: 'user', content: 'Well?' }) },
  ),
  { maxLength: 7 },
);

export const selectors: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { actor: 'assistant', action: 'asks' },
  { action: 'informs' },
  { actor: 'assistant', action: 'responds' },
  { action: 'calls', target: 'A' },
  { action: 'calls' },
  { target: 'B' },
  { actor: 'user' },
  { actor: 'assistant' },
);

/** Every way to fill in the acts that are not known: each message has its base act and one more. */
export function worldsOf(stated: readonly JsonObject[]): readonly (readonly Behavior[])[] {
  const { behaviors } = createUnit(stated);
  return behaviors.reduce<readonly (readonly Behavior[])[]>(
    (worlds, behavior) => worlds.flatMap((world) => waysOf(behavior).map((way) => [...world, way])),
    [[]],
  );
}

function waysOf(behavior: Behavior): readonly Behavior[] {
  if (behavior.evidence.act !== 'base') return [behavior];
  return acts.map((act) => ({
    ...behavior,
    acts: [...behavior.acts, act],
    evidence: { ...behavior.evidence, act: 'classified' },
  }));
}

/** A selector by its definition, for Behaviors whose acts are known. */
export function isSelected(selector: Selector, behavior: Behavior): boolean {
  return (
    (selector.actor === undefined || selector.actor === behavior.actor) &&
    (selector.action === undefined || behavior.acts.includes(selector.action)) &&
    (selector.target === undefined || selector.target === behavior.target)
  );
}
