import {
  type BehaviorOptions,
  defaultBehaviorOptions,
} from '../../src/behaviors/behavior-options.js';
import { reconstructUnit } from '../../src/behaviors/reconstruct-unit.js';
import type { Behavior, Unit } from '../../src/model/behavior.js';
import type { Span } from '../../src/model/span.js';
import { canonicalJson } from '../../src/util/json-text.js';
import { type RecordedSpan, type Recording, record } from './facts.js';
import type { Step } from './simulator/conversation.js';

/** All traces of a recording as one conversation. */
export function rebuild(
  { spans, dialects }: Recording,
  options: Partial<BehaviorOptions> = {},
): Unit {
  const byTrace = new Map<string, Span[]>();
  for (const span of spans) {
    const known = byTrace.get(span.traceId);
    if (known === undefined) byTrace.set(span.traceId, [span]);
    else known.push(span);
  }
  const traces = [...byTrace].map(([traceId, own]) => ({ traceId, spans: own }));
  const unit = { id: 'test', kind: 'conversation', traces } as const;
  return reconstructUnit(unit, dialects, { ...defaultBehaviorOptions, ...options });
}

export function rebuildSpans(
  recorded: readonly RecordedSpan[],
  options?: Partial<BehaviorOptions>,
): Unit {
  return rebuild(record(recorded), options);
}

/** What was said and done, one line each: `assistant calls get_order with {"id":1}`. */
export function describe(unit: Unit): readonly string[] {
  return unit.behaviors.map(describeStep);
}

export function describeSteps(steps: readonly (Step | Behavior)[]): string {
  return steps.map(describeStep).join('\n');
}

function describeStep({ actor, action, target, content, with: args }: Step | Behavior): string {
  const words = [actor, action];
  if (target !== undefined) words.push(target);
  if (args !== undefined) words.push(`with ${canonicalJson(args)}`);
  if (content !== undefined) words.push(canonicalJson(content));
  return words.join(' ');
}

/** Kinds of the losses with their counts: `superseded 2`. */
export function describeLosses(unit: Unit): readonly string[] {
  return unit.losses.map(({ kind, count }) => `${kind} ${count}`);
}
