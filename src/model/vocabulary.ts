/** The acts that ABS names, each in its one category (statements 41, 42). */
export type ActCategory = 'communication' | 'execution' | 'interaction' | 'delegation';

const actsByCategory: Readonly<Record<ActCategory, readonly string[]>> = {
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

const categoryByAct: ReadonlyMap<string, ActCategory> = new Map([
  ...entriesOf('communication'),
  ...entriesOf('execution'),
  ...entriesOf('interaction'),
  ...entriesOf('delegation'),
]);

/** The category of an act of the vocabulary, null for a custom act. */
export function categoryOf(action: string): ActCategory | null {
  return categoryByAct.get(action) ?? null;
}

/** What a text message does when nothing says more (semantics A1). */
export function baseActOf(actor: string): string {
  if (actor === 'assistant') return 'responds';
  return actor === 'user' ? 'says' : 'informs';
}

function entriesOf(category: ActCategory): [string, ActCategory][] {
  return actsByCategory[category].map((act) => [act, category]);
}
