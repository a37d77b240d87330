import type { Behavior } from '../model/behavior.js';
import { type Completeness, lossTable } from '../model/evidence.js';
import type { Explanation, UnitExplanation } from '../model/explanation.js';
import type { JsonValue } from '../util/json.js';
import { jsonText } from '../util/json-text.js';
import { cleanLine, type Paint } from '../util/terminal.js';
import { nameUnit } from './rule-title.js';
import { describeDiagnostic } from './text.js';

/** The Behaviors of each unit for people, with where every field came from and what was lost. */
export function* renderExplanationText(explanation: Explanation, paint: Paint): Generator<string> {
  for (const unit of explanation.units) {
    for (const line of unitLines(unit, paint)) yield `${line}\n`;
  }
}

function* unitLines({ unit, diagnostics }: UnitExplanation, paint: Paint): Generator<string> {
  const state = unit.complete ? paint('green', 'complete') : paint('yellow', 'incomplete');
  const sources = unit.sources.map(cleanLine).join(', ');
  yield `${paint('bold', cleanLine(nameUnit(unit)))}  ${state}  ${paint('dim', sources)}`;
  if (unit.kind === 'conversation') yield `  traces: ${unit.traceIds.join(' ')}`;
  const startNano = unit.behaviors[0]?.at ?? 0n;
  for (const behavior of unit.behaviors) yield* behaviorLines(behavior, startNano, paint);
  for (const { kind, count, detail } of unit.losses) {
    const note = `${lossTable[kind].text} (${kind}, ${count}×): ${cleanLine(detail)}`;
    yield lossTable[kind].hides === 'nothing'
      ? paint('dim', `  note: ${note}`)
      : `  ${paint('yellow', 'loss:')} ${note}`;
  }
  for (const diagnostic of diagnostics) yield `  ${describeDiagnostic(diagnostic, paint)}`;
  yield '';
}

function* behaviorLines(behavior: Behavior, startNano: bigint, paint: Paint): Generator<string> {
  const { index, actor, action, target } = behavior;
  const subject = [actor, action, target].filter((part) => part !== undefined).map(cleanLine);
  const offset = paint('dim', `+${(Number(behavior.at - startNano) / 1e9).toFixed(3)}s`);
  yield `  ${paint('cyan', `#${index}`)} ${subject.join(' ')}  ${offset}`;
  if (behavior.with !== undefined) yield `      with ${showValue(behavior.with)}`;
  if (behavior.content !== undefined) yield `      content ${showValue(behavior.content)}`;
  yield paint('dim', `      ${provenanceOf(behavior).map(cleanLine).join('; ')}`);
}

function provenanceOf(behavior: Behavior): readonly string[] {
  const { evidence, acts, action } = behavior;
  const others = acts.filter((act) => act !== action);
  const isCall = acts.includes('calls');
  const facts = [
    `from ${evidence.origin}`,
    `span ${evidence.spans.map(({ spanId }) => spanId).join(' ')}`,
    `act ${evidence.act}${others.length > 0 ? ` (also ${others.join(', ')})` : ''}`,
    isMissing(evidence.content, !isCall) ? `content ${evidence.content}` : '',
    isMissing(evidence.with, isCall) ? `arguments ${evidence.with}` : '',
    behavior.outcome === undefined ? '' : `outcome ${behavior.outcome}`,
    behavior.callId === undefined ? '' : `call ${behavior.callId}`,
    behavior.agent === undefined ? '' : `agent ${behavior.agent}`,
    behavior.tool === undefined || behavior.tool === behavior.target
      ? ''
      : `observed as ${behavior.tool}`,
    behavior.parallel === true ? 'parallel' : '',
    evidence.inferred === undefined ? '' : `inferred: ${evidence.inferred}`,
  ];
  return facts.filter((fact) => fact !== '');
}

/** Calls have arguments and messages have content; that one lacks the other's is nothing to tell. */
function isMissing(state: Completeness, isExpected: boolean): boolean {
  return state !== 'present' && (isExpected || state !== 'absent');
}

const longestValue = 400;

function showValue(value: JsonValue): string {
  const text = cleanLine(jsonText(value));
  if (text.length <= longestValue) return text;
  return `${text.slice(0, longestValue)}… (${text.length} characters)`;
}
