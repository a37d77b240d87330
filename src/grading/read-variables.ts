import type { Use } from '../documents/abs/bound-session.js';
import { containsWord } from '../documents/abs/observe-capture.js';
import { splitPointer } from '../documents/abs/pointer.js';
import { readPath } from '../documents/abs/scope.js';
import { unifyTemplate } from '../documents/abs/unify-template.js';
import type { Behavior } from '../model/behavior.js';
import type { ObservedValue, VariableFact } from '../model/evaluator.js';
import type { JsonValue } from '../util/json.js';
import { parseJson } from '../util/json-parse.js';
import { valueText } from '../util/text.js';
import { type CaptureReading, lackOf } from './read-captures.js';
import type { AlignedStep } from './step-facts.js';

type Mutable<Fact> = { -readonly [Key in keyof Fact]: Fact[Key] };

interface Draft extends Mutable<VariableFact> {
  readonly values: ObservedValue[];
  readonly unconfirmed: { step: number; detail: string }[];
  readonly hidden: { code: VariableFact['hidden'][number]['code']; detail: string }[];
}

const usePlaces = new Set<Use['place']>(['target', 'content', 'with', 'with_only']);

/**
 * Every value that was observed of each variable (semantics A20): at its captures, and at each aligned use
 * of a reference in target, arguments and content. An unmatched step whose nearest candidate differs only
 * in arguments that hold references shows its use there.
 */
export function readVariables(
  facts: readonly AlignedStep[],
  captures: readonly CaptureReading[],
): ReadonlyMap<string, VariableFact> {
  const drafts = new Map<string, Draft>();
  const draftOf = (name: string): Draft => {
    const known = drafts.get(name);
    if (known !== undefined) return known;
    const draft = { name, values: [], declaredUses: 0, unconfirmed: [], hidden: [] };
    drafts.set(name, draft);
    return draft;
  };
  for (const capture of captures) addCapture(draftOf(capture.name), capture);
  for (const fact of facts) {
    const { uses, index } = fact.step;
    const isOwn = (use: Use) => use.source.kind === 'capture' && use.source.step === index;
    for (const use of uses) {
      if (usePlaces.has(use.place) && !isOwn(use)) addUse(draftOf(use.reference), use, fact);
    }
  }
  return drafts;
}

function addCapture(draft: Draft, { step, observed }: CaptureReading): void {
  switch (observed.kind) {
    case 'read': {
      const { value, behavior, place, inText } = observed;
      draft.values.push({ value, behavior, place, inText, kind: 'capture' });
      break;
    }
    case 'unconfirmed':
      draft.unconfirmed.push({ step, detail: observed.detail });
      break;
    case 'hidden':
      draft.hidden.push({ code: observed.code, detail: observed.detail });
      break;
    case 'none':
      break;
  }
}

function addUse(draft: Draft, use: Use, fact: AlignedStep): void {
  const { step, state } = fact;
  if (state === 'inactive' || (step.optional && state === 'unmatched')) return;
  draft.declaredUses++;
  if (state === 'undecided') {
    const detail = `whether ${use.reference} was used is not known: ${fact.reason}`;
    draft.hidden.push({ code: fact.code ?? 'evidence_missing', detail });
    return;
  }
  const behavior = fact.behavior ?? candidateOf(fact);
  if (behavior === null) return;
  const seen = readUse(use, step.uses, behavior);
  if (seen !== null) {
    draft.values.push({ ...seen, behavior: behavior.index, kind: 'use' });
    return;
  }
  const code = lackOf(behavior);
  if (code === null) return;
  draft.hidden.push({
    code,
    detail: `${use.reference} in ${use.place} of #${behavior.index} was not recorded`,
  });
}

/** The nearest candidate of an unmatched step, if it differs only where references stand. */
function candidateOf({ step, nearest, candidate }: AlignedStep): Behavior | null {
  if (nearest === null || candidate === null) return null;
  const usesAt = (place: Use['place'], path: string) =>
    step.uses.some(
      (use) => use.place === place && (use.path === path || use.path.startsWith(`${path}/`)),
    );
  if (nearest.failed === 'with') {
    const place = step.withOnly === null ? 'with' : 'with_only';
    const isExplained = nearest.differing.every((key) =>
      usesAt(place, `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
    return isExplained ? candidate : null;
  }
  if (nearest.failed !== 'content' || typeof candidate.content !== 'string') return null;
  const template = step.uses.find((use) => use.place === 'content' && use.path === '')?.template;
  const isInstance = template !== undefined && unifyTemplate(template, candidate.content).ok;
  return isInstance ? candidate : null;
}

/** The value that stands where the reference was declared; null when it does not show. */
function readUse(
  use: Use,
  uses: readonly Use[],
  behavior: Behavior,
): Pick<ObservedValue, 'value' | 'place' | 'inText'> | null {
  const { root, name } = rootOf(use, behavior);
  if (root === undefined) return null;
  const value = readPath(root, splitPointer(use.path) ?? []);
  if (value === undefined) return null;
  const place = use.path === '' ? name : `${name}${use.path.replaceAll('/', '.')}`;
  const isMessageText = use.place === 'content' && use.path === '' && typeof value === 'string';
  if (use.whole && !isMessageText) return { value, place, inText: false };
  const text = valueText(value);
  const group = readGroup(use, uses, text);
  return group === null ? null : { value: group, place, inText: true };
}

function rootOf(use: Use, behavior: Behavior): { root: JsonValue | undefined; name: string } {
  switch (use.place) {
    case 'target':
      return { root: behavior.target, name: 'target' };
    case 'with':
    case 'with_only':
      return { root: behavior.with, name: 'with' };
    default: {
      const { content } = behavior;
      const parsed = typeof content === 'string' && use.path !== '' ? parseJson(content) : null;
      return { root: parsed?.ok ? parsed.value : content, name: 'content' };
    }
  }
}

/**
 * The part of a text that stands for the reference: by its template, else the bound value as a word of the
 * text. A template that is the reference alone says nothing of a sentence.
 */
function readGroup(use: Use, uses: readonly Use[], text: string): JsonValue | null {
  const others = uses.flatMap((other): [string, JsonValue][] =>
    other.template !== use.template ||
    other.value === undefined ||
    other.reference === use.reference
      ? []
      : [[other.reference, other.value]],
  );
  const close = unifyTemplate(use.template, text, new Map(others));
  const unified = close.ok ? close : unifyTemplate(use.template, text);
  const group = unified.ok ? (unified.bindings.get(use.reference) ?? null) : null;
  const isSentence = isReferenceAlone(use) && group !== null && /\s/.test(group);
  if (group !== null && !isSentence) return group;
  return use.value !== undefined && containsWord(text, valueText(use.value)) ? use.value : null;
}

function isReferenceAlone({ template }: Use): boolean {
  const [only, more] = template.references;
  if (only === undefined || more !== undefined) return false;
  return template.text.trim() === template.text.slice(only.offset, only.end);
}
