import type { Evaluation, Step } from '../../model/document.js';
import type { LocatedSession } from './check-session.js';
import { placeOfEvaluation, placesOfStep, promptNames } from './places.js';
import { joinPointer } from './pointer.js';
import type { ProblemSink } from './problems.js';
import { locateText } from './tree.js';
import { findTemplates, flattenEvaluation } from './walk.js';

/** References that a run must give a value, and those that come before their capture. */
export function lintReferences(sink: ProblemSink, located: LocatedSession): void {
  const { session } = located;
  const linter: Linter = {
    sink,
    located,
    captured: new Set(),
    captureLines: new Map(
      session.steps.flatMap((step) =>
        step.capture.map(({ name }): [string, number] => [name, step.position.line]),
      ),
    ),
    needed: new Set(),
  };
  for (const step of session.steps) lintStep(linter, step);
  for (const rule of session.evaluations.flatMap(flattenEvaluation)) lintRule(linter, rule);
}

interface Linter {
  readonly sink: ProblemSink;
  readonly located: LocatedSession;
  readonly captured: Set<string>;
  readonly captureLines: ReadonlyMap<string, number>;
  /** Names that were told to need a value. */
  readonly needed: Set<string>;
}

function lintStep(linter: Linter, step: Step): void {
  const own = step.capture.map(({ name }) => name);
  for (const { key, value } of placesOfStep(step)) {
    for (const { pointer, template } of findTemplates(value)) {
      const offsetOf = locateReferences(linter, joinPointer(step.rule, key) + pointer);
      for (const { name, offset } of template.references) {
        if (key === 'capture' || !own.includes(name)) lintReference(linter, name, offsetOf(offset));
      }
    }
  }
  for (const name of own) linter.captured.add(name);
  for (const rule of step.evaluations.flatMap(flattenEvaluation)) lintRule(linter, rule);
}

function lintRule(linter: Linter, rule: Evaluation): void {
  for (const { pointer, template } of findTemplates(placeOfEvaluation(rule).value)) {
    const offsetOf = locateReferences(linter, rule.rule + pointer);
    for (const { name, offset } of template.references) {
      if (pointer === '/prompt' && promptNames.has(name)) continue;
      lintReference(linter, name, offsetOf(offset));
    }
  }
}

function locateReferences({ sink, located }: Linter, pointer: string): (index: number) => number {
  return locateText(sink.source.text, located.locate(pointer));
}

function lintReference(linter: Linter, name: string, offset: number): void {
  const { sink, located, captured } = linter;
  const { dataset } = located.session;
  if (dataset !== null && name.startsWith(`${dataset.id}.`)) return;
  const parts = name.split('.');
  if (parts.some((_, count) => captured.has(parts.slice(0, count + 1).join('.')))) return;
  const later = linter.captureLines.get(name);
  if (later !== undefined) {
    const message = `{{${name}}} is used before its capture in line ${later}`;
    sink.add('reference-too-early', offset, message, 'capture it in an earlier behavior');
    return;
  }
  if (linter.needed.has(name)) return;
  linter.needed.add(name);
  const close = sink.suggest(name, captured);
  if (close !== null) {
    const message = `no behavior captures {{${name}}}`;
    sink.add('misspelt-word', offset, message, `did you mean {{${close}}}?`);
    return;
  }
  const message = `{{${name}}} must be given when grading`;
  sink.add('needs-variable', offset, message, `with --var ${name}=…, ABS_VAR_${name} or a dataset`);
}
