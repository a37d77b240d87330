import type { Session, TextPlace } from '../../model/document.js';
import type { Problem, SourcePosition } from '../../model/problem.js';
import type { JsonValue } from '../../util/json.js';
import type { Bindings } from './bindings.js';
import type { Use, UsePlace } from './bound-session.js';
import {
  createDocumentProblem,
  createSuggest,
  type DocumentProblemCode,
  maxProblems,
  type Suggest,
} from './problems.js';
import { resolveValue } from './resolve.js';
import { type Answer, type CapturedName, namesInScope } from './scope.js';
import { isWithinBounds } from './value-size.js';

/** The state of one binding: captures grow step by step, so each step sees those before it. */
export interface Binder {
  readonly session: Session;
  readonly bindings: Bindings;
  readonly captured: Map<string, CapturedName>;
  /** Lines of the first capture of each name, anywhere in the session. */
  readonly captureLines: ReadonlyMap<string, number>;
  readonly problems: Problem[];
  readonly suggest: Suggest;
}

export function createBinder(session: Session, bindings: Bindings): Binder {
  const captureLines = new Map<string, number>();
  for (const step of session.steps) {
    for (const { name } of step.capture) {
      if (!captureLines.has(name)) captureLines.set(name, step.position.line);
    }
  }
  const suggest = createSuggest();
  return { session, bindings, captured: new Map(), captureLines, problems: [], suggest };
}

/** One value of a session, and how its references are answered. */
interface Bindable {
  readonly place: UsePlace;
  readonly value: JsonValue;
  /** Of the value in the document. */
  readonly pointer: string;
  /** Where what is used is noted. */
  readonly uses: Use[];
  readonly answer: (name: string) => Answer | null;
  readonly wantsText?: (pointer: string) => boolean;
  readonly isReserved?: (pointer: string, name: string) => boolean;
}

/** The value with its references resolved; what has no value, or grows too large, is told. */
export function bindValue(binder: Binder, bindable: Bindable): JsonValue {
  const { place, value, pointer, uses, answer } = bindable;
  const usesBefore = uses.length;
  const sayTooLarge = (path: string): void => {
    const message = 'references build a value that is too large';
    const hint = 'a variable that is captured from itself grows with every step';
    say(binder, 'value-too-large', pointer + path, message, hint);
  };
  const resolved = resolveValue(
    {
      place,
      answer,
      uses,
      wantsText: bindable.wantsText ?? (() => false),
      isReserved: bindable.isReserved ?? (() => false),
      onUnresolved: (path, name) => sayUnresolved(binder, pointer + path, name),
      onTooLarge: sayTooLarge,
    },
    value,
  );
  if (uses.length === usesBefore || isWithinBounds(resolved)) return resolved;
  sayTooLarge('');
  return value;
}

function sayUnresolved(binder: Binder, pointer: string, name: string): void {
  const { row } = binder.bindings;
  const message = `{{${name}}} at ${pointer} has no value${row === null ? '' : ` (row ${row.index})`}`;
  say(binder, 'unresolved-reference', pointer, message, hintFor(binder, name));
}

function hintFor(binder: Binder, name: string): string {
  const laterLine = binder.captured.has(name) ? undefined : binder.captureLines.get(name);
  if (laterLine !== undefined) {
    return `it is captured only in line ${laterLine}; capture it before it is used`;
  }
  const close = binder.suggest(name, namesInScope(binder));
  if (close !== null) return `did you mean {{${close}}}?`;
  return `give it with --var ${name}=…, in the environment as ABS_VAR_${name}, or capture it earlier`;
}

/** Notes an error where the text of the pointer stands; where no text is known, where its step does. */
export function say(
  binder: Binder,
  code: DocumentProblemCode,
  pointer: string,
  message: string,
  hint: string,
): void {
  if (binder.problems.length >= maxProblems) return;
  binder.problems.push(createDocumentProblem(code, message, { hint, ...placeOf(binder, pointer) }));
}

function placeOf(
  { session }: Binder,
  pointer: string,
): TextPlace | { readonly position: SourcePosition } {
  const exact = session.references.get(pointer);
  if (exact !== undefined) return exact;
  const step = session.steps.find(({ rule }) => pointer.startsWith(`${rule}/`));
  return { position: step?.position ?? session.position };
}
