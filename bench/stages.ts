import { groupUnits } from '../src/behaviors/group-units.js';
import { reconstructUnit } from '../src/behaviors/reconstruct-unit.js';
import { dialects } from '../src/dialects/index.js';
import { bindSession } from '../src/documents/abs/bind.js';
import { noBindings } from '../src/documents/abs/bindings.js';
import type { BoundSession } from '../src/documents/abs/bound-session.js';
import { parseAbs } from '../src/documents/abs/parse.js';
import { evaluators } from '../src/evaluators/index.js';
import { gradeUnit } from '../src/grading/grade-unit.js';
import type { Unit } from '../src/model/behavior.js';
import type { Span } from '../src/model/span.js';
import type { SpanBatch } from '../src/otlp/span-batch.js';

/** The Behaviors of every trace of a request, as `grade --unit trace` makes them. */
export function reconstructTraces(batch: SpanBatch): readonly Unit[] {
  const traces = new Map<string, Span[]>();
  for (const span of batch) {
    const spans = traces.get(span.traceId);
    if (spans === undefined) traces.set(span.traceId, [span]);
    else spans.push(span);
  }
  const received = Array.from(traces, ([traceId, spans]) => ({ traceId, spans }));
  return groupUnits(received, 'trace').units.map((unit) => reconstructUnit(unit, dialects));
}

/** Every unit graded by ten chain rules; answers with the number of rules decided. */
export function gradeTenRules(units: readonly Unit[]): number {
  let decided = 0;
  for (const unit of units) decided += gradeUnit(unit, tenRules).evaluations.length;
  return decided;
}

const calls = (target: string) => `{actor: assistant, action: calls, target: ${target}}`;

const tenRules = bind(`
session: ten rules
abs_version: "0.2"
behaviors:
  - {actor: user, action: says}
evaluations:
  - {type: never, match: {actor: assistant, action: hands_off}}
  - {type: never, match: ${calls('delete_account')}}
  - {type: count, match: ${calls('search')}, max: 1000}
  - {type: count, match: ${calls('lookup')}, max: 1000}
  - {type: eventually, match: {actor: assistant, action: responds}}
  - {type: eventually, match: {actor: tool, action: responds}}
  - {type: sequence, order: [{actor: user}, ${calls('search')}]}
  - {type: sequence, order: [${calls('search')}, ${calls('lookup')}]}
  - {type: within, after: {actor: user}, match: {actor: assistant}, max_steps: 3}
  - {type: within, after: ${calls('search')}, match: {actor: tool}, max_steps: 3}
`);

function bind(document: string): BoundSession {
  const { sessions, problems } = parseAbs(document, 'bench.abs.yaml', evaluators);
  const [session] = sessions;
  const bound = session && bindSession(session, noBindings);
  if (!bound?.ok) throw new Error(problems.map(({ message }) => message).join('\n'));
  return bound.value;
}
