/** Grading beside a bare loop over the same Behaviors, all figures of one run, in CPU time. */
import { bindSession } from '../src/documents/abs/bind.js';
import { noBindings } from '../src/documents/abs/bindings.js';
import type { BoundSession } from '../src/documents/abs/bound-session.js';
import { parseAbs } from '../src/documents/abs/parse.js';
import { evaluators } from '../src/evaluators/index.js';
import { alignSteps } from '../src/grading/align-steps.js';
import { gradeUnit } from '../src/grading/grade-unit.js';
import type { Behavior, Unit } from '../src/model/behavior.js';
import { measure, medianRatio, type Variant } from './measure.js';

const tools = ['Orders API', 'Refund API', 'Stock API', 'Mail API', 'Search API'];

/** A unit of turns: the user speaks, the assistant calls tools and answers. */
function createUnit(length: number): Unit {
  const behaviors: Behavior[] = [];
  for (let index = 0; index < length; index++) behaviors.push(createBehavior(index));
  return {
    id: 'bench',
    kind: 'trace',
    traceIds: ['bench'],
    behaviors,
    losses: [],
    complete: true,
    sources: [],
    labels: {},
    isAgentTrace: true,
  };
}

/** Each kind is one plain literal, as reading objects of many shapes would hide everything else. */
function createBehavior(index: number): Behavior {
  const inTurn = index % 12;
  const at = BigInt(index) * 1_000_000n;
  const endAt = at + 1n;
  const spans = [{ traceId: 'bench', spanId: index.toString(16).padStart(16, '0') }];
  const evidence = {
    act: 'base',
    spans,
    content: 'present',
    with: 'present',
    origin: 'output',
  } as const;
  if (inTurn === 0) {
    const content = `Where is order ${index}?`;
    return { index, actor: 'user', action: 'says', acts: ['says'], content, at, endAt, evidence };
  }
  const actor = 'assistant';
  if (inTurn === 11) {
    const content = `Order ${index} is on its way.`;
    return { index, actor, action: 'responds', acts: ['responds'], content, at, endAt, evidence };
  }
  const target = tools[(index >> 1) % tools.length] ?? '';
  const callId = `call_${index >> 1}`;
  if (inTurn % 2 === 1) {
    const args = { id: index };
    const acts = ['calls'];
    return { index, actor, action: 'calls', acts, target, with: args, callId, at, endAt, evidence };
  }
  const acts = ['responds'];
  const content = { status: 'ok' };
  const said = { index, actor: 'tool', action: 'responds', acts, target, content };
  return { callId, at, endAt, evidence, ...said };
}

function bind(document: string): BoundSession {
  const { sessions, problems } = parseAbs(document, 'bench.abs.yaml', evaluators);
  const [session] = sessions;
  const bound = session && bindSession(session, noBindings);
  if (!bound?.ok) throw new Error(problems.map((problem) => problem.message).join('\n'));
  return bound.value;
}

/** Twenty steps: turns of a user, three calls with their responses, and an answer. */
function twentySteps(): string {
  const turn = [
    '  - {actor: user, action: asks}',
    ...tools
      .slice(0, 3)
      .flatMap((tool) => [
        `  - {actor: assistant, action: calls, target: ${tool}}`,
        `  - {actor: tool, action: responds, target: ${tool}, content: {status: ok}}`,
      ]),
    '  - {actor: assistant, action: informs}',
  ];
  const steps = [...turn, ...turn, ...turn].slice(0, 20);
  return `session: steps\nabs_version: "0.2"\nbehaviors:\n${steps.join('\n')}\n`;
}

const chainRules = `
  - {type: never, match: {action: hands_off}}
  - {type: never, match: {action: calls, target: Delete API}}
  - {type: eventually, match: {action: calls, target: Refund API}}
  - {type: count, match: {action: calls, target: Mail API}, min: 1}
  - {type: count, match: {actor: user}, min: 1}
  - {type: sequence, order: [{action: calls, target: Orders API}, {action: calls, target: Refund API}]}
  - {type: within, after: {actor: user}, match: {actor: assistant, action: calls}, max_steps: 2}
  - {type: within, after: {actor: user}, match: {actor: assistant, action: calls}, max_steps: 2, every: true}
  - {type: expected, behavior: ask}
  - {type: variable_consistency, variable: order}
`;

const chainDocument = `session: chain
abs_version: "0.2"
behaviors:
  - {id: ask, actor: user, action: says, optional: true, capture: {order: "12"}}
  - {actor: assistant, action: calls, optional: true, target: Nothing, with: {id: "{{order}}"}}
evaluations:${chainRules}`;

function bareLoop({ behaviors }: Unit): number {
  let calls = 0;
  for (const behavior of behaviors) if (behavior.acts.includes('calls')) calls++;
  return calls;
}

const steps = bind(twentySteps());
const chain = bind(chainDocument);
const fit = { userMatch: 'template', judge: null } as const;

const variants: readonly Variant<Unit>[] = [
  { name: 'bare loop', prepare: (unit) => () => bareLoop(unit) },
  { name: 'align 20 steps', prepare: (unit) => () => alignSteps(steps.steps, unit.behaviors, fit) },
  { name: 'grade 20 steps', prepare: (unit) => () => gradeUnit(unit, steps) },
  { name: 'grade 10 chain rules', prepare: (unit) => () => gradeUnit(unit, chain) },
];

const payloads: readonly (readonly [string, readonly Unit[]])[] = [
  ['one unit of 100,000 Behaviors', [createUnit(100_000)]],
  ['500 units of 24 Behaviors', Array.from({ length: 500 }, () => createUnit(24))],
];

for (const [title, units] of payloads) {
  const behaviors = units.reduce((sum, unit) => sum + unit.behaviors.length, 0);
  process.stdout.write(`${title}\n`);
  const figures = measure(variants, units, { rounds: 5, millisecondsPerRound: 200 });
  for (const { name } of variants) {
    const title = `${name} / bare loop`;
    const ratio = medianRatio(figures, {
      id: name,
      title,
      numerator: name,
      denominator: 'bare loop',
    });
    const sorted = [...(figures.get(name) ?? [])].sort((a, b) => a - b);
    const perBehavior = ((sorted[sorted.length >> 1] ?? 0) * units.length * 1000) / behaviors;
    process.stdout.write(
      `  ${name.padEnd(24)} ${perBehavior.toFixed(0).padStart(7)} ns/Behavior ${ratio.toFixed(1).padStart(8)} x bare loop\n`,
    );
  }
}
