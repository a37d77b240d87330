import type { BoundStep, Use } from '../documents/abs/bound-session.js';
import { equalsAroundHoles } from '../documents/abs/holes.js';
import { joinPointer } from '../documents/abs/pointer.js';
import { unifyTemplate } from '../documents/abs/unify-template.js';
import { type ActionCategory, categoryOfStep } from '../documents/abs/vocabulary.js';
import { matchArguments } from '../evaluators/arguments.js';
import { containsText } from '../evaluators/contains.js';
import { contentText, readContent, type SeenContent } from '../evaluators/content.js';
import { quoteValue } from '../evaluators/describe.js';
import { hasTarget, isMessage, isUnclassifiedMessage } from '../evaluators/selector.js';
import type { Behavior } from '../model/behavior.js';
import type { Judge } from '../model/evaluator.js';
import type { VerdictCode } from '../model/verdict.js';
import { categoryOf } from '../model/vocabulary.js';
import type { JsonValue } from '../util/json.js';
import { parseJson } from '../util/json-parse.js';
import { compilePattern } from '../util/pattern.js';
import { joinWords, valueText } from '../util/text.js';
import { findStructureFault } from './structure.js';

/** How steps are compared with what was observed. */
export interface FitOptions {
  /** `ignore`: what a user said in a free replay need not be what the document says (semantics A13). */
  readonly userMatch: 'template' | 'ignore';
  readonly judge: Judge | null;
}

/**
 * Whether a Behavior may be what a step declares (semantics part 3). `misfit` tells the predicate that
 * failed; a greater rank came nearer. `unknown`: what would decide was not recorded.
 */
export type Fit =
  | { readonly kind: 'fits'; readonly weight: number }
  | {
      readonly kind: 'unknown';
      readonly failed: string;
      readonly detail: string;
      readonly code: VerdictCode;
    }
  | Misfit;

export interface Misfit {
  readonly kind: 'misfit';
  readonly failed: string;
  readonly detail: string;
  readonly rank: number;
  /** Arguments that differ, where only arguments do. */
  readonly differing: readonly string[];
}

type Check = { readonly kind: 'good'; readonly bonus: number } | Exclude<Fit, { kind: 'fits' }>;

const good: Check = { kind: 'good', bonus: 0 };

/**
 * Compares a step with a Behavior of its actor. Weight: 1, and 4 for the same act, 4 for the target, 3 for
 * arguments, 2 for structured content, 1 for the declared text, 4 for a stated id that is the step's.
 * Evaluations play no part, or failures would hide (A21).
 */
export function fitStep(step: BoundStep, behavior: Behavior, options: FitOptions): Fit {
  let weight = 1;
  let unknown: Fit | null = null;
  for (const check of checks) {
    const result = check(step, behavior, options);
    if (result.kind === 'misfit') return result;
    if (result.kind === 'unknown') unknown ??= result;
    else weight += result.bonus;
  }
  if (unknown !== null) return unknown;
  const isClaimed = step.id !== null && behavior.id === step.id;
  return { kind: 'fits', weight: weight + (isClaimed ? 4 : 0) };
}

const checks = [checkAct, checkTarget, checkCondition, checkArguments, checkContent];

/** The act, or one of its category; `matches_when` stands in its place (statements 67, 84). */
function checkAct(step: BoundStep, behavior: Behavior): Check {
  if (behavior.acts.includes(step.action)) return { kind: 'good', bonus: 4 };
  if (step.matchesWhen !== null || isSameCategory(step, behavior)) return good;
  return misfit('action', `action was ${joinWords(behavior.acts, 'and')}`, 1);
}

function isSameCategory(step: BoundStep, behavior: Behavior): boolean {
  const category = categoryOfStep(step);
  if (category === null) return step.target === (behavior.target ?? null);
  if (category === 'interaction' && behavior.actor === 'user' && isUnclassifiedMessage(behavior)) {
    return true;
  }
  return behavior.acts.some((act) => categoryOfAct(act, behavior) === category);
}

/** The category of an observed act; of a custom one by what it carries (semantics A50). */
export function categoryOfAct(act: string, behavior: Behavior): ActionCategory | null {
  return (
    categoryOf(act) ??
    categoryOfStep({
      action: act,
      target: behavior.target ?? null,
      content: behavior.content,
      with: behavior.with ?? null,
      withOnly: null,
    })
  );
}

/** The target; that of a message is compared only where the trace has a recipient (semantics A7). */
function checkTarget(step: BoundStep, behavior: Behavior): Check {
  if (step.target === null || isHole(step.uses, 'target', '')) return good;
  if (behavior.target === undefined && isMessage(behavior)) return good;
  if (hasTarget(behavior, step.target)) return { kind: 'good', bonus: 4 };
  const was = behavior.target === undefined ? 'nothing' : JSON.stringify(behavior.target);
  return misfit('target', `target was ${was}, expected ${JSON.stringify(step.target)}`, 2);
}

/** `matches_when` on the text of the content (statement 85, semantics A27). */
function checkCondition(step: BoundStep, behavior: Behavior, { judge }: FitOptions): Check {
  const condition = step.matchesWhen;
  if (condition === null) return good;
  const seen = readContent(behavior);
  if (seen.kind === 'none') return misfit('matches_when', 'it has no content', 3);
  if (seen.kind === 'missing') return notSeen('matches_when', seen);
  const text = contentText(seen.value);
  switch (condition.kind) {
    case 'contains': {
      if (containsText(text, contentText(condition.value))) return good;
      return notFound(seen, `does not contain ${quoteValue(condition.value)}`);
    }
    case 'regex': {
      const compiled = compilePattern(condition.pattern);
      if (!compiled.ok) return misfit('matches_when', compiled.message, 3);
      return compiled.pattern.test(text)
        ? good
        : notFound(seen, `does not match /${condition.pattern}/`);
    }
    case 'llm_judge':
      return askJudge(condition.criteria, text, step.observed ?? [], judge);
  }
}

function notFound(seen: Extract<SeenContent, { kind: 'whole' | 'cut' }>, problem: string): Check {
  if (seen.kind === 'whole') {
    return misfit('matches_when', `${quoteValue(seen.value)} ${problem}`, 3);
  }
  return {
    kind: 'unknown',
    failed: 'matches_when',
    code: 'evidence_truncated',
    detail: `the part of its content that was kept ${problem}`,
  };
}

function askJudge(
  criteria: string,
  response: string,
  observed: readonly JsonValue[],
  judge: Judge | null,
): Check {
  const failed = 'matches_when';
  if (judge === null) {
    const detail = 'matches_when needs a judge: configure one under `adapters:` in retrial.yaml';
    return { kind: 'unknown', failed, code: 'adapter.not_configured', detail };
  }
  const answer = judge.answer({
    type: 'matches_when',
    adapter: null,
    criteria,
    prompt: null,
    dataset: null,
    query: null,
    context: null,
    response,
    observed: observed.map(valueText),
    fields: {},
  });
  if (answer.kind === 'unanswered') {
    return { kind: 'unknown', failed, code: answer.code, detail: answer.reason };
  }
  return (answer.passed ?? answer.score >= 0.5) ? good : misfit(failed, answer.reason, 3);
}

/** `with` and `with_only` (statements 69, 70). Keys whose value is still to be captured fit any value. */
function checkArguments(step: BoundStep, behavior: Behavior): Check {
  const values = step.withOnly ?? step.with;
  if (values === null) return good;
  const place = step.withOnly === null ? 'with' : 'with_only';
  const uses = step.uses.filter((use) => use.place === place);
  const match = matchArguments(
    { values, only: step.withOnly !== null },
    behavior,
    (key, left, right) => equalsAroundHoles(left, right, uses, joinPointer('', key)),
  );
  if (match.certainty === 'yes')
    return { kind: 'good', bonus: Object.keys(values).length > 0 ? 3 : 0 };
  if (match.certainty === 'unknown') {
    return {
      kind: 'unknown',
      failed: 'with',
      code: match.code ?? 'evidence_missing',
      detail: match.detail,
    };
  }
  const share = match.differing.length / (Object.keys(values).length + match.differing.length);
  return { ...misfit('with', match.detail, 4 - share), differing: match.differing };
}

/**
 * Declared content. A user's text is a template that must fit (A13); structured content must be compatible
 * (A24); any other text need not be equal.
 */
function checkContent(step: BoundStep, behavior: Behavior, { userMatch }: FitOptions): Check {
  const declared = step.content;
  if (declared === undefined || step.matchesWhen !== null) return good;
  const isText = typeof declared === 'string';
  if (step.actor === 'user' && userMatch === 'ignore') return good;
  const isUserText = step.actor === 'user' && (isText || typeof declared !== 'object');
  const seen = readContent(behavior);
  if (isText && !isUserText) {
    const isEqual = seen.kind === 'whole' && contentText(seen.value) === declared;
    return isEqual ? { kind: 'good', bonus: 1 } : good;
  }
  if (seen.kind === 'none') return misfit('content', 'it has no content', 3);
  if (seen.kind === 'missing') return notSeen('content', seen);
  const result = isUserText
    ? checkUserText(step, declared, contentText(seen.value))
    : checkStructure(step, declared, seen.value);
  if (result.kind !== 'misfit' || seen.kind === 'whole') return result;
  return {
    kind: 'unknown',
    failed: result.failed,
    code: 'evidence_truncated',
    detail: result.detail,
  };
}

function checkUserText(step: BoundStep, declared: JsonValue, observed: string): Check {
  const uses = step.uses.filter((use) => use.place === 'content');
  const template = uses[0]?.template ?? { text: contentText(declared), references: [] };
  const unified = unifyTemplate(template, observed, knownValues(step, uses));
  if (!unified.ok) return misfit('content', unified.detail, 3);
  return { kind: 'good', bonus: observed === contentText(declared) ? 1 : 0 };
}

/** Values that must stand in the text; what the step itself captures is read from it instead. */
function knownValues(step: BoundStep, uses: readonly Use[]): ReadonlyMap<string, JsonValue> {
  return new Map(
    uses.flatMap((use): [string, JsonValue][] => {
      const isOwn = use.source.kind === 'capture' && use.source.step === step.index;
      return use.value === undefined || isOwn ? [] : [[use.reference, use.value]];
    }),
  );
}

function checkStructure(step: BoundStep, declared: JsonValue, observed: JsonValue): Check {
  const parsed = typeof observed === 'string' ? parseJson(observed) : null;
  const value = parsed?.ok ? parsed.value : observed;
  const fault = findStructureFault(declared, value, (path) => isHole(step.uses, 'content', path));
  return fault === null ? { kind: 'good', bonus: 2 } : misfit('structure', fault.detail, 3);
}

function isHole(uses: readonly Use[], place: Use['place'], path: string): boolean {
  return uses.some((use) => use.place === place && use.path === path && use.value === undefined);
}

function misfit(failed: string, detail: string, rank: number): Misfit {
  return { kind: 'misfit', failed, detail, rank, differing: [] };
}

function notSeen(failed: string, seen: Extract<SeenContent, { kind: 'missing' }>): Check {
  return { kind: 'unknown', failed, code: seen.code, detail: seen.reason };
}
