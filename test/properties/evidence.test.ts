import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/util/json.js';
import { entryOf, gradeDocument } from '../support/grade-document.js';
import { createLoss, createUnit } from '../support/stated-unit.js';

/** Random units of messages, calls and responses whose content and arguments matter. */
const behaviors: fc.Arbitrary<readonly JsonObject[]> = fc.array(
  fc.oneof(
    fc.record({
      actor: fc.constant('assistant'),
      content: fc.constantFrom('Refund R-1 is made.', 'Which one?', 'Done.'),
    }),
    fc.record({
      actor: fc.constant('assistant'),
      action: fc.constant('calls'),
      target: fc.constantFrom('A', 'B'),
      with: fc.constantFrom({ id: 1 }, { id: 2 }, { id: 1, force: true }),
    }),
    fc.record({
      actor: fc.constant('tool'),
      action: fc.constant('responds'),
      target: fc.constantFrom('A', 'B'),
      content: fc.constantFrom({ ok: true }, { ok: 1 }),
    }),
    fc.record({ actor: fc.constant('user'), content: fc.constantFrom('Hi.', 'Thanks.') }),
  ),
  { maxLength: 6 },
);

const onNames = fc.constantFrom<JsonObject>(
  { type: 'eventually', match: { action: 'calls', target: 'A' } },
  { type: 'never', match: { action: 'calls', target: 'B' } },
  { type: 'never', match: { actor: 'assistant', action: 'asks' } },
  { type: 'count', match: { action: 'calls' }, min: 1, max: 2 },
  { type: 'sequence', order: [{ action: 'calls', target: 'A' }, { actor: 'tool' }] },
  { type: 'within', after: { actor: 'user' }, match: { actor: 'tool' }, max_steps: 9 },
);

const onValues = fc.constantFrom<JsonObject>(
  { type: 'tool_call', target: 'A', with: { id: 1 } },
  { type: 'tool_call', target: 'A', with_only: { id: 1 } },
  { type: 'contains', value: 'R-1' },
  { type: 'regex', pattern: 'made\\.$' },
  { type: 'exact_match', value: 'Done.' },
  { type: 'schema', schema: { type: 'string', maxLength: 6 } },
);

const steps: readonly JsonObject[] = [
  { actor: 'user', action: 'says', content: 'Hi.' },
  { actor: 'assistant', action: 'calls', target: 'A', with: { id: 1 } },
  { actor: 'tool', action: 'responds', target: 'A', content: { ok: true } },
];

/** The rule, and the rule turned around. */
function verdictsOf(rule: JsonObject, unit: Parameters<typeof gradeDocument>[1]) {
  const rules = [rule, { type: 'none_of', evaluations: [rule] }];
  const head = { session: 's', abs_version: '0.2', behaviors: steps };
  const report = gradeDocument(JSON.stringify({ ...head, evaluations: rules }), unit);
  const verdicts = rules.map((_, at) => entryOf(report, `/evaluations/${at}`).verdict);
  return [...verdicts, report.conformance];
}

/** What was decided on less evidence must stand on more. */
function expectNoClaimBeyond(less: readonly string[], more: readonly string[]): void {
  less.forEach((verdict, at) => {
    if (verdict === 'pass' || verdict === 'fail') expect(more[at]).toBe(verdict);
  });
}

describe('a verdict is only as strong as its evidence (design promise 2)', () => {
  it('what is decided with Behaviors missing would be decided so with all of them', () => {
    const rules = fc.oneof(
      onNames,
      onValues.filter((rule) => rule.type === 'tool_call'),
    );
    fc.assert(
      fc.property(behaviors, fc.array(fc.boolean()), rules, (all, kept, rule) => {
        const some = all.filter((_, at) => kept[at] !== false);
        const lossy = createUnit(some, { complete: false, losses: [createLoss('span_rejected')] });
        const [positive, negative] = verdictsOf(rule, lossy);
        expectNoClaimBeyond([positive ?? '', negative ?? ''], verdictsOf(rule, createUnit(all)));
      }),
      { numRuns: 300 },
    );
  });

  it('what is decided with values missing would be decided so with all of them', () => {
    const states = fc.array(fc.constantFrom('present', 'absent', 'redacted'));
    fc.assert(
      fc.property(behaviors, states, fc.oneof(onNames, onValues), (all, hidden, rule) => {
        const dimmed = all.map((behavior, at) => hide(behavior, hidden[at] ?? 'present'));
        expectNoClaimBeyond(
          verdictsOf(rule, createUnit(dimmed)),
          verdictsOf(rule, createUnit(all)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('what is decided on texts that were cut would be decided so on whole ones', () => {
    fc.assert(
      fc.property(behaviors, fc.nat(20), onValues, (all, length, rule) => {
        const cut = all.map((behavior) =>
          typeof behavior.content === 'string' && behavior.content.length > length
            ? { ...behavior, content: behavior.content.slice(0, length), contentState: 'truncated' }
            : behavior,
        );
        expectNoClaimBeyond(verdictsOf(rule, createUnit(cut)), verdictsOf(rule, createUnit(all)));
      }),
      { numRuns: 300 },
    );
  });
});

function hide(behavior: JsonObject, state: string): JsonObject {
  if (state === 'present') return behavior;
  const { content, with: args, ...rest } = behavior;
  return {
    ...rest,
    ...(content !== undefined && { contentState: state }),
    ...(args !== undefined && { withState: state }),
  };
}
