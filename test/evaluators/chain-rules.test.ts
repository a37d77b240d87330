import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/util/json.js';
import { gradeRule } from '../support/session-rule.js';
import { createLoss, createUnit } from '../support/stated-unit.js';

const call = (target: string, more: JsonObject = {}): JsonObject => ({
  actor: 'assistant',
  action: 'calls',
  target,
  with: {},
  ...more,
});
const message = (content: string): JsonObject => ({ actor: 'assistant', content });
const lossy = (behaviors: readonly JsonObject[]) =>
  createUnit(behaviors, { complete: false, losses: [createLoss('orphan_span')] });

const isCall = (target: string) => ({ action: 'calls', target });
const asks = { actor: 'assistant', action: 'asks' };

function verdictOf(rule: JsonObject, observed: Parameters<typeof gradeRule>[1]) {
  const { verdict, code } = gradeRule(rule, observed);
  return [verdict, code];
}

describe('never', () => {
  const rule = { type: 'never', match: isCall('Delete') };

  it('fails on a match, whatever is missing, and names it', () => {
    for (const observed of [[call('Delete')], lossy([call('Delete')])]) {
      const entry = gradeRule(rule, observed);
      expect(entry.verdict).toBe('fail');
      expect(entry.reason).toBe('observed #0 assistant calls "Delete"');
      expect(entry.witness.map(({ behavior }) => behavior)).toEqual([0]);
    }
  });

  it('passes without one only where nothing can be missing', () => {
    expect(verdictOf(rule, [call('Read')])).toEqual(['pass', null]);
    expect(verdictOf(rule, lossy([call('Read')]))).toEqual(['inconclusive', 'trace_incomplete']);
  });

  it('is not weakened by values that a rule on names does not read', () => {
    const hidden = [
      call('Read', { withState: 'redacted' }),
      { actor: 'user', contentState: 'absent' },
    ];
    const unit = createUnit(hidden, {
      complete: false,
      losses: [createLoss('value_redacted'), createLoss('content_not_captured')],
    });
    expect(verdictOf(rule, unit)).toEqual(['pass', null]);
  });

  it('does not take a message of unknown act for innocent, and says how to settle it', () => {
    const entry = gradeRule({ type: 'never', match: asks }, [
      message('Which one?'),
      message('Well?'),
    ]);
    expect(entry.verdict).toBe('inconclusive');
    expect(entry.code).toBe('unclassified_message');
    expect(entry.reason).toContain('#0 assistant responds "Which one?" (and 1 more)');
    expect(entry.reason).toMatch(/matches_when.*classify/);
    expect(entry.witness.map(({ behavior }) => behavior)).toEqual([0]);
  });

  it('knows a message by its base act', () => {
    const rule = { type: 'never', match: { actor: 'assistant', action: 'responds' } };
    expect(verdictOf(rule, [message('Hi.')])).toEqual(['fail', null]);
  });

  it('a text that names a tool is no call, and no message is ever a hand-off', () => {
    const said = [message('I call Delete now and hand off to a human.'), call('Read')];
    expect(verdictOf(rule, said)).toEqual(['pass', null]);
    expect(verdictOf({ type: 'never', match: { action: 'hands_off' } }, said)).toEqual([
      'pass',
      null,
    ]);
  });

  it('cannot speak of hand-offs where nothing shows any call (semantics A3)', () => {
    const rule = { type: 'never', match: { action: 'hands_off' } };
    expect(verdictOf(rule, [message('Bye.')])).toEqual(['inconclusive', 'evidence_missing']);
    const stated = [{ actor: 'assistant', action: 'informs', content: 'Bye.' }];
    expect(verdictOf(rule, stated)).toEqual(['pass', null]);
  });

  it('finds a call by its own name where an alias stands before it', () => {
    const aliased = call('Orders API', { tool: 'get_order' });
    expect(verdictOf({ type: 'never', match: isCall('get_order') }, [aliased])[0]).toBe('fail');
    expect(verdictOf({ type: 'never', match: isCall('Orders API') }, [aliased])[0]).toBe('fail');
  });

  it('is not fooled by tool names that look like the separators of an index', () => {
    const spoof = call('x\u0000calls\u0000Delete');
    expect(verdictOf(rule, [spoof])[0]).toBe('pass');
    expect(verdictOf(rule, [spoof, call('Delete')])[0]).toBe('fail');
  });
});

describe('eventually', () => {
  const rule = { type: 'eventually', match: isCall('Refund') };

  it('passes on a match, whatever is missing', () => {
    expect(verdictOf(rule, lossy([call('Refund')]))).toEqual(['pass', null]);
  });

  it('fails without one only where nothing can be missing', () => {
    expect(verdictOf(rule, [call('Refunds')])).toEqual(['fail', null]);
    expect(verdictOf(rule, lossy([]))).toEqual(['inconclusive', 'trace_incomplete']);
  });

  it('shows what came nearest', () => {
    expect(gradeRule(rule, [call('Read'), { actor: 'user' }]).nearest).toEqual({
      behavior: 0,
      failed: 'target',
      detail: 'target was "Read"',
    });
  });

  it('does not fail for messages where content was not captured and none shows', () => {
    const said = { type: 'eventually', match: { actor: 'assistant', action: 'responds' } };
    const unit = createUnit([call('A')], { losses: [createLoss('content_not_captured')] });
    expect(verdictOf(said, unit)).toEqual(['inconclusive', 'evidence_missing']);
    expect(verdictOf(rule, unit)).toEqual(['fail', null]);
  });
});

describe('count', () => {
  const count = (bounds: JsonObject, match: JsonObject = isCall('A')) => ({
    type: 'count',
    match,
    ...bounds,
  });

  it.each([
    [1, { max: 1 }, 'pass'],
    [2, { max: 1 }, 'fail'],
    [0, { min: 1 }, 'fail'],
    [1, { min: 1 }, 'pass'],
    [2, { min: 1, max: 3 }, 'pass'],
    [0, { max: 0 }, 'pass'],
    [1, { max: 0 }, 'fail'],
  ])('%i times against %o: %s', (times, bounds, verdict) => {
    const behaviors = Array.from({ length: times }, () => call('A'));
    expect(verdictOf(count(bounds), behaviors)).toEqual([verdict, null]);
  });

  it.each([
    [2, { max: 1 }, 'fail'],
    [1, { max: 1 }, 'inconclusive'],
    [1, { min: 1 }, 'pass'],
    [0, { min: 1 }, 'inconclusive'],
    [1, { min: 1, max: 5 }, 'inconclusive'],
  ])('%i times against %o where Behaviors may be missing: %s', (times, bounds, verdict) => {
    const behaviors = Array.from({ length: times }, () => call('A'));
    expect(verdictOf(count(bounds), lossy(behaviors))[0]).toBe(verdict);
  });

  it('a message of unknown act counts only where it could change the verdict', () => {
    const behaviors = [message('Which?'), { actor: 'assistant', action: 'asks', content: 'When?' }];
    expect(verdictOf(count({ max: 1 }, asks), behaviors)).toEqual([
      'inconclusive',
      'unclassified_message',
    ]);
    expect(verdictOf(count({ max: 2 }, asks), behaviors)).toEqual(['pass', null]);
    expect(verdictOf(count({ min: 1 }, asks), behaviors)).toEqual(['pass', null]);
    expect(verdictOf(count({ min: 2 }, asks), behaviors)[0]).toBe('inconclusive');
    expect(verdictOf(count({ min: 3 }, asks), behaviors)).toEqual(['fail', null]);
  });
});

describe('sequence', () => {
  const sequence = (...order: JsonObject[]) => ({ type: 'sequence', order });
  const twoCalls = sequence(isCall('A'), isCall('B'));
  const inStep = (target: string) => call(target, { parallel: true, step: 1 });

  it('tells that the missing step came earlier, and how much', () => {
    const entry = gradeRule(twoCalls, [call('B'), call('C'), call('A')]);
    expect(entry.verdict).toBe('fail');
    expect(entry.reason).toContain('step 2 of 2, `calls "B"`, was not observed after #2');
    expect(entry.nearest).toEqual({
      behavior: 0,
      failed: 'order',
      detail: '#0 assistant calls "B" came 2 s before #2 assistant calls "A"',
    });
  });

  it('needs a Behavior of its own for each selector', () => {
    expect(verdictOf(sequence(isCall('A'), isCall('A')), [call('A')])[0]).toBe('fail');
    expect(verdictOf(sequence(isCall('A'), isCall('A')), [call('A'), call('A')])[0]).toBe('pass');
  });

  it('is open where a missing Behavior or an unknown act could complete it', () => {
    expect(verdictOf(twoCalls, lossy([call('A')]))).toEqual(['inconclusive', 'trace_incomplete']);
    const asked = sequence(isCall('A'), asks);
    expect(verdictOf(asked, [call('A'), message('And?')])).toEqual([
      'inconclusive',
      'unclassified_message',
    ]);
    expect(verdictOf(asked, [message('And?'), call('A')])).toEqual(['fail', null]);
  });

  it('says that calls of one model step stand in the order the model wrote them', () => {
    const entry = gradeRule(twoCalls, [inStep('A'), inStep('B')]);
    expect(entry.verdict).toBe('pass');
    expect(entry.reason).toContain('the order the model wrote them');
    expect(verdictOf(twoCalls, [inStep('B'), inStep('A')])[0]).toBe('fail');
    expect(gradeRule(twoCalls, [call('A'), call('B')]).reason).not.toContain('the model wrote');
  });

  describe('with strict_order', () => {
    const strict = { ...twoCalls, strict_order: true };
    const open = ['inconclusive', 'order_parallel'];

    it('an order that rests on parallel calls alone is open, both ways', () => {
      expect(verdictOf(strict, [inStep('A'), inStep('B')])).toEqual(open);
      expect(verdictOf(strict, [inStep('B'), inStep('A')])).toEqual(open);
    });

    it('an order between model steps is decided', () => {
      expect(verdictOf(strict, [call('A'), call('B')])[0]).toBe('pass');
      expect(verdictOf(strict, [call('B'), call('A')])[0]).toBe('fail');
      const later = [inStep('A'), inStep('C'), call('B', { parallel: true, step: 2 })];
      expect(verdictOf(strict, later)[0]).toBe('pass');
    });

    it('equal selectors need no order: two calls are two calls', () => {
      const twice = { ...sequence(isCall('A'), { action: 'calls' }), strict_order: true };
      expect(verdictOf(twice, [inStep('A'), inStep('A')])[0]).toBe('pass');
      expect(verdictOf(twice, [inStep('A'), inStep('B')])).toEqual(open);
      expect(verdictOf(twice, [inStep('B')])[0]).toBe('fail');
    });

    it('fails where no order of the calls would do', () => {
      expect(verdictOf(strict, [inStep('A'), inStep('C')])).toEqual(['fail', null]);
    });
  });
});

describe('within', () => {
  const within = (more: JsonObject) => ({
    type: 'within',
    after: isCall('A'),
    match: isCall('B'),
    ...more,
  });

  it('counts observed Behaviors, and shows the distance where it is too long', () => {
    const behaviors = [call('A'), call('x'), call('x'), call('B')];
    expect(verdictOf(within({ max_steps: 3 }), behaviors)[0]).toBe('pass');
    const entry = gradeRule(within({ max_steps: 2 }), behaviors);
    expect(entry.verdict).toBe('fail');
    expect(entry.nearest?.detail).toBe(
      '#3 assistant calls "B" came 3 steps and 3 s after #0 assistant calls "A"',
    );
  });

  it('measures time from start to start', () => {
    const behaviors = [call('A', { seconds: 10 }), call('B', { seconds: 14 })];
    expect(verdictOf(within({ max_duration: '4s' }), behaviors)[0]).toBe('pass');
    expect(verdictOf(within({ max_duration: '3.9s' }), behaviors)[0]).toBe('fail');
    expect(verdictOf(within({ max_duration: '4s', max_steps: 1 }), behaviors)[0]).toBe('pass');
    expect(verdictOf(within({ max_duration: '1m', max_steps: 1 }), behaviors)[0]).toBe('pass');
    expect(verdictOf(within({ max_duration: '3900ms', max_steps: 1 }), behaviors)[0]).toBe('fail');
  });

  it('uses the after that is nearest in time, though it may not be the last in order', () => {
    const behaviors = [
      call('A', { seconds: 10 }),
      call('A', { seconds: 9 }),
      call('B', { seconds: 19.5 }),
    ];
    expect(verdictOf(within({ max_duration: '10s' }), behaviors)[0]).toBe('pass');
  });

  it('fails without an after, which must occur', () => {
    expect(gradeRule(within({ max_steps: 1 }), [call('B')]).reason).toContain('must occur');
    expect(verdictOf(within({ max_steps: 1, every: true }), [call('B')])[0]).toBe('fail');
  });

  it('with every, one match answers all that came before it, if near enough', () => {
    const every = within({ max_steps: 2, every: true });
    expect(verdictOf(every, [call('A'), call('A'), call('B')])[0]).toBe('pass');
    expect(verdictOf(every, [call('A'), call('x'), call('A'), call('B')])[0]).toBe('fail');
    expect(verdictOf(every, [call('A'), call('B'), call('A')])[0]).toBe('fail');
    const entry = gradeRule(every, [call('A'), call('B'), call('A')]);
    expect(entry.witness.map(({ behavior }) => behavior)).toEqual([2]);
  });

  it('with every, what is missing could have been the answer, or one more to be answered', () => {
    const every = within({ max_steps: 2, every: true });
    expect(verdictOf(every, lossy([call('A')]))).toEqual(['inconclusive', 'trace_incomplete']);
    expect(verdictOf(every, lossy([call('A'), call('B')]))[0]).toBe('inconclusive');
    expect(verdictOf(within({ max_steps: 2 }), lossy([call('A'), call('B')]))[0]).toBe('pass');
  });

  it('an unknown act is no match, and could be one', () => {
    const asked = { type: 'within', after: isCall('A'), match: asks, max_steps: 1 };
    expect(verdictOf(asked, [call('A'), message('And?')])).toEqual([
      'inconclusive',
      'unclassified_message',
    ]);
    expect(verdictOf(asked, [call('A'), call('x'), message('And?')])).toEqual(['fail', null]);
  });
});
