/** What an action is about; decides what its target means (statement 43). */
export type ActionCategory = 'communication' | 'execution' | 'interaction' | 'delegation';

/** Actors that ABS names; any other is allowed (statement 46). */
export const standardActors: readonly string[] = [
  'user',
  'assistant',
  'tool',
  'system',
  'human',
  'external',
];

const actionsByCategory: Readonly<Record<ActionCategory, readonly string[]>> = {
  communication: [
    'says',
    'asks',
    'responds',
    'informs',
    'greets',
    'clarifies',
    'confirms',
    'rejects',
    'suggests',
    'shows',
  ],
  execution: ['calls', 'submits', 'retrieves', 'stores', 'updates'],
  interaction: ['selects', 'uploads', 'downloads', 'approves'],
  delegation: ['hands_off'],
};

const categoryByAction: ReadonlyMap<string, ActionCategory> = new Map(
  (['communication', 'execution', 'interaction', 'delegation'] as const).flatMap((category) =>
    actionsByCategory[category].map((action) => [action, category] as const),
  ),
);

/** The standard actions, each in exactly one category (statements 41, 42). */
export const standardActions: readonly string[] = [...categoryByAction.keys()];

/** The category of a standard action; null for every other word. */
export function categoryOfAction(action: string): ActionCategory | null {
  return categoryByAction.get(action) ?? null;
}

/**
 * The category of a declared step. A custom action is communication when it has content and no target,
 * execution when it has arguments, else unknown: its target is compared literally (semantics A50).
 */
export function categoryOfStep(step: {
  readonly action: string;
  readonly target: string | null;
  readonly content?: unknown;
  readonly with: unknown;
  readonly withOnly: unknown;
}): ActionCategory | null {
  const standard = categoryOfAction(step.action);
  if (standard !== null) return standard;
  if (step.with !== null || step.withOnly !== null) return 'execution';
  return step.content !== undefined && step.target === null ? 'communication' : null;
}

/** The act that spans show of a step, beside the one it declares (semantics A1, A4); null if none other. */
export function baseActOfStep(step: Parameters<typeof categoryOfStep>[0] & { actor: string }) {
  switch (categoryOfStep(step)) {
    case 'execution':
      return 'calls';
    case 'communication':
      if (step.actor === 'user') return 'says';
      return step.actor === 'assistant' || step.actor === 'tool' ? 'responds' : 'informs';
    default:
      return null;
  }
}
