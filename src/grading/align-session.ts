import type { BoundSession } from '../documents/abs/bound-session.js';
import { hasHoles, type ObservedCapture } from '../documents/abs/holes.js';
import type { Behavior, Unit } from '../model/behavior.js';
import type { UnitEvidence, VariableFact } from '../model/evaluator.js';
import { jsonEquals } from '../util/json-text.js';
import { alignSteps } from './align-steps.js';
import { annotateBehaviors } from './annotate.js';
import { fillSteps } from './fill-steps.js';
import type { FitOptions } from './fit.js';
import { type CaptureReading, readCaptures } from './read-captures.js';
import { readVariables } from './read-variables.js';
import { type AlignedStep, stateSteps } from './step-facts.js';

/** A unit seen with the eyes of one session: what its rules are evaluated on. */
export interface AlignedUnit {
  /** With the acts and ids of the steps that matched them. */
  readonly behaviors: readonly Behavior[];
  readonly steps: readonly AlignedStep[];
  readonly variables: ReadonlyMap<string, VariableFact>;
  /** Values of the captures that read the trace. */
  readonly observedCapture: ObservedCapture;
}

/**
 * Aligns the steps of a session with a unit and reads captures and variables.
 *
 * A value that is captured by `{pattern}` or `{path}` is known only once its step is aligned. Until then
 * it fits anything; then it is put where it is used and everything is aligned again, until the captures
 * stay the same. Each round can settle one more capture, so their number bounds the rounds.
 */
export function alignSession(
  bound: BoundSession,
  unit: Unit,
  evidence: UnitEvidence,
  options: FitOptions,
): AlignedUnit {
  let steps = bound.steps;
  let captures: readonly CaptureReading[] = [];
  const isOpen = bound.steps.some((step) => hasHoles(step.uses));
  const rounds = isOpen ? bound.steps.filter((step) => step.capture.length > 0).length + 1 : 1;
  let facts: readonly AlignedStep[] = [];
  for (let round = 0; round < rounds; round++) {
    facts = stateSteps(alignSteps(steps, unit.behaviors, options), evidence, options);
    const read = readCaptures(bound, facts);
    const isStable = round > 0 && areSame(read, captures);
    captures = read;
    if (isStable) break;
    if (isOpen) steps = fillSteps(bound.steps, createLookup(bound, captures));
  }
  const behaviors = annotateBehaviors(unit.behaviors, facts);
  return {
    behaviors,
    steps: facts.map((fact) => withAnnotation(fact, behaviors)),
    variables: readVariables(facts, captures),
    observedCapture: createLookup(bound, captures),
  };
}

function withAnnotation(fact: AlignedStep, behaviors: readonly Behavior[]): AlignedStep {
  const behavior =
    fact.behavior === null ? null : (behaviors[fact.behavior.index] ?? fact.behavior);
  return { ...fact, behavior };
}

function createLookup(bound: BoundSession, captures: readonly CaptureReading[]): ObservedCapture {
  return (step, variable) => {
    const isLiteral = bound.steps[step]?.capture.some(
      ({ name, kind }) => name === variable && kind === 'literal',
    );
    // A declared literal is what references stand for, whatever was observed (semantics A19).
    if (isLiteral) return undefined;
    const reading = captures.find((other) => other.step === step && other.name === variable);
    return reading?.observed.kind === 'read' ? reading.observed.value : undefined;
  };
}

function areSame(left: readonly CaptureReading[], right: readonly CaptureReading[]): boolean {
  return left.every(({ observed }, index) => {
    const other = right[index]?.observed;
    if (observed.kind !== 'read' || other?.kind !== 'read') return observed.kind === other?.kind;
    return jsonEquals(observed.value, other.value);
  });
}
