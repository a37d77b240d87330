import type { EvaluatorDefinition } from '../model/evaluator.js';
import { allOf } from './all-of.js';
import { anyOf } from './any-of.js';
import { bleu } from './bleu.js';
import { coherence } from './coherence.js';
import { contains } from './contains.js';
import { count } from './count.js';
import { custom } from './custom.js';
import { eventually } from './eventually.js';
import { exactMatch } from './exact-match.js';
import { expected } from './expected.js';
import { f1 } from './f1.js';
import { fluency } from './fluency.js';
import { groundedness } from './groundedness.js';
import { hateUnfairness } from './hate-unfairness.js';
import { llmJudge } from './llm-judge.js';
import { never } from './never.js';
import { noneOf } from './none-of.js';
import { regex } from './regex.js';
import { relevance } from './relevance.js';
import { rouge } from './rouge.js';
import { schema } from './schema.js';
import { selfHarm } from './self-harm.js';
import { sequence } from './sequence.js';
import { sexual } from './sexual.js';
import { toolCall } from './tool-call.js';
import { variableConsistency } from './variable-consistency.js';
import { violence } from './violence.js';
import { within } from './within.js';

/** Every evaluator kind. The document schema, the lint, the reference page and grading read this table. */
export const evaluators: readonly EvaluatorDefinition[] = [
  exactMatch,
  contains,
  regex,
  schema,
  toolCall,
  llmJudge,
  custom,
  f1,
  bleu,
  rouge,
  sequence,
  eventually,
  never,
  count,
  within,
  variableConsistency,
  expected,
  allOf,
  anyOf,
  noneOf,
  groundedness,
  relevance,
  coherence,
  fluency,
  hateUnfairness,
  violence,
  sexual,
  selfHarm,
];

const evaluatorByType: ReadonlyMap<string, EvaluatorDefinition> = new Map(
  evaluators.map((definition) => [definition.type, definition]),
);

/** The row of a kind, null when there is none. */
export function findEvaluator(type: string): EvaluatorDefinition | null {
  return evaluatorByType.get(type) ?? null;
}
