import type { Capture } from '../../model/document.js';
import type { JsonValue } from '../../util/json.js';
import { parseJson } from '../../util/json-parse.js';
import { isJsonObject } from '../../util/json-text.js';
import { compilePattern } from '../../util/pattern.js';
import { valueText } from '../../util/text.js';
import type { BoundSession } from './bound-session.js';
import { splitPointer } from './pointer.js';
import { readPath } from './scope.js';
import { parseTemplate, wholeReference } from './template.js';
import { unifyTemplate } from './unify-template.js';

/** What was seen of the Behavior that a capturing step aligned with. */
export interface ObservedPayload {
  readonly content?: JsonValue;
  readonly with?: JsonValue;
}

export type CaptureObservation =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /** Where it was read, for people: `content.orderId`, `the text`. */
      readonly place: string;
      /** Read out of text: a text and a number that read the same are equal (semantics A20). */
      readonly inText: boolean;
    }
  | { readonly ok: false; readonly detail: string };

/**
 * The value that a capture has in the trace (semantics A19). A literal is looked for as a field of its
 * name in content or arguments, then as what stands in the place of its reference in the text, then as a
 * whole word of the text. `{pattern}` reads its group, `{path}` a JSON pointer, from content, then `with`.
 */
export function observeCapture(
  bound: BoundSession,
  stepIndex: number,
  capture: Capture,
  observed: ObservedPayload,
): CaptureObservation {
  switch (capture.kind) {
    case 'path':
      return observePath(capture.path, observed);
    case 'pattern':
      return observePattern(capture.pattern, observed);
    case 'literal':
      return (
        observeField(capture.name, observed) ??
        observeInTemplate(bound, stepIndex, capture.name, observed) ??
        observeWord(capture.value, observed) ?? {
          ok: false,
          detail: `"${capture.name}" is not a field, and ${valueText(capture.value)} is not in the text`,
        }
      );
  }
}

const payloads = ['content', 'with'] as const;

/** A payload as a value: content that is the JSON text of a map or list counts as what it holds. */
function structured(payload: JsonValue | undefined): JsonValue | undefined {
  if (typeof payload !== 'string' || !/^\s*[[{]/.test(payload)) return payload;
  const parsed = parseJson(payload);
  return parsed.ok ? parsed.value : payload;
}

function observePath(path: string, observed: ObservedPayload): CaptureObservation {
  const keys = splitPointer(path) ?? [];
  for (const place of payloads) {
    const payload = structured(observed[place]);
    const value = payload === undefined ? undefined : readPath(payload, keys);
    if (value !== undefined) return { ok: true, value, place: place + path, inText: false };
  }
  return { ok: false, detail: `nothing stands at ${path} in content or with` };
}

function observePattern(source: string, observed: ObservedPayload): CaptureObservation {
  const compiled = compilePattern(source);
  for (const place of payloads) {
    const payload = observed[place];
    if (payload === undefined || !compiled.ok) continue;
    const text = valueText(payload);
    const group = compiled.pattern.test(text) ? compiled.pattern.find(text)?.[1] : undefined;
    if (typeof group === 'string') return { ok: true, value: group, place, inText: true };
  }
  return { ok: false, detail: `/${source}/ is not found in content or with` };
}

function observeField(name: string, observed: ObservedPayload): CaptureObservation | null {
  for (const place of payloads) {
    const payload = structured(observed[place]);
    if (!isJsonObject(payload) || !Object.hasOwn(payload, name)) continue;
    const value = payload[name];
    if (value !== undefined) return { ok: true, value, place: `${place}.${name}`, inText: false };
  }
  return null;
}

/** The part of the text that stands for the captured name, or for the reference it is captured from. */
function observeInTemplate(
  bound: BoundSession,
  stepIndex: number,
  name: string,
  observed: ObservedPayload,
): CaptureObservation | null {
  const declared = bound.session.steps[stepIndex];
  const text = observed.content;
  if (typeof declared?.content !== 'string' || typeof text !== 'string') return null;
  const content = parseTemplate(declared.content);
  if (!content.ok) return null;
  const source = declared.capture.find((capture) => capture.name === name);
  const written = source?.kind === 'literal' ? source.value : null;
  const captured = typeof written === 'string' ? parseTemplate(written) : null;
  const from = captured?.ok ? wholeReference(captured.template)?.name : undefined;
  const wanted = [name, from].find((candidate) =>
    content.template.references.some((reference) => reference.name === candidate),
  );
  if (wanted === undefined) return null;
  const known = (bound.steps[stepIndex]?.uses ?? []).flatMap((use): [string, JsonValue][] =>
    use.place !== 'content' || use.value === undefined || use.reference === wanted
      ? []
      : [[use.reference, use.value]],
  );
  // Other references keep their values where the text has them; else they are open too.
  const unified = unifyTemplate(content.template, text, new Map(known));
  const result = unified.ok ? unified : unifyTemplate(content.template, text);
  const value = result.ok ? result.bindings.get(wanted) : undefined;
  return value === undefined ? null : { ok: true, value, place: 'the text', inText: true };
}

/** The literal itself, as a whole word of the content or as the content. */
function observeWord(value: JsonValue, observed: ObservedPayload): CaptureObservation | null {
  for (const place of payloads) {
    const payload = observed[place];
    if (payload === undefined) continue;
    const text = valueText(payload);
    if (text === valueText(value) || containsWord(text, valueText(value))) {
      return { ok: true, value, place: place === 'content' ? 'the text' : 'with', inText: true };
    }
  }
  return null;
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** Whether the word stands in the text and no letter, digit or "_" continues it on either side. */
export function containsWord(text: string, word: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isOpen = !continues(text.slice(Math.max(0, at - 2), at), word, 'before');
    if (isOpen && !continues(text.slice(at + word.length, at + word.length + 2), word, 'after')) {
      return true;
    }
  }
  return false;
}

function continues(neighbour: string, word: string, side: 'before' | 'after'): boolean {
  const outer = side === 'before' ? [...neighbour].at(-1) : [...neighbour][0];
  const inner = side === 'before' ? [...word][0] : [...word].at(-1);
  if (outer === undefined || inner === undefined) return false;
  return wordCharacter.test(outer) && wordCharacter.test(inner);
}
