import { createProblem } from '../errors.js';
import { findEvaluator } from '../evaluators/index.js';
import type { AdapterTable } from '../judges/adapters.js';
import type { Evaluation } from '../model/document.js';
import type { Problem } from '../model/problem.js';
import { findClosest, joinWords } from '../util/text.js';
import type { LoadedSession } from './load-sessions.js';

/**
 * Rules that name a judge that is not configured (statement 120): errors of the document, told before
 * anything is graded. Where no judge is configured at all, such rules are inconclusive (semantics A39).
 */
export function findUnknownJudges(
  sessions: readonly LoadedSession[],
  adapters: AdapterTable,
): readonly Problem[] {
  return sessions.flatMap(({ session }) => {
    const rules = [...session.evaluations, ...session.steps.flatMap((step) => step.evaluations)];
    return rules.flatMap(withInner).flatMap((rule): readonly Problem[] => {
      const { adapter: name, type } = rule;
      if (name === null || findEvaluator(type)?.family !== 'judge') return [];
      if (adapters.names.includes(name)) return [];
      const near = findClosest(name, adapters.names);
      const hint =
        near === null ? `configured: ${joinWords(adapters.names)}` : `did you mean ${near}?`;
      return [{ ...createProblem('adapter-unknown', { name, hint }), position: rule.position }];
    });
  });
}

function withInner(rule: Evaluation): readonly Evaluation[] {
  return [rule, ...rule.children.flatMap(withInner)];
}
